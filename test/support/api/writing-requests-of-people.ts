/** A request of every operation that changes leads, lists, searches or messages. */
import { MESSAGE } from '../campaigns/campaign-users.ts';
import { addSend } from '../campaigns/sends.ts';
import type { AuditedWorld } from './audited-world.ts';
import {
  LEAD,
  SEARCH,
  name,
  email,
  mailbox,
  lead,
  made,
  list,
  company,
  campaign,
  process,
  run,
  schedule,
  message,
  type Asked,
  type Requests,
} from './writing-subjects.ts';

/** The path of a new one. */
const customField = async (world: AuditedWorld) =>
  `/v1/custom-fields/${await made(world, '/v1/custom-fields', { name: name(), type: 'text' })}`;

const leadFile = () => ({
  csv: `Company,Name,E-mail\nNorth Bakery,Robin Lee,${email()}\n`,
  fileName: 'fair.csv',
  source: 'trade fair',
  mapping: { companyName: 'Company', personFullName: 'Name', personEmail: 'E-mail' },
});

export const ofPeople: Requests = {
  'leadProcesses.create': async () => ['/v1/leads/process', { searchTerm: name() }],
  'leadProcesses.pause': async (world) => [`${await process(world)}/pause`],
  'leadProcesses.resume': async (world) => [`${await process(world, 'pause')}/resume`],
  'leadProcesses.cancel': async (world) => [`${await process(world)}/cancel`],
  'customFields.create': async () => ['/v1/custom-fields', { name: name(), type: 'text' }],
  'customFields.update': async (world) => [await customField(world), { label: name() }],
  'customFields.delete': async (world) => [await customField(world)],
  'leadImports.create': async () => ['/v1/leads/import', leadFile()],
  'leadImports.cancel': async (world) => {
    const id = await made(world, '/v1/leads/import', { csv: `email\n${email()}\n` });
    return [`/v1/leads/import/${id}/cancel`];
  },
  'leads.create': async () => ['/v1/leads', { ...LEAD, personEmail: email() }],
  'leads.deleteMany': async (world) => ['/v1/leads/bulk-delete', { ids: [await lead(world)] }],
  'leads.move': async (world) => {
    const companyId = await company(world);
    const [one] = await world.ok('GET', `/v1/leads?companyId=${companyId}`);
    return ['/v1/leads/move', { ids: [one.id], leadListId: await list(world) }];
  },
  'leads.update': async (world) => [`/v1/leads/${await lead(world)}`, { personFirstName: 'Grace' }],
  'leads.delete': async (world) => [`/v1/leads/${await lead(world)}`],
  'leads.erase': async (world) => [`/v1/leads/${await lead(world)}/erase`],
  'companies.update': async (world) => [
    `/v1/companies/${await company(world)}`,
    { city: 'Berlin' },
  ],
  'companies.delete': async (world) => [`/v1/companies/${await company(world)}`],
  'leadLists.create': async () => ['/v1/lead-lists', { name: 'L' }],
  'leadLists.update': async (world) => [`/v1/lead-lists/${await list(world)}`, { name: 'M' }],
  'leadLists.delete': async (world) => [`/v1/lead-lists/${await list(world)}`],
  'suppressions.create': async () => ['/v1/suppressions', { email: email() }],
  'suppressions.delete': async (world) => [
    `/v1/suppressions/${await made(world, '/v1/suppressions', { email: email() })}`,
  ],
  'erasures.create': async (world) => {
    const { email: known } = await world.db
      .selectFrom('leads')
      .select('email')
      .where('id', '=', await lead(world))
      .executeTakeFirstOrThrow();
    return ['/v1/erasures', { email: known }];
  },
  'mapsRuns.create': async () => ['/v1/maps-scraper/runs', SEARCH],
  'mapsRuns.delete': async (world) => [await run(world)],
  'mapsRuns.enrich': async (world) => [`${await run(world, 'completed')}/enrich`, {}],
  'mapsRuns.importToLeadList': async (world) => [
    `${await run(world, 'completed')}/import-to-lead-list`,
    {},
  ],
  'mapsRuns.cancel': async (world) => [`${await run(world)}/cancel`],
  'schedules.create': async () => [
    '/v1/schedules',
    { name: 'W', mapsRun: SEARCH, times: { time: '09:30' } },
  ],
  'schedules.update': async (world) => [await schedule(world), { paused: true }],
  'schedules.delete': async (world) => [await schedule(world)],
  'schedules.run': async (world) => [`${await schedule(world)}/run`],
  'emailValidations.create': async () => ['/v1/email-validation/bulk', { emails: [email()] }],
  'emailValidations.cancel': async (world) => {
    const id = await made(world, '/v1/email-validation/bulk', { emails: [email()] });
    return [`/v1/email-validation/bulk/${id}/cancel`];
  },
  'emailValidations.createOfLeadList': async (world) => [
    `/v1/email-validation/lists/${await list(world)}`,
  ],
};

export const ofMessages: Requests = {
  'campaigns.create': async (world) => [
    '/v1/campaigns',
    { ...MESSAGE, assignedMailboxes: [await mailbox(world)] },
  ],
  'campaigns.update': async (world) => [
    (await campaign(world)).path,
    { name: name(), bodyTemplate: 'Another text' },
  ],
  'campaigns.delete': async (world) => [(await campaign(world)).path],
  'campaigns.duplicate': async (world) => [`${(await campaign(world)).path}/duplicate`],
  'campaigns.start': async (world) => [`${(await campaign(world)).path}/start`],
  'campaigns.pause': async (world) => [`${(await campaign(world, 'start')).path}/pause`],
  'campaigns.resume': async (world) => [`${(await campaign(world, 'start', 'pause')).path}/resume`],
  'campaigns.cancel': async (world) => [`${(await campaign(world, 'start')).path}/cancel`],
  'campaignLeads.add': async (world) => [
    `${(await campaign(world)).path}/leads`,
    { leadIds: [await lead(world)] },
  ],
  ...Object.fromEntries(
    (['pause', 'resume', 'remove'] as const).flatMap((request) => [
      [
        `campaignLeads.${request}`,
        async (world: AuditedWorld): Promise<Asked> => {
          const { path, leadIds } = await campaign(world);
          const one = `${path}/leads/${leadIds[0]}`;
          if (request === 'resume') await world.ok('POST', `${one}/pause`);
          return [request === 'remove' ? one : `${one}/${request}`];
        },
      ],
      [
        `campaignLeads.${request}Many`,
        async (world: AuditedWorld): Promise<Asked> => {
          const { path, leadIds } = await campaign(world);
          if (request === 'resume') await world.ok('POST', `${path}/leads/bulk-pause`, { leadIds });
          return [`${path}/leads/bulk-${request}`, { leadIds }];
        },
      ],
    ]),
  ),
  'campaigns.sendTestEmail': async (world) => [
    `${(await campaign(world)).path}/test-email`,
    { to: email() },
  ],
  'inbox.sync': async (world) => ['/v1/inbox/sync', { mailboxId: await mailbox(world) }],
  'inbox.update': async (world) => [`/v1/inbox/${await message(world)}`, { is_read: true }],
  'inbox.markRead': async (world) => ['/v1/inbox/mark-read', { ids: [await message(world)] }],
  'inbox.reply': async (world) => [
    `/v1/inbox/${await message(world)}/reply`,
    { body: 'Thank you' },
  ],
  'inbox.cancel': async (world) => {
    const inAnHour = new Date(world.users.clock.at.getTime() + 3_600_000);
    const body = { body: 'Thank you', sendAt: inAnHour.toISOString() };
    const { id } = await world.ok('POST', `/v1/inbox/${await message(world)}/reply`, body);
    return [`/v1/inbox/${id}/cancel`];
  },
  'inbox.forward': async (world) => [`/v1/inbox/${await message(world)}/forward`, { to: email() }],
  'recipientLinks.unsubscribe': async (world) => {
    const { db, userId, users } = world;
    const sendId = await addSend(db, { userId, leadId: await lead(world) });
    return [new URL(users.api.context.recipientLinks.unsubscribeUrl(sendId)).pathname];
  },
  'recipientLinks.resubscribe': async (world) => {
    const { db, userId, users } = world;
    const { recipientLinks } = users.api.context;
    const sendId = await addSend(db, { userId, leadId: await lead(world) });
    await users.api.call('POST', new URL(recipientLinks.unsubscribeUrl(sendId)).pathname);
    const entries = db.selectFrom('suppressions').select('id').where('by_link', '=', true);
    const { id } = await entries.orderBy('id', 'desc').executeTakeFirstOrThrow();
    return [`/r/${recipientLinks.resubscribeToken(sendId, id)}`, 'Subscribe=Again'];
  },
};
