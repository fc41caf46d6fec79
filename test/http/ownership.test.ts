/** Every operation on somebody else's resource answers, to the byte, as on one that does not exist. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import {
  isPublic,
  makeOneOfEach,
  missingOf,
  ownedBy,
  requestOf,
  type Children,
  type Owned,
} from '../support/api/owned-resources.ts';
import { operationsOf, type Operation } from '../support/api/request-fuzzer.ts';
import { startCampaignUsers, type CampaignUsers } from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let operations: Operation[];
let owner: string;
let stranger: string;
/** What Ann owns, by the path under which it is found. */
let owned: Owned;
let children: Children;

beforeAll(async () => {
  const vendors = { maps: { apify: {} }, adLibraries: { meta: {} }, contactFinders: {} };
  users = await startCampaignUsers(vendors as unknown as Partial<Context>);
  const { body: document } = await users.api.call('GET', '/openapi.json');
  operations = operationsOf(document);
  stranger = await users.api.jwt('stranger');
  const ann = await makeOneOfEach(users);
  ({ owned, children } = ann);
  owner = await users.api.jwt(ann.userId);
});
afterAll(() => users.close());

async function answerTo(operation: Operation, id: number | string, token = stranger) {
  const { method, path, ...rest } = requestOf(operation, id, children);
  const { status, headers, body: answer } = await users.api.call(method, path, { token, ...rest });
  const { requestId: _id, ...told } = answer;
  return { status, type: headers.get('content-type'), text: JSON.stringify(told) };
}

describe('every operation on a resource', () => {
  it('of somebody else answers as on one that is missing', async () => {
    const differing: unknown[] = [];
    const resources = operations.filter((one) => one.path.includes('{') && !isPublic(one));
    for (const operation of resources) {
      const title = `${operation.method} ${operation.path}`;
      const kind = ownedBy(owned, operation);
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
      const { status } = await answerTo(operation, owned[ownedBy(owned, operation)!]!, owner);
      if (status !== 200) lost.push(`${operation.path}: ${status}`);
    }
    expect(lost).toEqual([]);
    expect(reads.length).toBeGreaterThan(15);
  });
});

describe('every kind of the table', () => {
  it('is told apart from a missing one by its owner, by some operation', async () => {
    const order = ['GET', 'PATCH', 'POST', 'DELETE'];
    const nowhere: unknown[] = [];
    for (const [kind, id] of Object.entries(owned)) {
      const asked = operations
        .filter((operation) => ownedBy(owned, operation) === kind)
        .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
      // Until one finds it: what deletes it is asked last, and where nothing else does.
      const found = await firstOf(asked, async (operation) => {
        const { status } = await answerTo(operation, id, owner);
        return status < 300;
      });
      if (!found) nowhere.push(kind);
    }
    expect(nowhere).toEqual([]);
  });
});

async function firstOf<T>(all: readonly T[], is: (one: T) => Promise<boolean>) {
  for (const one of all) if (await is(one)) return one;
  return undefined;
}

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
      const id = owned[ownedBy(owned, operation) ?? ''] ?? 1;
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
