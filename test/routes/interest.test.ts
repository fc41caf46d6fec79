/** What answers mean: judged on arrival, corrected by clients. Choice 114; docs/interest.md#what-each-means. */
import { describe, expect, it } from 'vitest';
import type { Interest } from '../../src/domain/inbox/interest/index.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend } from '../support/inbox/inbox-sends.ts';

const { api, database } = describeApi();

async function newAnswers() {
  const one = await newSend(database.db);
  const token = await api.jwt(one.userId);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token, ...(body && { body }) });
  const answer = (id: string, text: string) =>
    one.receive([
      rawMessage({ id, from: one.lead, text, headers: { 'In-Reply-To': one.messageId } }),
    ]);
  const listed = async (query = '') =>
    (await call('GET', `/v1/inbox?direction=inbound${query}`)).body.data.items as {
      id: number;
      thread_id: number;
      interest: Interest | null;
    }[];
  const events = (type: 'message.received' | 'message.interest_changed') =>
    database.db
      .selectFrom('events')
      .select('payload')
      .where('user_id', '=', one.userId)
      .where('type', '=', type)
      .orderBy('id')
      .execute();
  return { ...one, call, answer, listed, events };
}

describe('an answer that comes in', () => {
  it('is judged, and lists, messages, threads and the event show it', async () => {
    const { answer, listed, call, events } = await newAnswers();
    await answer(
      'one@client.test',
      'No thanks, we already have a supplier and are happy with them.',
    );
    const [item] = await listed('&interest=not_interested');
    expect(item).toMatchObject({ interest: 'not_interested' });
    expect(await listed('&interest=meeting')).toEqual([]);
    const whole = (await call('GET', `/v1/inbox/${item!.id}`)).body.data;
    expect(whole).toMatchObject({ interest: 'not_interested', interest_by: 'rules' });
    expect(whole.interest_confidence).toBeGreaterThan(0.5);
    const threads = async (interest: string) =>
      (await call('GET', `/v1/inbox/threads?interest=${interest}`)).body.data.items;
    expect(await threads('not_interested')).toMatchObject([
      { id: item!.thread_id, interest: 'not_interested' },
    ]);
    expect(await threads('interested')).toEqual([]);
    expect(await events('message.received')).toMatchObject([
      { payload: { interest: 'not_interested' } },
    ]);
  });

  it('means nothing where nobody is sure, and where no person wrote it', async () => {
    const { answer, listed, receive, lead, messageId } = await newAnswers();
    await answer('odd@client.test', 'Xyzzy plugh.');
    const headers = { 'In-Reply-To': messageId };
    await receive([rawMessage({ from: lead, subject: 'Out of office', headers })]);
    expect((await listed()).map(({ interest }) => interest)).toEqual([null, null]);
  });
});

describe('an answer that a person calls a reply', () => {
  /** Its headers say that a machine wrote it. */
  const doubtful = (one: Awaited<ReturnType<typeof newAnswers>>, id: string, text: string) =>
    rawMessage({
      id,
      from: one.lead,
      text,
      headers: { 'In-Reply-To': one.messageId, 'Auto-Submitted': 'auto-replied' },
    });

  it('is judged then, and told', async () => {
    const one = await newAnswers();
    await one.receive([doubtful(one, 'one@client.test', 'Please send more information.')]);
    const { id, interest } = (await one.listed())[0]!;
    expect(interest).toBeNull();
    await one.call('PATCH', `/v1/inbox/${id}`, { kind: 'reply' });
    expect(await one.listed()).toMatchObject([{ interest: 'interested' }]);
    await one.call('PATCH', `/v1/inbox/${id}`, { kind: 'reply' });
    expect(await one.events('message.interest_changed')).toMatchObject([
      {
        payload: { inboxId: id, interest: 'interested', interestBefore: null, interestBy: 'rules' },
      },
    ]);
  });

  it('means what was corrected for the same words', async () => {
    const one = await newAnswers();
    await one.answer('one@client.test', 'Please send more information.');
    const [first] = await one.listed();
    await one.call('PATCH', `/v1/inbox/${first!.id}`, { interest: 'not_now' });
    await one.receive([doubtful(one, 'two@client.test', 'please send more information')]);
    const { id } = (await one.listed()).find((each) => each.id !== first!.id)!;
    const decided = await one.call('PATCH', `/v1/inbox/${id}`, { kind: 'reply' });
    expect(decided.body.data).toMatchObject({ interest: 'not_now', interest_by: 'client' });
    expect(await one.events('message.interest_changed')).toMatchObject([
      {},
      { payload: { inboxId: id, interest: 'not_now', interestBy: 'client' } },
    ]);
  });

  it('means what the same request says, told once', async () => {
    const one = await newAnswers();
    await one.receive([doubtful(one, 'one@client.test', 'Please send more information.')]);
    const { id } = (await one.listed())[0]!;
    await one.call('PATCH', `/v1/inbox/${id}`, { kind: 'reply', interest: 'question' });
    expect(await one.events('message.interest_changed')).toMatchObject([
      { payload: { interest: 'question', interestBefore: null, interestBy: 'client' } },
    ]);
  });
});

describe('PATCH /v1/inbox/:id {interest}', () => {
  it('wins, is told once, and is remembered for the same words', async () => {
    const { answer, listed, call, events } = await newAnswers();
    await answer('one@client.test', 'No thanks.');
    const [first] = await listed();
    const correct = (interest: Interest | null) =>
      call('PATCH', `/v1/inbox/${first!.id}`, { interest });
    const corrected = await correct('not_now');
    expect(corrected.body.data).toMatchObject({
      interest: 'not_now',
      interest_by: 'client',
      interest_confidence: null,
    });
    await correct('not_now');
    expect(await events('message.interest_changed')).toMatchObject([
      {
        payload: {
          inboxId: first!.id,
          interest: 'not_now',
          interestBefore: 'not_interested',
          interestBy: 'client',
        },
      },
    ]);
    await answer('two@client.test', 'no  thanks!\n\n> How are you?');
    const [second] = await listed();
    expect(second).toMatchObject({ interest: 'not_now' });
    expect((await correct(null)).body.data).toMatchObject({
      interest: null,
      interest_by: 'client',
    });
    const kept = await database.db
      .selectFrom('interest_corrections')
      .select(['judged', 'judged_by', 'interest'])
      .where('message_id', '=', first!.id)
      .execute();
    expect(kept).toEqual([{ judged: 'not_interested', judged_by: 'rules', interest: null }]);
  });

  it.each([
    ['a sign', '👍', '👎'],
    ['a quote alone', '> Shall we talk?', ''],
    ['a file alone', '', '> Is it too late?'],
  ])('of %s is remembered for no other answer without words', async (_title, first, second) => {
    const { answer, listed, call } = await newAnswers();
    await answer('one@client.test', first);
    const { id } = (await listed())[0]!;
    const corrected = await call('PATCH', `/v1/inbox/${id}`, { interest: 'interested' });
    expect(corrected.body.data).toMatchObject({ interest: 'interested', interest_by: 'client' });
    await answer('two@client.test', second);
    const other = (await listed()).find((each) => each.id !== id)!;
    const whole = (await call('GET', `/v1/inbox/${other.id}`)).body.data;
    expect(whole).toMatchObject({ kind: 'reply', interest: null, interest_by: null });
    const same = (await call('GET', `/v1/inbox/${id}`)).body.data;
    expect(same).toMatchObject({ interest: 'interested', interest_by: 'client' });
  });

  it('is in the audit log', async () => {
    const { answer, listed, call } = await newAnswers();
    await answer('one@client.test', 'No thanks.');
    const { id } = (await listed())[0]!;
    await call('PATCH', `/v1/inbox/${id}`, { interest: 'not_now' });
    const { data: items } = (await call('GET', '/v1/audit-log?action=inbox.update')).body;
    expect(items).toMatchObject([{ after: { interest: 'not_now' } }]);
  });

  it('is 400 for what is no answer, 404 for a foreign message', async () => {
    const { receive, lead, listed, call, messageId } = await newAnswers();
    const headers = { 'In-Reply-To': messageId };
    await receive([rawMessage({ from: lead, subject: 'Out of office', headers })]);
    const { id } = (await listed())[0]!;
    const refused = await call('PATCH', `/v1/inbox/${id}`, { interest: 'meeting' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
    const other = await newAnswers();
    const foreign = await other.call('PATCH', `/v1/inbox/${id}`, { interest: 'meeting' });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'MESSAGE_NOT_FOUND' } });
  });
});
