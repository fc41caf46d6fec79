/** What is done in several transactions has its entry in the audit log with the first of them. Choice 98. */
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENROLLED_AT_ONCE } from '../../src/db/campaigns/enrollments.ts';
import { lockAccountLeads } from '../../src/db/leads/lead-locks.ts';
import { deleteCompany, removeCompanyPortion } from '../../src/db/leads/leads.ts';
import { LIST_PORTION } from '../../src/db/leads/list-deletions.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import type { Database } from '../../src/db/tables.ts';
import { startAuditedWorld, type AuditedWorld } from '../support/api/audited-world.ts';
import { MESSAGE } from '../support/campaigns/campaign-users.ts';
import { addLeads } from '../support/campaigns/campaign-world.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let world: AuditedWorld;
beforeAll(async () => void (world = await startAuditedWorld()));
afterAll(() => world?.close());

const log = async (action: string) =>
  (await world.ok('GET', `/v1/audit-log?action=${action}`)) as { after: object }[];

interface Asked {
  action: string;
  path: string;
  method?: string;
  body?: object;
}

/** What the log has in the middle of the request, where it waits for what `hold` has locked, and at its end. */
async function inItsMiddle(
  { action, path, method = 'POST', body = {} }: Asked,
  hold: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<{ middle: { after: object }[]; end: { after: object }[] }> {
  const headers = { 'idempotency-key': randomUUID() };
  const given = method === 'POST' ? body : undefined;
  const ask = () => world.call(method, path, given, headers);
  const before = (await log(action)).length;
  const { middle, asking } = await world.db.transaction().execute(async (trx) => {
    await hold(trx);
    const answer = ask();
    await untilWaiting(world.db);
    const entries = await log(action);
    return { middle: entries.slice(0, entries.length - before), asking: { answer } };
  });
  expect((await asking.answer).status).toBeLessThan(300);
  await ask();
  const entries = await log(action);
  return { middle, end: entries.slice(0, entries.length - before) };
}

const lock = (table: string, leadId: number) => (trx: Transaction<Database>) =>
  sql`select from ${sql.table(table)} where ${sql.ref(table === 'leads' ? 'id' : 'lead_id')} = ${leadId}
    for update`.execute(trx);

it('thousands of leads that are added to a campaign, and then paused', async () => {
  const { id } = await world.ok('POST', '/v1/campaigns', MESSAGE);
  const leadIds = await addLeads(world.db, world.userId, ENROLLED_AT_ONCE + 1);
  const last = leadIds.at(-1)!;
  const expected = [
    expect.objectContaining({ after: expect.objectContaining({ leads: leadIds.length }) }),
  ];

  const adding = {
    action: 'campaignLeads.add',
    path: `/v1/campaigns/${id}/leads`,
    body: { leadIds },
  };
  const added = await inItsMiddle(adding, lock('leads', last));
  expect(added).toEqual({ middle: expected, end: expected });

  const path = `/v1/campaigns/${id}/leads/bulk-pause`;
  const pausing = { action: 'campaignLeads.pauseMany', path, body: { leadIds } };
  const paused = await inItsMiddle(pausing, lock('recipients', last));
  expect(paused).toEqual({ middle: expected, end: expected });
});

/** A company that is deleted in portions. */
async function bigCompany(): Promise<{ companyId: number; leadListId: number }> {
  const { id: leadListId } = await world.ok('POST', '/v1/lead-lists', { name: randomUUID() });
  const { id: companyId } = await world.db
    .insertInto('companies')
    .values({ user_id: world.userId, lead_list_id: leadListId, name: 'Big', name_key: 'big' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into leads (user_id, company_id, first_name, last_name, name_key, provenance)
    select ${world.userId}, ${companyId}, 'P', n, 'p ' || n, '{}'
    from generate_series(1, ${LIST_PORTION + 1}::int) as n`.execute(world.db);
  return { companyId, leadListId };
}

it('a company of thousands of leads that is deleted', async () => {
  const { companyId, leadListId } = await bigCompany();
  const newest = sql`select from leads where company_id = ${companyId} order by id desc limit 1
    for update`;
  const deleted = await inItsMiddle(
    { action: 'companies.delete', method: 'DELETE', path: `/v1/companies/${companyId}` },
    (trx) => newest.execute(trx),
  );
  const expected = [
    expect.objectContaining({
      before: expect.objectContaining({ leadListId }),
      after: { deletedLeads: LIST_PORTION + 1 },
    }),
  ];
  expect(deleted).toEqual({ middle: expected, end: expected });
});

it.each([
  ['has gone', 404, 0],
  ['has lost most of its leads', 200, 1],
])('a company that %s when its deletion begins', async (why, status, entries) => {
  const { companyId } = await bigCompany();
  const path = `/v1/companies/${companyId}`;
  const before = (await log('companies.delete')).length;
  const owner = { userId: world.userId, id: companyId };
  const deleting = await world.db.transaction().execute(async (trx) => {
    await lockAccountLeads(trx, world.userId);
    const asked = world.call('DELETE', path);
    await untilWaiting(world.db);
    if (status === 404) await deleteCompany(trx, world.userId, companyId);
    else await removeCompanyPortion(trx, owner, LIST_PORTION);
    return { asked };
  });
  expect((await deleting.asked).status).toBe(status);
  const after = await log('companies.delete');
  // Nothing is told of what was not done, nor more leads than were there.
  expect(after.slice(0, after.length - before)).toEqual(
    Array(entries).fill(expect.objectContaining({ after: { deletedLeads: 1 } })),
  );
});

it('an erasure, whose tombstones come before everything else', async () => {
  const [leadId] = await addLeads(world.db, world.userId, 1);
  const expected = [expect.objectContaining({ after: { leads: 1 } })];
  const erased = await inItsMiddle(
    { action: 'leads.erase', path: `/v1/leads/${leadId}/erase` },
    (trx) => lockInbox(trx, world.userId),
  );
  expect(erased).toEqual({ middle: expected, end: expected });
});
