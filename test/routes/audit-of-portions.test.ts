/** What is done in several transactions has its entry in the audit log with the first of them. Choice 98. */
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENROLLED_AT_ONCE } from '../../src/db/campaigns/enrollments.ts';
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

/** What the log has in the middle of the request, where it waits for what `hold` has locked, and at its end. */
async function inItsMiddle(
  { action, path, body = {} }: { action: string; path: string; body?: object },
  hold: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<{ middle: { after: object }[]; end: { after: object }[] }> {
  const headers = { 'idempotency-key': randomUUID() };
  const ask = () => world.call('POST', path, body, headers);
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

it('an erasure, whose tombstones come before everything else', async () => {
  const [leadId] = await addLeads(world.db, world.userId, 1);
  const expected = [expect.objectContaining({ after: { leads: 1 } })];
  const erased = await inItsMiddle(
    { action: 'leads.erase', path: `/v1/leads/${leadId}/erase` },
    (trx) => lockInbox(trx, world.userId),
  );
  expect(erased).toEqual({ middle: expected, end: expected });
});
