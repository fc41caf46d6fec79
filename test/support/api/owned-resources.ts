/** A resource of each kind, and requests of every operation on them. */
import { credit } from '../../../src/db/wallet/ledger.ts';
import { MESSAGE, type CampaignUsers } from '../campaigns/campaign-users.ts';
import { addMessage } from '../inbox/inbox-messages.ts';
import { movement } from '../wallet/wallet.ts';
import { PUBLIC_ROUTES } from './public-routes.ts';
import type { Operation } from './request-fuzzer.ts';

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

/** A new user with a resource of each kind. */
export async function makeOneOfEach(
  users: CampaignUsers,
): Promise<{ userId: string; owned: Owned }> {
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
  const owned: Owned = {
    '/api/keys/': await made('/api/keys', { name: 'Ann' }),
    '/v1/campaigns/': campaignId,
    '/v1/clusters/': await idIn('clusters'),
    '/v1/companies/': await idIn('companies'),
    '/v1/custom-fields/': await made('/v1/custom-fields', { name: 'industry', type: 'text' }),
    '/v1/domains/': await idIn('domains'),
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
    '/v1/webhooks/deliveries/': 1,
    '/v1/webhooks/': await made('/v1/webhooks', { url, events: ['*'] }),
  };
  return { userId: ann.userId, owned };
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

/** The path with `id` in it, and a body where the method has one. */
export function requestOf({ method, path }: Operation, id: number | string) {
  const body = BODIES[`${method} ${path}`] ?? { name: 'x' };
  const named = path.replace(/\{\w+\}/, String(id)).replaceAll(/\{\w+\}/g, '1');
  return { method, path: named, ...(method !== 'GET' && method !== 'DELETE' && { body }) };
}

/** A twin is as public as the path it repeats. */
export const isPublic = ({ method, path }: Operation) => {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return [pattern, pattern.replace(/^\/v1/, '')].some((one) =>
    PUBLIC_ROUTES.includes(`${method} ${one}`),
  );
};
