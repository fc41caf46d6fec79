/** Requests that have every field which an operation takes, as users may send them: the API's document shows them. */
import { addMessage } from '../inbox/inbox-messages.ts';
import type { AuditedWorld } from './audited-world.ts';
import { MAIL_HOST, wholeOfCampaigns, wholeOfSchedules } from './whole-requests-of-campaigns.ts';
import { wholeOfPeople } from './whole-requests-of-people.ts';
import {
  clusterOf,
  connectedMailbox,
  domain,
  mailbox,
  made,
  message,
  name,
  warmup,
  type Requests,
} from './writing-subjects.ts';

const inHours = ({ users }: AuditedWorld, hours: number) =>
  new Date(users.clock.at.getTime() + hours * 3_600_000).toISOString();

/** A message of which nobody knows what it is. */
const undecided = async (world: AuditedWorld) => {
  const { userId, db } = world;
  const mailboxId = await mailbox(world);
  return (await addMessage(db, { userId, mailboxId, kind: 'needs_review' })).id;
};

const ofMailboxes: Requests = {
  'mailboxes.create': async (world) => {
    const { id, domain: at } = await clusterOf(world);
    return [`/v1/mailboxes/cluster/${id}`, { email: `ada@${at}`, password: 'canary-password-1' }];
  },
  'mailboxes.connect': async () => [
    '/v1/mailboxes/connect',
    {
      email: `ann@${name()}.example`,
      username: 'ann',
      password: 'canary-password-3',
      ...MAIL_HOST,
      senderName: 'Ann King',
      dailyLimit: 30,
    },
  ],
  'mailboxes.connect preset': async () => [
    '/v1/mailboxes/connect',
    { email: `ann@${name()}.example`, password: 'canary-password-3', preset: 'google' },
  ],
  'mailboxes.updateConnection': async (world) => [
    `/v1/mailboxes/${await connectedMailbox(world)}/connection`,
    { username: 'ann', password: 'canary-password-4', ...MAIL_HOST },
  ],
  'mailboxes.updateConnection preset': async (world) => [
    `/v1/mailboxes/${await connectedMailbox(world)}/connection`,
    { password: 'canary-password-4', preset: 'fastmail' },
  ],
  'mailboxes.connectByOauth': async () => [
    '/v1/mailboxes/connect/oauth',
    {
      provider: 'google',
      email: 'ann@workspace.example',
      returnUrl: 'https://app.example.com/mailboxes',
      senderName: 'Ann King',
      dailyLimit: 30,
    },
  ],
  'mailboxImports.create': async () => [
    '/v1/mailboxes/import',
    {
      fileName: 'team.csv',
      delimiter: 'semicolon',
      csv: `email;password;preset\nann@${name()}.example;canary-password-5;google\n`,
    },
  ],
  'mailboxes.export': async (world) => [
    `/v1/mailboxes/export?clusterId=${(await clusterOf(world)).id}`,
  ],
  'mailboxes.rotatePassword': async (world) => [
    `/v1/mailboxes/${await mailbox(world)}/rotate-password`,
    { password: 'canary-password-2' },
  ],
  'mailboxes.updateLimits': async (world) => [
    `/v1/mailboxes/${await mailbox(world)}/limits`,
    { dailyLimit: 30, hourlyLimit: 6, minGapSeconds: 240 },
  ],
  'warmup.update': async (world) => [
    await warmup(world),
    { startVolume: 4, dailyIncrease: 2, maxVolume: 40, replyRate: 30, weekdaysOnly: true },
  ],
  'inbox.reply': async (world) => [
    `/v1/inbox/${await message(world)}/reply`,
    {
      body: 'Thank you, Ada. Here is the offer.',
      bodyHtml: '<p>Thank you, Ada. Here is the offer.</p>',
      cc: ['bob@own.example'],
      attachments: [
        { filename: 'offer.txt', contentType: 'text/plain', content: 'VGhlIG9mZmVyCg==' },
      ],
      sendAt: inHours(world, 20),
      cancelOnReply: true,
    },
  ],
  'inbox.forward': async (world) => [
    `/v1/inbox/${await message(world)}/forward`,
    { to: 'bob@own.example', body: 'One for you.', sendAt: inHours(world, 20) },
  ],
  'inbox.update': async (world) => [
    `/v1/inbox/${await undecided(world)}`,
    {
      is_read: true,
      labels: ['hot'],
      archived: true,
      kind: 'reply',
      interest: 'meeting',
    },
  ],
  'inbox.update snoozed': async (world) => [
    `/v1/inbox/${await message(world)}`,
    { snoozedUntil: inHours(world, 48) },
  ],
  'inbox.update scheduled': async (world) => {
    const body = { body: 'Thank you', sendAt: inHours(world, 20) };
    const { id } = await world.ok('POST', `/v1/inbox/${await message(world)}/reply`, body);
    return [`/v1/inbox/${id}`, { sendAt: inHours(world, 24) }];
  },
  'inbox.markRead': async (world) => [
    '/v1/inbox/mark-read',
    { ids: [await message(world)], is_read: false },
  ],
};

const ofAccount: Requests = {
  'apiKeys.create': async (world) => [
    '/api/keys',
    {
      name: 'n8n',
      mode: 'live',
      ipWhitelist: ['203.0.113.7', '198.51.100.0/24'],
      scopes: ['leads:write', 'campaigns:read'],
      expiresAt: inHours(world, 24 * 90),
    },
  ],
  'apiKeys.update': async (world) => [
    `/api/keys/${await made(world, '/api/keys', { name: 'n8n', scopes: ['leads:write'] })}`,
    {
      name: 'n8n of sales',
      ipWhitelist: ['203.0.113.7'],
      scopes: ['leads:read'],
      expiresAt: inHours(world, 24 * 90),
    },
  ],
  'account.update': async () => [
    '/v1/account',
    {
      senderName: 'Ann King',
      postalAddress: '1 Main Street\nSpringfield',
      timezone: 'Europe/Berlin',
      useLanguageModel: true,
    },
  ],
  'domains.check': async () => [
    '/v1/domains/check',
    { domains: ['north-bakery.com', 'north-bakery.io'], provider: 'namecom' },
  ],
  'dnsRecords.create': async (world) => [
    `/v1/domains/${await domain(world)}/dns`,
    { type: 'MX', name: '@', value: 'mail.elsewhere.example', priority: 10, ttl: 3_600 },
  ],
  'dnsRecords.update': async (world) => [
    `/v1/domains/${await domain(world)}/dns/r1`,
    { type: 'TXT', name: 'old', value: 'another', ttl: 3_600 },
  ],
  'webhooks.create': async () => [
    '/v1/webhooks',
    {
      url: 'https://hooks.example.com/outreach',
      events: ['cluster.active', 'maps_run.completed'],
      description: 'The CRM',
      includeContent: true,
    },
  ],
  'webhooks.update': async (world) => [
    `/v1/webhooks/${await made(world, '/v1/webhooks', { url: 'https://hooks.example.com/', events: ['*'] })}`,
    {
      url: 'https://hooks.example.com/outreach',
      events: ['cluster.active', 'maps_run.completed'],
      description: 'The CRM',
      isActive: true,
      includeContent: false,
    },
  ],
};

/** By `operationId`, and what kind it is of where one request cannot have all fields. */
export const WHOLE_REQUESTS: Requests = {
  ...ofAccount,
  ...ofMailboxes,
  ...wholeOfCampaigns,
  ...wholeOfSchedules,
  ...wholeOfPeople,
};
