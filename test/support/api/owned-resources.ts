/** A resource of each kind, and requests of every operation on them. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import { credit } from '../../../src/db/wallet/ledger.ts';
import { MESSAGE, type CampaignUser, type CampaignUsers } from '../campaigns/campaign-users.ts';
import { addMessage } from '../inbox/inbox-messages.ts';
import { movement } from '../wallet/wallet.ts';
import { happen } from '../webhooks/events.ts';
import { PUBLIC_ROUTES } from './public-routes.ts';
import type { Operation } from './request-fuzzer.ts';

type Db = Kysely<Database>;

/** Nobody's. */
const MISSING_ID = 999_999_999;
const MISSING_KEY = '00000000-0000-4000-8000-000000000000';
const MISSING_EVENT = `evt_${MISSING_ID}`;

/** Bodies that operations need before they look for what the path names. */
const BODIES: Record<string, object> = {
  'POST /v1/campaigns/{id}/leads': { leadIds: [1] },
  'POST /v1/campaigns/{id}/leads/bulk-pause': { leadIds: [1] },
  'POST /v1/campaigns/{id}/leads/bulk-resume': { leadIds: [1] },
  'POST /v1/campaigns/{id}/leads/bulk-remove': { leadIds: [1] },
  'POST /v1/campaigns/{id}/test-email': { to: 'a@b.example' },
  'POST /v1/domains/{id}/dns': { type: 'TXT', name: '@', value: 'hello' },
  'POST /v1/inbox/{id}/forward': { to: 'a@b.example' },
  'POST /v1/inbox/{id}/reply': { body: 'Thanks' },
  'POST /v1/mailboxes/cluster/{clusterId}': { email: 'a@b.example' },
  'POST /v1/mailboxes/cluster/{clusterId}/bulk': { mailboxes: [{ email: 'a@b.example' }] },
  'PATCH /v1/custom-fields/{id}': { label: 'x' },
  'PATCH /v1/domains/{id}': { autoRenew: true },
  'PATCH /v1/domains/{id}/dns/{recordId}': { value: 'hello' },
  'PATCH /v1/inbox/{id}': { is_read: true },
  'PATCH /v1/leads/{id}': { firstName: 'x' },
  'PATCH /v1/mailboxes/{id}': { displayName: 'x' },
  'PATCH /v1/mailboxes/{id}/limits': { dailyLimit: 5 },
  'PATCH /v1/placement/seeds/{id}': { password: 'another' },
  'PATCH /v1/schedules/{id}': { paused: true },
  'PATCH /v1/warmup/mailboxes/{id}': { dailyLimit: 5 },
  'PATCH /v1/webhooks/{id}': { description: 'x' },
};

/** What a new user owns, by the path under which it is found. */
export type Owned = Record<string, number | string>;

/** What is within one of these, by its parameter in paths. */
export type Children = Record<string, number | string>;

/** A new user with a resource of each kind, and one of each kind within them. */
export async function makeOneOfEach(
  users: CampaignUsers,
): Promise<{ userId: string; owned: Owned; children: Children }> {
  const ann = await users.newUser();
  const { db } = users.database;
  await db.transaction().execute((trx) => credit(trx, movement(ann.userId, 20_000)));
  const made = async (path: string, body: object) => (await ann.ok('POST', path, body)).id;
  const [mailbox] = await ann.mailboxes(1);
  const [lead] = await ann.leads(1);
  const list = await made('/v1/lead-lists', { name: 'Spring' });
  const message = await addMessage(db, { userId: ann.userId, mailboxId: mailbox! });
  const idIn = async (table: 'clusters' | 'domains' | 'companies' | 'events' | 'operations') =>
    (await db.selectFrom(table).select('id').where('user_id', '=', ann.userId).execute())[0]!.id;
  const people = [{ firstName: 'Ada', lastName: 'King', email: 'ada@acme.example' }];
  await ann.ok('POST', '/v1/leads', { company_name: 'Acme', leadListId: list, people });
  const url = 'https://hooks.example.com/outreach';
  const search = { searchStringsArray: ['florist'], leadListId: list };
  const campaignId = await made('/v1/campaigns', { ...MESSAGE, assignedMailboxes: [mailbox] });
  await ann.ok('POST', `/v1/campaigns/${campaignId}/leads`, { leadIds: [lead] });
  const webhookId = await made('/v1/webhooks', { url, events: ['*'] });
  const deliveryId = await addDelivery(db, ann, webhookId);
  const domainId = await idIn('domains');
  const owned: Owned = {
    '/api/keys/': await made('/api/keys', { name: 'Ann' }),
    '/v1/campaigns/': campaignId,
    '/v1/clusters/': await idIn('clusters'),
    '/v1/companies/': await idIn('companies'),
    '/v1/custom-fields/': await made('/v1/custom-fields', { name: 'industry', type: 'text' }),
    '/v1/domains/': domainId,
    '/v1/email-validation/bulk/': await made('/v1/email-validation/bulk', {
      emails: ['ada@acme.example'],
    }),
    '/v1/email-validation/lists/': list,
    '/v1/events/': `evt_${await idIn('events')}`,
    '/v1/inbox/threads/': message.threadId,
    '/v1/inbox/': message.id,
    '/v1/lead-lists/': list,
    '/v1/leads/import/': await made('/v1/leads/import', {
      csv: 'First name,Email\nAda,ada@other.example\n',
    }),
    '/v1/leads/process/': await made('/v1/leads/process', { searchTerm: 'yoga mats' }),
    '/v1/leads/': lead!,
    '/v1/mailboxes/cluster/': await idIn('clusters'),
    '/v1/mailboxes/import/': await made('/v1/mailboxes/import', {
      csv: 'email,password,preset\nann@own.example,canary-password-6,google\n',
    }),
    '/v1/mailboxes/': mailbox!,
    '/v1/maps-scraper/runs/': await made('/v1/maps-scraper/runs', search),
    '/v1/operations/': await idIn('operations'),
    '/v1/placement/seeds/': await made('/v1/placement/seeds', {
      address: 'seed@own.example',
      provider: 'google',
      password: 'canary-password-7',
    }),
    '/v1/placement/tests/': await made('/v1/placement/tests', { campaignId }),
    '/v1/schedules/': await made('/v1/schedules', {
      name: 'Weekly',
      mapsRun: search,
      times: { time: '09:30' },
    }),
    '/v1/suppressions/': await made('/v1/suppressions', { email: 'never@acme.example' }),
    '/v1/tracking-domains/': await made('/v1/tracking-domains', { name: 'links.own.example' }),
    '/v1/warmup/mailboxes/': mailbox!,
    '/v1/webhooks/deliveries/': deliveryId,
    '/v1/webhooks/': webhookId,
  };
  const children = {
    leadId: lead!,
    deliveryId,
    recordId: await recordOf(db, domainId),
    attachmentId: await addAttachment(db, { mailboxId: mailbox!, messageId: message.id }),
  };
  return { userId: ann.userId, owned, children };
}

/** Of an event that has happened. */
async function addDelivery(db: Db, { userId, ok }: CampaignUser, id: number): Promise<number> {
  await happen(db, [{ userId, type: 'email.sent', resource: `lead/${id}`, payload: {} }]);
  const [one] = await ok('GET', `/v1/webhooks/${id}/deliveries`);
  return one.id;
}

/** The vendor's, as `audited-world.ts` has it. */
async function recordOf(db: Db, domainId: number): Promise<string> {
  const { name } = await db
    .selectFrom('domains')
    .select('name')
    .where('id', '=', domainId)
    .executeTakeFirstOrThrow();
  return recordIdOf(name);
}
export const recordIdOf = (domain: string): string => `record-of-${domain}`;

/** With the place at the mail host where it is read. */
async function addAttachment(
  db: Db,
  { mailboxId, messageId }: { mailboxId: number; messageId: number },
): Promise<number> {
  await sql`insert into mailbox_folders (mailbox_id, path, role, uid_validity)
    values (${mailboxId}, 'INBOX', 'inbox', 1)`.execute(db);
  await sql`insert into message_places (mailbox_id, path, uid, message_id)
    values (${mailboxId}, 'INBOX', 1, ${messageId})`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into attachments (message_id, part, filename, content_type, size_bytes)
    values (${messageId}, '2', 'offer.txt', 'text/plain', 5) returning id`.execute(db);
  return rows[0]!.id;
}

/** The longest path that an operation's begins with; twins are found under the path they repeat. */
export function ownedBy(owned: Owned, { path }: Operation): string | undefined {
  const full = /^\/(v1|api)\//.test(path) ? path.replace(/^\/v1\/api\//, '/api/') : `/v1${path}`;
  return Object.keys(owned)
    .filter((prefix) => full.startsWith(`${prefix}{`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** An id of the same kind that nobody has. */
export function missingOf(id: number | string): number | string {
  if (typeof id === 'number') return MISSING_ID;
  return id.startsWith('evt_') ? MISSING_EVENT : MISSING_KEY;
}

/** The path with `id` and what is within it, and a body where the method has one. */
export function requestOf({ method, path }: Operation, id: number | string, children: Children) {
  const body = BODIES[`${method} ${path}`] ?? { name: 'x' };
  const named = path
    .replace(/\{\w+\}/, String(id))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(childOf(children, name)));
  return { method, path: named, ...(method !== 'GET' && method !== 'DELETE' && { body }) };
}

/** Throws for a parameter of which it is not known. */
export function childOf(children: Children, parameter: string): number | string {
  const id = children[parameter];
  if (id === undefined) throw new Error(`What is ${parameter} of?`);
  return id;
}

/** A twin is as public as the path it repeats. */
export const isPublic = ({ method, path }: Operation) => {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return [pattern, pattern.replace(/^\/v1/, '')].some((one) =>
    PUBLIC_ROUTES.includes(`${method} ${one}`),
  );
};
