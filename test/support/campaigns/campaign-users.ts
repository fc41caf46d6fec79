/** All routes over a test's database, and users who have campaigns; Temporal only records signals. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { sql } from 'kysely';
import type { Context } from '../../../src/context.ts';
import type { Operation } from '../../../src/db/operations/operations.ts';
import { startTestApi, type TestAnswer, type TestApi, type TestApiOptions } from '../api/api.ts';
import { addLeads, addMailboxes } from './campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { withoutRunKey } from '../workflows/run-keys.ts';

export interface CampaignUser {
  userId: string;
  call: (method: string, path: string, body?: unknown) => Promise<TestAnswer>;
  /** `data` of a call that must succeed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  ok: (method: string, path: string, body?: unknown) => Promise<any>;
  mailboxes: (count: number) => Promise<number[]>;
  leads: (count: number) => Promise<number[]>;
  /** A campaign that may be started: one mailbox, `leads` leads. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  campaign: (order?: object, leads?: number) => Promise<any>;
}

export interface CampaignUsers {
  api: TestApi;
  database: TestDatabase;
  /** Signals to Temporal: `campaign/7 pause`. */
  signals: string[];
  started: Operation[];
  /** Temporal is down, or does not know the workflow. */
  temporal: { failure: Error | undefined };
  /** The product's clock; it stands still. */
  clock: { at: Date };
  newUser(): Promise<CampaignUser>;
  close(): Promise<void>;
}

export const NOT_FOUND = new WorkflowNotFoundError('not found', 'campaign', undefined);

/** A Monday morning in New York, within the default window. */
export const MONDAY = new Date('2027-03-01T15:00:00.000Z');

/** `settings` are the API's that differ from the tests' defaults, with those of a database that they name. */
export async function startCampaignUsers(
  more: Partial<Context> = {},
  settings: Pick<TestApiOptions, 'environment'> & { database?: TestDatabase } = {},
): Promise<CampaignUsers> {
  const { database = await createTestDatabase(), ...environment } = settings;
  const signals: string[] = [];
  const started: Operation[] = [];
  const temporal: { failure: Error | undefined } = { failure: undefined };
  const clock = { at: MONDAY };
  const context = {
    clock: { now: () => clock.at },
    temporal: {
      withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
      workflow: {
        getHandle: (id: string) => ({
          signal: async ({ name }: { name: string }) => {
            if (temporal.failure) throw temporal.failure;
            signals.push(`${withoutRunKey(id)} ${name}`);
          },
        }),
      },
    },
    startOperation: async (operation: Operation) => started.push(operation) > 0,
    ...more,
  } as unknown as Partial<Context>;
  const api = await startTestApi({ database, context, ...environment });
  let users = 0;
  return {
    api,
    database,
    signals,
    started,
    temporal,
    clock,
    newUser: () => newUser(api, `campaigns-${++users}`),
    async close() {
      await api.close();
      await database.close();
    },
  };
}

async function newUser(api: TestApi, userId: string): Promise<CampaignUser> {
  const token = await api.jwt(userId);
  const call: CampaignUser['call'] = (method, path, body) =>
    api.call(method, path, { token, ...(body !== undefined && { body }) });
  const ok: CampaignUser['ok'] = async (method, path, body) => {
    const answer = await call(method, path, body);
    if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  await ok('PATCH', '/v1/account', {
    senderName: 'Ann',
    postalAddress: '1 Main Street\nSpringfield',
  });
  const mailboxes = (count: number) => addMailboxes(api.context, userId, { count });
  const leads = (count: number) => addLeads(api.context.db, userId, count);
  return {
    userId,
    call,
    ok,
    mailboxes,
    leads,
    async campaign(order = {}, count = 1) {
      const assignedMailboxes = await mailboxes(1);
      const created = await ok('POST', '/v1/campaigns', {
        ...MESSAGE,
        assignedMailboxes,
        ...order,
      });
      if (count === 0) return created;
      await ok('POST', `/v1/campaigns/${created.id}/leads`, { leadIds: await leads(count) });
      return ok('GET', `/v1/campaigns/${created.id}`);
    },
  };
}

/** The required fields of a campaign. */
export const MESSAGE = {
  name: 'Spring',
  subjectTemplate: 'Hello {{firstName}}',
  bodyTemplate: 'Hi {{firstName|there}},\n\nhow is {{company|business}}?',
};

/** Records a step's message as sent. */
export async function noteSent(
  { database }: CampaignUsers,
  message: { campaignId: number; leadId: number; mailboxId: number; step?: number },
): Promise<void> {
  const { campaignId, leadId, mailboxId, step = 0 } = message;
  await sql`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, message_id,
      subject, state, claimed_by, claimed_at, sent_at)
    select user_id, id, ${leadId}, ${step}, ${mailboxId}, 'client.test',
      ${`<${campaignId}-${leadId}-${step}@d.test>`}, 'Hello', 'sent', gen_random_uuid(),
      ${MONDAY}, ${MONDAY}
    from campaigns where id = ${campaignId}`.execute(database.db);
  await sql`
    insert into campaign_counters (campaign_id, day, step, variant, sent)
    values (${campaignId}, ${MONDAY}, ${step}, 0, 1)
    on conflict (campaign_id, day, step, variant) do update
      set sent = campaign_counters.sent + 1`.execute(database.db);
}
