/** Every operation that changes something leaves one entry in the audit log, in the transaction of its change. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { createRoutes } from '../../src/routes/index.ts';
import {
  changedWith,
  noteChanges,
  startAuditedWorld,
  type AuditedWorld,
} from '../support/api/audited-world.ts';
import { effectOf, lackingOf } from '../support/api/writing-effects.ts';
import { WRITING_REQUESTS } from '../support/api/writing-requests.ts';

/** POSTs without an entry, and why. */
const LOOK_UPS: Readonly<Record<string, string>> = {
  'campaigns.preview': 'shows messages that nobody gets',
  'domains.check': 'asks registrars for prices',
  'domains.suggest': 'asks registrars for names',
  'emailValidations.check': 'looks at an address; what is kept is a cache',
  'suppressions.check': 'looks addresses up',
};

/** Entries that are written right after the work, and why they have no transaction of a change to go with. */
const AFTERWARDS: Readonly<Record<string, string>> = {
  'campaigns.sendTestEmail': 'hands a message to a mail host',
  'clusters.cancel': 'tells a workflow',
  'dnsRecords.create': 'changes records at a registrar',
  'dnsRecords.delete': 'changes records at a registrar',
  'dnsRecords.update': 'changes records at a registrar',
  'domains.verify': 'finds nothing to do for an active domain',
  'operations.cancel': 'tells a workflow',
  'operations.cancelMany': 'tells workflows',
  'operations.retry': 'tells a workflow',
  'operations.retryMany': 'tells workflows',
  'trackingDomains.check': 'tells a workflow',
  'webhooks.test': 'posts to an endpoint',
};

/** GETs that change something of an account, and have an entry. */
const WRITING_GETS = ['mailboxes.takeConsent'];

const IN_BULK = 'what each of many was is not kept';

/** Entries without a part that others of their effect have, and why. */
const LACKING: Readonly<Record<string, { parts: string[]; why: string }>> = {
  'campaignLeads.pauseMany': { parts: ['before'], why: IN_BULK },
  'campaignLeads.removeMany': { parts: ['before'], why: IN_BULK },
  'campaignLeads.resumeMany': { parts: ['before'], why: IN_BULK },
  'inbox.markRead': { parts: ['before'], why: IN_BULK },
  'operations.cancelMany': { parts: ['before'], why: IN_BULK },
  'operations.retryMany': { parts: ['before'], why: IN_BULK },
  'warmup.actOnMany': { parts: ['before'], why: IN_BULK },
  'domains.verify': { parts: ['before', 'after'], why: 'the domain is active already' },
  'leads.erase': { parts: ['before'], why: 'nothing about the person may stay' },
  'mailboxes.rotatePassword': { parts: ['before'], why: 'a password is never told' },
  'trackingDomains.check': { parts: ['before'], why: 'a look is asked for, nothing changes yet' },
  'wallet.verify': { parts: ['before'], why: 'a payment is credited: what is new is told' },
  'webhooks.rotateSecret': { parts: ['before'], why: 'a secret is never told' },
};

const OUTSIDE: Readonly<Record<string, string>> = {
  'mailboxes.takeConsent': 'mailbox owner',
  'recipientLinks.resubscribe': 'recipient',
  'recipientLinks.unsubscribe': 'recipient',
  'wallet.receiveEvent': 'payment processor',
};

/** Of the requests that were made: keys, secrets, passwords, texts, people. */
const CANARIES = [
  /svc_[0-9a-f]{5}/,
  /whsec_/,
  /canary-password/,
  /secret-path/,
  /Another text|Thank you|Hi \{\{/,
  /Lovelace|Grace|King|Ada/,
  /Berlin/,
  /@client\.test|@client-/,
];

let world: AuditedWorld;
let owner: pg.Client;
let routes: Route[];
beforeAll(async () => {
  world = await startAuditedWorld();
  owner = new pg.Client({ connectionString: world.users.database.ownerUrl });
  await owner.connect();
  await noteChanges(owner);
  routes = createRoutes(world.users.api.context).filter(
    ({ method, operationId }) => method !== 'get' || WRITING_GETS.includes(operationId),
  );
});
afterAll(async () => {
  await owner?.end();
  await world?.close();
});

const entriesOf = (requestId: string) =>
  world.db.selectFrom('audit_log').selectAll().where('request_id', '=', requestId).execute();

it('tries every operation that changes something', () => {
  const audited = routes.filter(({ changesNothing }) => !changesNothing);
  const names = (of: Route[]) => of.map(({ operationId }) => operationId).toSorted();
  expect(Object.keys(WRITING_REQUESTS).toSorted()).toEqual(names(audited));
  const others = routes.filter(({ changesNothing }) => changesNothing);
  expect(Object.keys(LOOK_UPS).toSorted()).toEqual(names(others));
  for (const operationId of Object.keys(LACKING))
    expect(WRITING_REQUESTS).toHaveProperty([operationId]);
});

describe.each(Object.keys(WRITING_REQUESTS))('%s', (operationId) => {
  it('has one entry, with its change', async () => {
    const route = routes.find((one) => one.operationId === operationId)!;
    const { method } = route;
    const [path, body] = await WRITING_REQUESTS[operationId]!(world);
    const requestId = `request-${operationId}`;
    const headers = { 'x-request-id': requestId, 'user-agent': 'tests/1' };
    const isLink = operationId.startsWith('recipientLinks.');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await world.call(
      method.toUpperCase(),
      path,
      isLink
        ? (body ?? 'List-Unsubscribe=One-Click')
        : method === 'delete' || method === 'get'
          ? undefined
          : (body ?? {}),
      isLink ? { ...headers, ...form } : headers,
    );
    if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
    const entries = await entriesOf(requestId);
    expect(entries).toHaveLength(1);
    const [entry] = entries;
    const outsider = OUTSIDE[operationId];
    const actor = outsider
      ? { actor_kind: 'system', actor_id: null, actor_name: outsider, ip: null, user_agent: null }
      : {
          actor_kind: 'api_key',
          actor_id: world.keyId,
          actor_name: world.key.slice(0, 8),
          ip: '127.0.0.1',
          user_agent: 'tests/1',
        };
    expect(entry).toMatchObject({ user_id: world.userId, action: operationId, ...actor });
    expect(entry!.resource_type).not.toBeNull();
    const { before, after } = entry!;
    const lacking = lackingOf(effectOf(route), entry!);
    expect({ lacking, before, after }).toMatchObject({
      lacking: LACKING[operationId]?.parts ?? [],
    });
    const tables = await changedWith(world.db, entry!.id);
    const isAlone = tables.length === 0;
    expect({ isAlone, tables }).toEqual({ isAlone: operationId in AFTERWARDS, tables });
  });
});

it('keeps no secret, no text of a message and nothing about the people who are written to', async () => {
  const { rows } = await sql<{ text: string }>`
    select audit_log::text as text from audit_log`.execute(world.db);
  expect(rows.length).toBeGreaterThan(100);
  const kept = rows.map(({ text }) => text).join('\n');
  const found = CANARIES.filter((canary) => canary.test(kept)).map(({ source }) => source);
  expect(found).toEqual([]);
  // It would be found, had it been kept.
  const { rows: elsewhere } = await sql`select from leads where last_name = 'Lovelace'`.execute(
    world.db,
  );
  expect(elsewhere).not.toEqual([]);
});
