/** Who was written to is heard, whatever has become of their lead and its address. Choices 17, 133, 143. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followAddress } from '../../src/db/sending/changed-addresses.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend } from '../support/inbox/inbox-sends.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

type Sent = Awaited<ReturnType<typeof newSend>>;

/** Gives the lead another address. */
async function correct({ leadId }: Sent): Promise<string> {
  const email = `${randomUUID()}@new.example`;
  await database.db
    .updateTable('leads')
    .set({ email, email_key: email })
    .where('id', '=', leadId)
    .execute();
  return email;
}

/** Left out as a twin, corrected, and begun anew: the first message is no longer the lead's. */
async function beginAnew(one: Sent): Promise<string> {
  const { userId, campaignId, leadId } = one;
  await database.db
    .updateTable('recipients')
    .set({ status: 'skipped', hold_reason: 'duplicate_address', due_at: null })
    .where('campaign_id', '=', campaignId)
    .execute();
  const after = await correct(one);
  await database.db
    .transaction()
    .execute((trx) =>
      followAddress(trx, { userId, leadId, now: new Date() }, { before: one.lead, after }),
    );
  expect(await one.send()).toMatchObject({ lead_id: -one.sendId, former_lead_id: leadId });
  return after;
}

const recipientOf = ({ campaignId, leadId }: Sent) =>
  database.db
    .selectFrom('recipients')
    .select(['status', 'hold_reason'])
    .where('campaign_id', '=', campaignId)
    .where('lead_id', '=', leadId)
    .executeTakeFirstOrThrow();

const eventsOf = ({ userId }: Sent) =>
  database.db
    .selectFrom('events')
    .select(['type', 'resource', 'payload'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

const suppressedOf = async ({ userId }: Sent) =>
  (
    await database.db
      .selectFrom('suppressions')
      .select(['value', 'reason'])
      .where('user_id', '=', userId)
      .execute()
  ).map(({ value, reason }) => [value, reason]);

const forget = async ({ leadId }: Sent) => {
  await database.db.deleteFrom('recipients').where('lead_id', '=', leadId).execute();
  await database.db.deleteFrom('leads').where('id', '=', leadId).execute();
};

const ASKS = 'Please take me off your list.';

describe('a message to a lead that has begun anew at another address', () => {
  it.each(['replied', 'unsubscribed', 'complained', 'opened', 'clicked', 'auto_replied'] as const)(
    'is told with the id of that lead: %s',
    async (kind) => {
      const one = await newSend(database.db);
      await beginAnew(one);
      const outcome = {
        kind,
        at: new Date(),
        ...(kind === 'clicked' && { url: 'https://x.test' }),
      };
      await database.db
        .transaction()
        .execute((trx) => recordSendOutcome(trx, one.sendId, outcome as never));
      expect(await eventsOf(one)).toEqual([
        {
          type: `email.${kind}`,
          resource: `lead/${one.leadId}`,
          payload: expect.objectContaining({ leadId: one.leadId }),
        },
      ]);
    },
  );

  it('has an answer that is the lead’s', async () => {
    const one = await newSend(database.db);
    await beginAnew(one);
    await one.receive([
      rawMessage({
        from: one.lead,
        text: 'Yes, please send me your price list.',
        headers: { 'In-Reply-To': one.messageId },
      }),
    ]);
    expect(await one.messages()).toMatchObject([{ kind: 'reply', lead_id: one.leadId }]);
    const events = await eventsOf(one);
    expect(events.map(({ type }) => type).sort()).toEqual(['email.replied', 'message.received']);
    for (const { payload } of events) expect(payload).toMatchObject({ leadId: one.leadId });
  });

  it('holds the lead where its answer is in doubt', async () => {
    const one = await newSend(database.db);
    await beginAnew(one);
    await one.receive([
      rawMessage({
        from: one.lead,
        text: 'Hmm.',
        headers: { 'In-Reply-To': one.messageId, Precedence: 'bulk' },
      }),
    ]);
    expect(await one.messages()).toMatchObject([{ kind: 'needs_review', lead_id: one.leadId }]);
    expect(await recipientOf(one)).toEqual({ status: 'queued', hold_reason: 'needs_review' });
  });

  it('is nobody’s where it has come back', async () => {
    const one = await newSend(database.db);
    await beginAnew(one);
    await database.db
      .updateTable('sends')
      .set({ bounced_at: new Date() })
      .where('id', '=', one.sendId)
      .execute();
    await one.receive([
      rawMessage({ from: one.lead, text: 'Hmm.', headers: { 'In-Reply-To': one.messageId } }),
    ]);
    expect(await one.messages()).toMatchObject([{ send_id: one.sendId, lead_id: null }]);
  });
});

describe('somebody who writes without naming our message', () => {
  it('gets no more when their lead was deleted', async () => {
    const one = await newSend(database.db);
    await forget(one);
    await one.receive([rawMessage({ from: one.lead, subject: 'Your mail', text: ASKS })]);
    expect(await one.messages()).toMatchObject([
      { kind: 'unsubscribe_request', send_id: one.sendId, lead_id: null },
    ]);
    expect(await suppressedOf(one)).toEqual([[one.lead, 'unsubscribe']]);
    const told = (await eventsOf(one)).map(({ type }) => type);
    expect(told).toContain('email.unsubscribed');
  });

  it('gets no more when their lead was deleted and imported again', async () => {
    const one = await newSend(database.db);
    await forget(one);
    const { id } = await database.db
      .insertInto('leads')
      .values({
        user_id: one.userId,
        first_name: 'Ada',
        last_name: 'Li',
        name_key: 'ada li',
        email: one.lead,
        email_key: one.lead,
        provenance: '{}',
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await one.receive([rawMessage({ from: one.lead, subject: 'Your mail', text: ASKS })]);
    expect(await suppressedOf(one)).toEqual([[one.lead, 'unsubscribe']]);
    const { status } = await database.db
      .selectFrom('leads')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('unsubscribed');
  });

  it.each([
    ['goes on where it stood', correct],
    ['has begun anew', beginAnew],
  ])('is heard at the address that their lead had before: it %s', async (_name, change) => {
    const one = await newSend(database.db);
    await change(one);
    await one.receive([
      rawMessage({ from: one.lead, subject: 'Your mail', text: 'Yes, tell me what it costs.' }),
    ]);
    expect(await one.messages()).toMatchObject([
      { kind: 'reply', send_id: one.sendId, lead_id: one.leadId },
    ]);
    expect(await recipientOf(one)).toMatchObject({ status: 'replied' });
  });

  it.each([
    ['goes on where it stood', correct],
    ['has begun anew', beginAnew],
  ])('is heard at the address that their lead has by now: it %s', async (_name, change) => {
    const one = await newSend(database.db);
    const from = await change(one);
    await one.receive([
      rawMessage({ from, subject: 'Your mail', text: 'Yes, tell me what it costs.' }),
    ]);
    expect(await one.messages()).toMatchObject([{ kind: 'reply', lead_id: one.leadId }]);
    expect(await recipientOf(one)).toMatchObject({ status: 'replied' });
  });

  it.each([
    ['goes on where it stood', correct],
    ['has begun anew', beginAnew],
  ])('gets no more at the address that they ask from: it %s', async (_name, change) => {
    const one = await newSend(database.db);
    const from = await change(one);
    await one.receive([rawMessage({ from, subject: 'Your mail', text: ASKS })]);
    const reasons = new Map((await suppressedOf(one)).map(([value, reason]) => [value, reason]));
    expect(Object.fromEntries(reasons)).toEqual({
      [from]: 'unsubscribe',
      [one.lead]: 'unsubscribe',
    });
    const { status } = await database.db
      .selectFrom('leads')
      .select('status')
      .where('id', '=', one.leadId)
      .executeTakeFirstOrThrow();
    expect(status).toBe('unsubscribed');
  });

  it('gets no more at the address that they answer from, and a stranger with their message is no such', async () => {
    const [one, other] = [await newSend(database.db), await newSend(database.db)];
    const answer = (from: string, { messageId }: Sent) =>
      rawMessage({ from, text: ASKS, headers: { 'In-Reply-To': messageId } });
    const from = await correct(one);
    await one.receive([answer(from, one)]);
    await other.receive([answer('colleague@else.example', other)]);
    expect(new Map((await suppressedOf(one)) as [string, string][])).toEqual(
      new Map([
        [one.lead, 'unsubscribe'],
        [from, 'unsubscribe'],
      ]),
    );
    expect(await suppressedOf(other)).toEqual([[other.lead, 'unsubscribe']]);
  });

  it('is heard also where another message has left since, before the inbox was read', async () => {
    const one = await newSend(database.db);
    await sql`insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
        message_id, state, claimed_by, claimed_at, sent_at)
      select user_id, campaign_id, lead_id, step + 1, mailbox_id, recipient_domain, email_key,
        '<later@x.test>', 'sent', claimed_by, claimed_at, now() + interval '1 hour' from sends where id = ${one.sendId}`.execute(
      database.db,
    );
    await one.receive([rawMessage({ from: one.lead, subject: 'Your mail', text: ASKS })]);
    expect(await one.messages()).toMatchObject([
      { kind: 'unsubscribe_request', send_id: one.sendId },
    ]);
    expect(await suppressedOf(one)).toEqual([[one.lead, 'unsubscribe']]);
  });

  it('is a stranger to a mailbox that has not written to them', async () => {
    const one = await newSend(database.db);
    const other = await newSend(database.db);
    await other.receive([rawMessage({ from: one.lead, text: ASKS })]);
    expect(await other.messages()).toMatchObject([{ send_id: null }]);
    expect(await suppressedOf(one)).toEqual([]);
  });
});
