/** Two attempts to send one message of a person, both at work: neither writes over what the other has begun. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outgoingMessageActivities } from '../../activities/sending/outgoing-messages.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { compose } from '../../src/providers/mail-transport/mime.ts';
import type { MailTransport, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMessage, openMailbox } from '../support/inbox/inbox-messages.ts';

let database: TestDatabase;
let api: TestApi;
const userId = 'slow-writer';
let mailboxId: number;
let token: string;
beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database, context: { startOperation: async () => false } });
  token = await api.jwt(userId);
  await api.call('GET', '/v1/inbox', { token });
  ({ mailboxId } = await openMailbox(api.context, userId));
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** How often the host has taken the text. */
let taken = 0;
beforeEach(() => void (taken = 0));

async function newMessage(): Promise<number> {
  const from = 'ada@client.test';
  const { id } = await addMessage(database.db, { userId, mailboxId, from, subject: 'Your offer' });
  const path = `/v1/inbox/${id}/reply`;
  const { body } = await api.call('POST', path, { token, body: { body: 'Yes, gladly.' } });
  const row = await database.db
    .selectFrom('outgoing_letters')
    .select('id')
    .where('message_id', '=', body.data.id)
    .executeTakeFirstOrThrow();
  return row.id;
}

const stateOf = async (id: number) =>
  (
    await database.db
      .selectFrom('outgoing_letters')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state;

/** An attempt whose host does this with the message; what it throws is its answer. */
function attempt(outgoingId: number, send: SubmissionSession['send']) {
  const session: SubmissionSession = { send, isUsable: () => true, close: () => undefined };
  const mailTransport = { compose, openSubmission: async () => session };
  const activities = outgoingMessageActivities({
    ...api.context,
    mailTransport: mailTransport as Partial<MailTransport> as MailTransport,
  });
  return activities.sendOutgoingLetter({ outgoingId }).catch((error: unknown) => error);
}

/** Takes the text once `until` is over, and answers only then. */
const slow =
  (begun: () => void, until: Promise<unknown>): SubmissionSession['send'] =>
  async (_mail, beforeText) => {
    await beforeText();
    taken += 1;
    begun();
    await until;
    return { reply: '250 ok', refused: [] };
  };

const says = (kind: ProviderError['kind'], reply: string): SubmissionSession['send'] => {
  return async () => {
    throw new ProviderError(kind, reply, { provider: 'mail', reply });
  };
};

/** One attempt sleeps before its text; meanwhile another one is in the middle of it. */
async function meanwhile(first: SubmissionSession['send']) {
  const outgoingId = await newMessage();
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let fallAsleep = () => {};
  const isAsleep = new Promise<void>((resolve) => (fallAsleep = resolve));
  const sleeper = attempt(outgoingId, async (mail, beforeText) => {
    fallAsleep();
    await asleep;
    return first(mail, beforeText);
  });
  // It has read the message as queued before the other one begins.
  await isAsleep;
  const begun = new Promise<void>((resolve) => {
    const beginning = attempt(outgoingId, slow(resolve, answered));
    answered.then(() => beginning).catch(() => undefined);
  });
  await begun;
  wake();
  await sleeper;
  return { outgoingId, answer };
}

describe('while one attempt is in the middle of the text', () => {
  it.each([
    ['is put off before its own', 'unavailable', '421 4.3.2 Try again later'],
    ['is refused before its own', 'rejected', '550 5.1.1 Unknown user'],
  ] as const)('the message stays in delivery where another one %s', async (_, kind, reply) => {
    const { outgoingId, answer } = await meanwhile(says(kind, reply));
    expect(await stateOf(outgoingId)).toBe('sending');
    // The process of the one at work dies here; a third attempt sends nothing.
    await attempt(
      outgoingId,
      slow(() => {}, Promise.resolve()),
    );
    expect([await stateOf(outgoingId), taken]).toEqual(['uncertain', 1]);
    answer();
  });

  it('its own result is written', async () => {
    const { outgoingId, answer } = await meanwhile(
      says('unavailable', '421 4.3.2 Try again later'),
    );
    answer();
    await expect.poll(() => stateOf(outgoingId)).toBe('sent');
    expect(taken).toBe(1);
  });
});

it('an attempt that was put off in the middle of the text is made again', async () => {
  const outgoingId = await newMessage();
  await attempt(outgoingId, async (_mail, beforeText) => {
    await beforeText();
    throw new ProviderError('unavailable', '451', { provider: 'mail', reply: '451 4.3.0 Later' });
  });
  expect(await stateOf(outgoingId)).toBe('queued');
  await attempt(
    outgoingId,
    slow(() => {}, Promise.resolve()),
  );
  expect([await stateOf(outgoingId), taken]).toEqual(['sent', 1]);
});
