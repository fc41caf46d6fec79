/** A report that we are banned or on a blocklist: the message never arrived, and too many of them pause what sent it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStats } from '../../src/db/campaigns/campaign-stats.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { newSend, report } from '../support/inbox/inbox-sends.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

type Sent = Awaited<ReturnType<typeof newSend>>;

/** Messages of the same mailbox to further leads of the campaign, with the headers that hosts return of each. */
async function sentMore({ sendId, email }: Sent, count: number): Promise<string[]> {
  const { rows } = await sql<{ email_key: string; message_id: string }>`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
      message_id, subject, state, claimed_by, claimed_at, sent_at)
    select user_id, campaign_id, lead_id + n, 0, mailbox_id, 'client.test', 'p' || n || '@client.test',
      '<more.' || id || '.' || n || '@d.test>', subject, 'sent', claimed_by, claimed_at, sent_at
    from sends, generate_series(1, ${count}::int) as n where id = ${sendId}
    returning email_key, message_id`.execute(database.db);
  return rows.map(
    ({ email_key: lead, message_id: messageId }) =>
      `From: <${email}>\nTo: <${lead}>\nMessage-ID: ${messageId}`,
  );
}

const refused = (one: Sent, about: string, said: string) =>
  report(one.email, about, ['Status: 5.7.1', `Diagnostic-Code: smtp; ${said}`]);

const eventsOf = ({ userId }: Sent, type: 'email.rejected' | 'email.bounced' | 'sending.paused') =>
  database.db
    .selectFrom('events')
    .select('payload')
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .execute();

const BANNED = '550 5.7.606 Access denied, banned sending IP [192.0.2.1]';

describe('a report that the sender is not wanted', () => {
  it.each([
    [BANNED],
    ['550 5.7.511 Access denied, banned sender[192.0.2.1]. To request removal from this list'],
    [
      '550 5.7.1 Unfortunately, messages from [192.0.2.1] weren’t sent. Please contact your Internet service provider since part of their network is on our block list (S3150).',
    ],
    ['553 5.7.1 [BL21] Connections will not be accepted, because the ip is in Spamhaus’s list'],
    ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
  ])('ends the sequence, counts, and tells the words; nobody is suppressed: %s', async (said) => {
    const one = await newSend(database.db);
    await one.receive([refused(one, one.original, said)]);
    const { db } = database;
    const recipient = await db
      .selectFrom('recipients')
      .select(['status', 'hold_reason', 'due_at'])
      .where('lead_id', '=', one.leadId)
      .executeTakeFirstOrThrow();
    expect(recipient).toEqual({ status: 'failed', hold_reason: 'policy_rejection', due_at: null });
    const stats = (await readStats(db, [one.campaignId])).get(one.campaignId);
    expect(stats).toMatchObject({ rejected: 1, bounced: 0 });
    const told = await eventsOf(one, 'email.rejected');
    expect(told).toMatchObject([{ payload: { sendId: one.sendId, words: expect.any(String) } }]);
    expect((told[0]!.payload as { words: string }).words).toContain(said);
    expect(await eventsOf(one, 'email.bounced')).toEqual([]);
    const { rows } = await sql<{ status: string; entries: number; failing: string }>`
      select leads.status, mailboxes.failing_reason as failing,
        (select count(*)::int from suppressions where user_id = ${one.userId}) as entries
      from leads, mailboxes where leads.id = ${one.leadId} and mailboxes.id = ${one.mailboxId}`.execute(
      db,
    );
    // As in the talk: the mailbox rests for a while.
    expect(rows).toMatchObject([{ entries: 0, failing: 'sender_refused' }]);
    expect(rows[0]!.status).not.toBe('bounced');
  });

  it('pauses what they have in common past the share, with the words', async () => {
    const one = await newSend(database.db);
    const sent = [one.original, ...(await sentMore(one, 19))];
    await one.receive(sent.slice(0, 3).map((about) => refused(one, about, BANNED)));
    const paused = (await eventsOf(one, 'sending.paused')).map(({ payload }) => payload);
    const scopes = paused.map((payload) => (payload as { scope: string }).scope).toSorted();
    expect(scopes).toEqual(['domain', 'mailbox', 'server']);
    expect(paused[0]).toMatchObject({ rejected: 3, words: expect.stringContaining('5.7.606') });
  });
});
