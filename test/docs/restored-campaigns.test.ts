/** What the runbook does before workers start on a database that was put back: nobody is written to twice. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaignRows } from '../../src/transactions/campaign-states.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { addMessage } from '../support/inbox/inbox-messages.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const sectionsOf = (text: string) =>
  new Map(text.split(/^## /m).map((part) => [part.split('\n')[0]!, part]));
const runbook = sectionsOf(readFileSync('docs/runbook.md', 'utf8'));
const restore = runbook.get('Restore')!;
const failOver = runbook.get('Fail-over')!;

const statements = () =>
  [...restore.matchAll(/^ +```sql\n([\s\S]*?)^ +```$/gm)].map(([, text]) => text!);

let world: SessionWorld;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());

it('pauses every campaign that sends, until somebody resumes it', async () => {
  const { db } = world.database;
  const userId = await addSender(db);
  const { cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
  for (const text of statements()) await sql.raw(text).execute(db);
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

it('takes answers that were to be sent by now for sent, perhaps, and keeps their files', async () => {
  const { db, cipher } = world.tools();
  const userId = await addSender(db);
  const [mailboxId] = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const files = [{ filename: 'offer.pdf', contentType: 'application/pdf', content: 'JVBERg==' }];
  const add = async (state: 'queued' | 'scheduled' | 'sent', sendAt: Date | null = null) => {
    const { id } = await addMessage(db, { userId, mailboxId: mailboxId!, direction: 'outbound' });
    const letter = { message_id: id, user_id: userId, mailbox_id: mailboxId!, state };
    await db
      .insertInto('outgoing_letters')
      .values({ ...letter, send_at: sendAt, attachments: JSON.stringify(files) })
      .execute();
  };
  await add('queued');
  await add('scheduled', new Date(Date.now() - 60_000));
  await add('scheduled', new Date(Date.now() + 3_600_000));
  await add('sent');
  for (const text of statements()) await sql.raw(text).execute(db);
  const letters = await db
    .selectFrom('outgoing_letters')
    .select(['state', 'failure', 'attachments'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const perhaps = { state: 'uncertain', failure: 'It may have been sent before a loss of data' };
  expect(letters).toEqual([
    { ...perhaps, attachments: files },
    { ...perhaps, attachments: files },
    { state: 'scheduled', failure: null, attachments: files },
    { state: 'sent', failure: null, attachments: files },
  ]);
});

it('does so before any worker starts, in a fail-over, too', () => {
  const pausing = restore.indexOf('update campaigns');
  expect(pausing).toBeGreaterThan(restore.indexOf('pg_ctl start'));
  expect(pausing).toBeLessThan(restore.indexOf('Start Temporal'));
  const ending = failOver.search(/End the API and the workers/);
  expect(ending).toBeGreaterThan(0);
  expect(ending).toBeLessThan(failOver.indexOf('pg_ctl promote'));
  const order = failOver.slice(failOver.indexOf('pg_ctl promote'));
  expect(order).toMatch(/both statements.*Restore.*workers/is);
});
