/** What the runbook does before workers start on a database that was put back: nobody is written to twice. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaignRows } from '../../src/transactions/campaign-states.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const sectionsOf = (text: string) =>
  new Map(text.split(/^## /m).map((part) => [part.split('\n')[0]!, part]));
const runbook = sectionsOf(readFileSync('docs/runbook.md', 'utf8'));
const restore = runbook.get('Restore')!;
const failOver = runbook.get('Fail-over')!;

let world: SessionWorld;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());

it('pauses every campaign that sends, until somebody resumes it', async () => {
  const { db } = world.database;
  const userId = await addSender(db);
  const { cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
  for (const [, text] of restore.matchAll(/^ +```sql\n([\s\S]*?)^ +```$/gm)) {
    await sql.raw(text!).execute(db);
  }
  const read = () =>
    db
      .selectFrom('campaigns')
      .select(['status', 'pause_reason', 'warning'])
      .where('id', '=', campaignId)
      .executeTakeFirstOrThrow();
  expect(await read()).toEqual({
    status: 'paused',
    pause_reason: 'user',
    warning: expect.stringMatching(/written to again/),
  });
  await db.transaction().execute((trx) => campaignRows.apply(trx, campaignId, 'resume'));
  expect(await read()).toEqual({ status: 'active', pause_reason: null, warning: null });
});

it('does so before any worker starts, in a fail-over, too', () => {
  const pausing = restore.indexOf('update campaigns');
  expect(pausing).toBeGreaterThan(restore.indexOf('pg_ctl start'));
  expect(pausing).toBeLessThan(restore.indexOf('Start Temporal'));
  const ending = failOver.search(/End the API and the workers/);
  expect(ending).toBeGreaterThan(0);
  expect(ending).toBeLessThan(failOver.indexOf('pg_ctl promote'));
  const order = failOver.slice(failOver.indexOf('pg_ctl promote'));
  expect(order).toMatch(/pause.*Restore.*workers/is);
});
