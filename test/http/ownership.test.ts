/** Every operation on somebody else's resource answers, to the byte, as on one that does not exist. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { credit } from '../../src/db/wallet/ledger.ts';
import { PUBLIC_ROUTES } from '../support/api/public-routes.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { addMessage } from '../support/inbox/inbox-messages.ts';
import { operationsOf, type Operation } from '../support/api/request-fuzzer.ts';
import { movement } from '../support/wallet/wallet.ts';

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
  'PATCH /v1/schedules/{id}': { paused: true },
  'PATCH /v1/warmup/mailboxes/{id}': { dailyLimit: 5 },
  'PATCH /v1/webhooks/{id}': { description: 'x' },
};

let users: CampaignUsers;
let operations: Operation[];
let owner: string;
let stranger: string;
/** What Ann owns, by the path under which it is found. */
let owned: Record<string, number | string>;

beforeAll(async () => {
  const vendors = { maps: { apify: {} }, adLibraries: { meta: {} }, contactFinders: {} };
  users = await startCampaignUsers(vendors as unknown as Partial<Context>);
  const { body: document } = await users.api.call('GET', '/openapi.json');
  operations = operationsOf(document);
  stranger = await users.api.jwt('stranger');
  owned = await makeOneOfEach();
});
afterAll(() => users.close());

async function makeOneOfEach(): Promise<typeof owned> {
  const ann = await users.newUser();
  owner = await users.api.jwt(ann.userId);
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
  return {
    '/api/keys/': await made('/api/keys', { name: 'Ann' }),
    '/v1/campaigns/': await made('/v1/campaigns', { ...MESSAGE, assignedMailboxes: [mailbox] }),
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
    '/v1/mailboxes/': mailbox!,
    '/v1/maps-scraper/runs/': await made('/v1/maps-scraper/runs', search),
    '/v1/operations/': await idIn('operations'),
    '/v1/schedules/': await made('/v1/schedules', {
      name: 'Weekly',
      mapsRun: search,
      times: { time: '09:30' },
    }),
    '/v1/suppressions/': await made('/v1/suppressions', { email: 'never@acme.example' }),
    '/v1/warmup/mailboxes/': mailbox!,
    '/v1/webhooks/deliveries/': 1,
    '/v1/webhooks/': await made('/v1/webhooks', { url, events: ['*'] }),
  };
}

/** The longest path that an operation's begins with; twins are found under the path they repeat. */
function ownedBy({ path }: Operation): string | undefined {
  const full = /^\/(v1|api)\//.test(path) ? path.replace(/^\/v1\/api\//, '/api/') : `/v1${path}`;
  return Object.keys(owned)
    .filter((prefix) => full.startsWith(`${prefix}{`))
    .toSorted((a, b) => b.length - a.length)[0];
}

function missingOf(id: number | string): number | string {
  if (typeof id === 'number') return MISSING_ID;
  return id.startsWith('evt_') ? MISSING_EVENT : MISSING_KEY;
}

async function answerTo(operation: Operation, id: number | string, token = stranger) {
  const { method, path } = operation;
  const body = BODIES[`${method} ${path}`] ?? { name: 'x' };
  const named = path.replace(/\{\w+\}/, String(id)).replaceAll(/\{\w+\}/g, '1');
  const {
    status,
    headers,
    body: answer,
  } = await users.api.call(method, named, {
    token,
    ...(method !== 'GET' && method !== 'DELETE' && { body }),
  });
  const { requestId: _id, ...rest } = answer;
  return { status, type: headers.get('content-type'), text: JSON.stringify(rest) };
}

/** A twin is as public as the path it repeats. */
const isPublic = ({ method, path }: Operation) => {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return [pattern, pattern.replace(/^\/v1/, '')].some((one) =>
    PUBLIC_ROUTES.includes(`${method} ${one}`),
  );
};

describe('every operation on a resource', () => {
  it('of somebody else answers as on one that is missing', async () => {
    const differing: unknown[] = [];
    const resources = operations.filter((one) => one.path.includes('{') && !isPublic(one));
    for (const operation of resources) {
      const title = `${operation.method} ${operation.path}`;
      const kind = ownedBy(operation);
      const id = kind === undefined ? 0 : owned[kind]!;
      const missing = await answerTo(operation, missingOf(id));
      const foreign = await answerTo(operation, id);
      const isSame = JSON.stringify(foreign) === JSON.stringify(missing);
      if (kind === undefined || missing.status !== 404 || !isSame) {
        differing.push({ title, kind, missing, foreign });
      }
    }
    expect(differing).toEqual([]);
    expect(resources.length).toBeGreaterThan(80);
  });
});

describe('every resource of the table', () => {
  it('is found by its owner', async () => {
    const lost: unknown[] = [];
    const reads = operations.filter(
      ({ method, path }) => method === 'GET' && path.endsWith('{id}'),
    );
    for (const operation of reads) {
      const { status } = await answerTo(operation, owned[ownedBy(operation)!]!, owner);
      if (status !== 200) lost.push(`${operation.path}: ${status}`);
    }
    expect(lost).toEqual([]);
    expect(reads.length).toBeGreaterThan(15);
  });
});

describe('every operation', () => {
  it('is 401 with each kind of bad credential, whatever it is asked about', async () => {
    const { userId } = await users.newUser();
    const valid = await users.api.jwt(userId);
    const credentials: Record<string, string | undefined> = {
      none: undefined,
      'no scheme': valid,
      'another scheme': `Basic ${valid}`,
      'cut signature': `Bearer ${valid.slice(0, -4)}`,
      'no signature': `Bearer ${valid.split('.').slice(0, 2).join('.')}.`,
      'unknown key': `Bearer svc_${'a'.repeat(64)}`,
      'no key': 'Bearer svc_',
    };
    const through: string[] = [];
    for (const operation of operations.filter((one) => !isPublic(one))) {
      const id = owned[ownedBy(operation) ?? ''] ?? 1;
      const path = operation.path.replaceAll(/\{\w+\}/g, String(id));
      const statuses = Object.entries(credentials).map(async ([kind, authorization]) => {
        const headers: Record<string, string> = authorization ? { authorization } : {};
        const { status, body } = await users.api.call(operation.method, path, { headers });
        if (status === 401 && body.code === 'UNAUTHORIZED') return;
        through.push(`${operation.method} ${path} with ${kind}: ${status}`);
      });
      await Promise.all(statuses);
    }
    expect(through).toEqual([]);
  });
});
