/** A report of a bounce suppresses only whom it proves: by our envelope sender, or by the letter's identity. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { letter } from '../support/inbox-letter-text.ts';
import { newSend, report } from '../support/inbox-sends.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

type Sent = Awaited<ReturnType<typeof newSend>>;

const suppressions = async ({ userId }: Sent): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from suppressions where user_id = ${userId}`.execute(database.db);
  return rows[0]!.n;
};

const STATUS = ['Status: 5.1.1', 'Diagnostic-Code: smtp; 550 5.1.1 User unknown'];

const blaming = (address: string, to: string, about: string) =>
  report(to, about, STATUS).replace('nobody@elsewhere.test', address);

/** What it says of itself, the headers that it returns, and whom it blames if not the lead. */
const FORGED: [string, (sent: Sent) => string, string?][] = [
  ['names the lead and no letter', () => 'Subject: A question'],
  ['names a letter that nobody sent', () => 'Message-ID: <made.up@acme.test>'],
  [
    'returns our letter as one to somebody else',
    ({ messageId, email }) => `From: <${email}>\nTo: <boss@victim.test>\nMessage-ID: ${messageId}`,
    'boss@victim.test',
  ],
  [
    'returns a letter of somebody else under our Message-ID',
    ({ messageId, lead }) => `From: <x@stranger.test>\nTo: <${lead}>\nMessage-ID: ${messageId}`,
  ],
];

describe('a report of a bounce', () => {
  it.each(FORGED)('that %s suppresses nobody', async (_name, about, blamed) => {
    const one = await newSend(database.db);
    await one.receive([blaming(blamed ?? one.lead, one.email, about(one))]);
    expect((await one.messages())[0]).toMatchObject({ kind: 'bounce', send_id: null });
    expect((await one.send()).bounced_at).toBeNull();
    expect(await suppressions(one)).toBe(0);
  });

  it('in plain words that names the lead alone suppresses nobody', async () => {
    const one = await newSend(database.db);
    const text = `Your message to ${one.lead} could not be delivered: 550 5.1.1 User unknown`;
    const from = 'Mail Delivery System <MAILER-DAEMON@evil.test>';
    await one.receive([letter({ from, to: one.email, subject: 'Undelivered Mail', text })]);
    expect((await one.messages())[0]).toMatchObject({ kind: 'bounce', send_id: null });
    expect(await suppressions(one)).toBe(0);
  });

  it('that came to another mailbox than the one that had sent suppresses nobody', async () => {
    const { db } = database;
    const one = await newSend(db);
    const other = await newSend(db);
    await sql`update sends set user_id = ${other.userId} where id = ${one.sendId}`.execute(db);
    await other.receive([blaming(one.lead, other.email, one.original)]);
    expect((await one.send()).bounced_at).toBeNull();
  });

  it('that returns our letter to the lead is believed, also where it was forwarded', async () => {
    const one = await newSend(database.db);
    await one.receive([blaming('else@forwarded.test', one.email, one.original)]);
    expect((await one.send()).bounced_at).not.toBeNull();
    expect(await suppressions(one)).toBe(1);
  });
});
