/** A report of a bounce suppresses only whom it proves: by our envelope sender, or by the message's identity. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend, report } from '../support/inbox/inbox-sends.ts';

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
  ['names the lead and no message', () => 'Subject: A question'],
  ['names a message that nobody sent', () => 'Message-ID: <made.up@acme.test>'],
  [
    'returns our message as one to somebody else',
    ({ messageId, email }) => `From: <${email}>\nTo: <boss@victim.test>\nMessage-ID: ${messageId}`,
    'boss@victim.test',
  ],
  [
    'returns a message of somebody else under our Message-ID',
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
    await one.receive([rawMessage({ from, to: one.email, subject: 'Undelivered Mail', text })]);
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

  it('that returns our message to the lead is believed, also where it was forwarded', async () => {
    const one = await newSend(database.db);
    await one.receive([blaming('else@forwarded.test', one.email, one.original)]);
    expect((await one.send()).bounced_at).not.toBeNull();
    expect(await suppressions(one)).toBe(1);
  });
});

/** RFC 5965; `about` are headers of the message that is complained about. */
const complaint = (to: string, lead: string, about: string, fields: readonly string[] = []) =>
  rawMessage({
    from: 'fbl@provider.test',
    to,
    subject: 'FW: A question',
    headers: { 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=b' },
    text: [
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      `Original-Rcpt-To: <${lead}>`,
      ...fields,
      '',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      about,
      '--b--',
    ].join('\n'),
  });

const FORGED_COMPLAINTS: [string, (sent: Sent) => string][] = [
  ['names the lead and no message', ({ lead }) => `To: <${lead}>\nSubject: A question`],
  ['names a message that nobody sent', ({ lead }) => `To: <${lead}>\nMessage-ID: <made.up@x.test>`],
  [
    'names a message of somebody else under our Message-ID',
    ({ lead, messageId }) => `From: <x@stranger.test>\nTo: <${lead}>\nMessage-ID: ${messageId}`,
  ],
  [
    'guesses the envelope of our message',
    ({ email, sendId }) => `Return-Path: <${email.replace('@', `+b${sendId}-00000000@`)}>`,
  ],
];

const PROVEN_COMPLAINTS: [string, (sent: Sent) => string, ((sent: Sent) => string)?][] = [
  ['its Message-ID', ({ original }) => original],
  [
    'its Message-ID, its people made unknown',
    ({ messageId, email }) =>
      `From: <${email}>\nTo: <redacted@provider.test>\nMessage-ID: ${messageId}`,
  ],
  ['the envelope that it returns', ({ verp, sendId }) => `Return-Path: <${verp(sendId)}>`],
  [
    'the envelope that it names',
    () => 'Subject: A question',
    ({ verp, sendId }) => `Original-Mail-From: <${verp(sendId)}>`,
  ],
  [
    'the token of its link',
    ({ unsubscribeToken }) => `List-Unsubscribe: <https://mail.acme.test/u/${unsubscribeToken}>`,
  ],
  [
    'its links, of which one is at the name of the client',
    ({ email, unsubscribeToken, clientLink }) =>
      `List-Unsubscribe: <${clientLink}>,\n <mailto:${email}?subject=unsubscribe%20${unsubscribeToken}>`,
  ],
];

describe('a complaint', () => {
  it.each(FORGED_COMPLAINTS)(
    'that %s suppresses nobody, and a person sees it',
    async (_name, about) => {
      const one = await newSend(database.db);
      await one.receive([complaint(one.email, one.lead, about(one))]);
      expect((await one.messages())[0]).toMatchObject({ kind: 'needs_review', send_id: null });
      expect((await one.send()).complained_at).toBeNull();
      expect(await suppressions(one)).toBe(0);
    },
  );

  it.each(PROVEN_COMPLAINTS)(
    'that proves our message by %s is believed',
    async (_name, about, field) => {
      const one = await newSend(database.db);
      const fields = field ? [field(one)] : [];
      await one.receive([complaint(one.email, 'redacted@provider.test', about(one), fields)]);
      expect((await one.messages())[0]).toMatchObject({ kind: 'complaint', send_id: one.sendId });
      expect((await one.send()).complained_at).not.toBeNull();
      expect(await suppressions(one)).toBe(1);
    },
  );
});
