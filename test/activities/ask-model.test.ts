/** Answers of which the rules are not sure: a language model is asked, later and within bounds. Choices 118, 119. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { askDue, askModelFor } from '../../activities/inbox/ask-model.ts';
import type { AnswerJudge, ModelJudgement } from '../../src/providers/answer-judges/port.ts';
import { answerJudges } from '../../src/providers/answer-judges/index.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { leaveOldQuestions } from '../../src/db/inbox/interest-questions.ts';
import {
  judgeSettings,
  sandboxJudge,
  textsToldTo,
  type JudgeName,
} from '../support/inbox/answer-judges.ts';
import { MESSAGE } from '../support/campaigns/campaign-users.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend } from '../support/inbox/inbox-sends.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

const { api, database } = describeApi(() => ({
  environment: { ...judgeSettings('http://127.0.0.1:9').anthropic, INTEREST_MODEL: 'anthropic' },
}));
let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 4 });
});
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
  await sql`delete from interest_questions`.execute(database.db);
});
afterAll(() => sandbox.remove());

/** The rules are not sure of it, and the simulated model is. */
const UNSURE = 'Xyzzy. Plover. Plugh.';

interface Asked {
  name?: JudgeName;
  judge?: AnswerJudge;
  calls?: number;
  now?: Date | undefined;
}

function modelContext(
  { name = 'anthropic', judge, calls = 100, now }: Asked,
  logged: string[] = [],
) {
  const vendors = Object.fromEntries(
    Object.keys(answerJudges).map((one) => [one, { state: 'on' }]),
  );
  const config = {
    INTEREST_MODEL: name,
    INTEREST_MODEL_DAILY_CALLS: calls,
    RETRY_PACE: 1,
    DAY_SECONDS: 86_400,
    vendors: { answerJudges: vendors },
  };
  return {
    db: database.db,
    clock: { now: () => now ?? new Date() },
    config,
    logger: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
    answerJudges: { [name]: judge ?? sandboxJudge(sandbox, name, {}, 2_000) },
  } as never;
}

const round = (asked: Asked = {}) => askDue(modelContext(asked), new AbortController().signal);

/** The standing work of a worker, until it is stopped. */
function work(logged: string[], asked: Asked = {}) {
  const stop = new AbortController();
  const rests: number[] = [];
  const quietFor = (ms: number) => void rests.push(ms);
  const context = modelContext(asked, logged);
  const done = askModelFor(context, { forMs: 600_000, signal: stop.signal, quietFor });
  const end = () => {
    stop.abort();
    return done;
  };
  return { rests, end };
}

async function newAnswers() {
  const one = await newSend(database.db);
  const token = await api.jwt(one.userId);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token, ...(body && { body }) });
  const answer = (text: string, interestModel: string | undefined = 'anthropic') =>
    one.receive(
      [rawMessage({ from: one.lead, text, headers: { 'In-Reply-To': one.messageId } })],
      'inbox',
      interestModel === '' ? {} : { interestModel },
    );
  const shown = async () => {
    const { items } = (await call('GET', '/v1/inbox?direction=inbound')).body.data;
    return (await call('GET', `/v1/inbox/${items[0].id}`)).body.data;
  };
  const changes = async () =>
    (
      await database.db
        .selectFrom('events')
        .select('payload')
        .where('user_id', '=', one.userId)
        .where('type', '=', 'message.interest_changed')
        .orderBy('id')
        .execute()
    ).map(({ payload }) => payload);
  const questions = () =>
    database.db
      .selectFrom('interest_questions')
      .selectAll()
      .where('user_id', '=', one.userId)
      .orderBy('message_id')
      .execute();
  const makeDue = () =>
    sql`update interest_questions set due_at = now() - interval '1 second'
      where user_id = ${one.userId}`.execute(database.db);
  return { ...one, call, answer, shown, changes, questions, makeDue };
}

/** A model that the test leads. */
const judgeThat = (judge: (text: string) => Promise<ModelJudgement>): AnswerJudge => ({
  name: 'anthropic',
  judge,
});

describe('an answer of which the rules are not sure', () => {
  it.each(['anthropic', 'openai'] as const)('is judged by %s, and told later', async (name) => {
    const one = await newAnswers();
    await one.answer(`${UNSURE}\n\nKind regards\nAda\n\n> Our offer`, name);
    expect(await one.shown()).toMatchObject({ interest: null, interest_by: null });
    const { id } = await one.shown();
    expect(await round({ name })).toEqual({ answered: 1 });
    expect(await one.shown()).toMatchObject({
      interest: 'wrong_person',
      interest_by: 'model',
      interest_confidence: 0.95,
    });
    expect(await one.changes()).toMatchObject([
      { inboxId: id, interest: 'wrong_person', interestBefore: null, interestBy: 'model' },
    ]);
    expect((await textsToldTo(sandbox, name)).at(-1)).toBe(UNSURE);
    expect(await one.questions()).toEqual([]);
    expect(await round({ name })).toEqual({ answered: 0 });
  });

  it('is not sent for an account that wants none of it, those that wait included', async () => {
    const one = await newAnswers();
    const heard = (await textsToldTo(sandbox, 'anthropic')).length;
    await one.answer(UNSURE);
    expect(await one.questions()).toHaveLength(1);
    const off = { useLanguageModel: false };
    expect((await one.call('PATCH', '/v1/account', off)).body.data).toMatchObject(off);
    expect(await one.questions()).toEqual([]);
    await one.answer(`${UNSURE} Frotz.`);
    expect(await one.questions()).toEqual([]);
    // One that was claimed by a worker at the moment of the refusal.
    await sql`insert into interest_questions (message_id, user_id, due_at)
      select id, user_id, now() - interval '1 second' from messages where user_id = ${one.userId} and direction = 'inbound'`.execute(
      database.db,
    );
    expect((await round()).answered).toBeGreaterThan(0);
    expect(await textsToldTo(sandbox, 'anthropic')).toHaveLength(heard);
    expect(await one.questions()).toEqual([]);
    await one.call('PATCH', '/v1/account', { useLanguageModel: true });
    await one.answer(`${UNSURE} Frotz!`);
    expect(await one.questions()).toHaveLength(1);
  });

  it('lets its writer enter the campaign that starts on what the model says', async () => {
    const one = await newAnswers();
    const startsOn = { interest: ['wrong_person'], afterDays: 1 };
    const made = await one.call('POST', '/v1/campaigns', {
      ...MESSAGE,
      startsOn,
      assignedMailboxes: [one.mailboxId],
    });
    expect(made.status).toBe(201);
    // The answers of these tests come ten minutes ago.
    await sql`update campaigns set starts_since = now() - interval '1 hour'
      where id = ${made.body.data.id}`.execute(database.db);
    const pending = async () =>
      (await one.call('GET', `/v1/campaigns/${made.body.data.id}`)).body.data.stats.pendingStarts;
    await one.answer(UNSURE);
    expect(await pending()).toBe(0);
    await round();
    expect(await pending()).toBe(1);
  });

  it('is not asked about without a setting, nor where the rules are sure or a client was', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE, '');
    await one.answer('No thanks, we already have a supplier and are happy with them.');
    const { items } = (await one.call('GET', '/v1/inbox?direction=inbound')).body.data;
    await one.call('PATCH', `/v1/inbox/${items.at(-1).id}`, { interest: 'question' });
    await one.answer(UNSURE);
    expect(await one.questions()).toEqual([]);
  });

  it('stays without an interest where the model says none, and nobody is told', async () => {
    const one = await newAnswers();
    await one.answer('Xyzzy plugh.');
    await round();
    expect(await one.shown()).toMatchObject({ interest: null, interest_by: 'model' });
    expect(await one.changes()).toEqual([]);
  });

  it('is asked about where a person calls it a reply', async () => {
    const one = await newAnswers();
    const headers = { 'In-Reply-To': one.messageId, 'Auto-Submitted': 'auto-replied' };
    await one.receive([rawMessage({ from: one.lead, text: 'Hmm.', headers })], 'inbox', {
      interestModel: 'anthropic',
    });
    expect(await one.questions()).toEqual([]);
    const { id } = await one.shown();
    await one.call('PATCH', `/v1/inbox/${id}`, { kind: 'reply' });
    expect(await one.questions()).toMatchObject([{ message_id: id, tries: 0 }]);
  });
});

describe('a correction', () => {
  it('wins while the model is thinking, and the model changes nothing', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    const { id } = await one.shown();
    const judge = judgeThat(async () => {
      await one.call('PATCH', `/v1/inbox/${id}`, { interest: 'not_now' });
      return { interest: 'meeting', confidence: 0.95 };
    });
    await round({ judge });
    expect(await one.shown()).toMatchObject({ interest: 'not_now', interest_by: 'client' });
    expect(await one.changes()).toMatchObject([{ interest: 'not_now', interestBy: 'client' }]);
    expect(await one.questions()).toEqual([]);
  });

  it('of the same words elsewhere wins, before the call and during it', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    const { id: first } = await one.shown();
    await one.answer(`${UNSURE} `);
    const asked: string[] = [];
    const judge = judgeThat(async (text) => {
      asked.push(text);
      await one.call('PATCH', `/v1/inbox/${first}`, { interest: 'not_now' });
      return { interest: 'meeting', confidence: 0.95 };
    });
    await round({ judge });
    const { items } = (await one.call('GET', '/v1/inbox?direction=inbound')).body.data;
    expect(items.map((item: { interest: string }) => item.interest)).toEqual([
      'not_now',
      'not_now',
    ]);
    await one.answer(UNSURE);
    await sql`update messages set interest = null, interest_by = null where id = (
      select max(id) from messages where user_id = ${one.userId})`.execute(database.db);
    // Due a moment ago: the database's clock tells microseconds, and the round's milliseconds may be behind it.
    await sql`insert into interest_questions (message_id, user_id, due_at)
      select max(id), user_id, now() - interval '1 second' from messages
      where user_id = ${one.userId} group by 2`.execute(database.db);
    const calls = asked.length;
    await round({ judge });
    expect(asked).toHaveLength(calls);
    expect(await one.shown()).toMatchObject({ interest: 'not_now', interest_by: 'client' });
  });
});

describe('a process that dies', () => {
  it('between call and record asks again, and tells once', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    const dead = judgeThat(() => new Promise<never>(() => {}));
    void round({ judge: dead });
    await expect.poll(async () => (await one.questions())[0]!.due_at > new Date()).toBe(true);
    expect(await round()).toEqual({ answered: 0 });
    await one.makeDue();
    await round();
    expect(await one.changes()).toHaveLength(1);
  });

  it('and whose call ends after all, with another at work, tells once', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    let end = (_said: ModelJudgement): void => undefined;
    const late = judgeThat(() => new Promise((resolve) => (end = resolve)));
    const first = round({ judge: late });
    await expect.poll(async () => (await one.questions())[0]!.due_at > new Date()).toBe(true);
    await one.makeDue();
    await round();
    end({ interest: 'meeting', confidence: 0.95 });
    await first;
    expect(await one.shown()).toMatchObject({ interest: 'wrong_person' });
    expect(await one.changes()).toHaveLength(1);
  });

  it('a message that goes meanwhile takes its question along', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    const judge = judgeThat(async () => {
      await sql`delete from message_places where mailbox_id = ${one.mailboxId}`.execute(
        database.db,
      );
      await sql`delete from messages where user_id = ${one.userId}`.execute(database.db);
      return { interest: 'meeting', confidence: 0.95 };
    });
    expect(await round({ judge })).toEqual({ answered: 1 });
    expect(await one.questions()).toEqual([]);
    expect(await one.changes()).toEqual([]);
  });
});

describe('a vendor in trouble', () => {
  it.each([
    ['error_500', 'unavailable'],
    ['rate_limited', 'rate_limited'],
    ['auth', 'auth'],
    ['rejected', 'quota'],
  ])('(%s) is left alone, and the answer waits with the reason', async (kind, expected) => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    await sandbox.control('POST', '/faults', { vendor: 'anthropic', kind });
    expect(await round()).toMatchObject({ answered: 0, trouble: { kind: expected } });
    expect(await one.questions()).toMatchObject([
      { tries: 0, left_at: null, problem: expect.stringContaining(expected) },
    ]);
    await sandbox.control('DELETE', '/faults');
    await one.makeDue();
    await round();
    expect(await one.shown()).toMatchObject({ interest_by: 'model' });
  });

  it('is asked no more than the calls that were under way', async () => {
    const one = await newAnswers();
    for (const word of ['aa', 'bb', 'gg', 'dd', 'ee', 'ff']) await one.answer(`${UNSURE} ${word}`);
    await sandbox.control('POST', '/faults', { vendor: 'anthropic', kind: 'auth' });
    const calls = async () =>
      (
        await sql<{ calls: number }>`select calls from interest_model_calls
        where user_id = ${one.userId}`.execute(database.db)
      ).rows[0]!.calls;
    await round();
    expect(await calls()).toBeLessThanOrEqual(4);
    expect(await one.questions()).toHaveLength(6);
  });

  it('is given up after a day: the answer stays as the rules left it, and the row says why', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    await sandbox.control('POST', '/faults', { vendor: 'anthropic', kind: 'error_500' });
    await round();
    const now = new Date(Date.now() + 25 * 3_600_000);
    const hour = new Date(now.getTime() - 24 * 3_600_000);
    expect(await leaveOldQuestions(database.db, { askedBefore: hour, leftBefore: hour, now })).toBe(
      1,
    );
    expect(await one.questions()).toMatchObject([
      { left_at: expect.any(Date), problem: 'unavailable: overloaded_error' },
    ]);
    await sandbox.control('DELETE', '/faults');
    expect(await readOperatorNumbers(database.db)).toMatchObject({ interestsWaiting: 0 });
    expect(await round({ now })).toEqual({ answered: 0 });
    expect(await one.shown()).toMatchObject({ interest: null, interest_by: null });
  });
});

describe('a model without a verdict', () => {
  it('is asked three times, and the answer is left', async () => {
    const one = await newAnswers();
    await one.answer(`${UNSURE} [[withheld]]`);
    for (const tries of [1, 2]) {
      expect(await round()).toEqual({ answered: 1 });
      expect(await one.questions()).toMatchObject([{ tries, left_at: null }]);
      await one.makeDue();
    }
    await round();
    expect(await one.questions()).toMatchObject([
      { left_at: expect.any(Date), problem: 'rejected: refusal' },
    ]);
    await one.makeDue();
    expect(await round()).toEqual({ answered: 0 });
  });
});

describe('an answer of the vendor that nobody can read', () => {
  it('is taken for one about this answer, which is left after three; the others go on', async () => {
    const one = await newAnswers();
    await one.answer(`${UNSURE} [[broken]]`);
    await one.answer(UNSURE);
    expect(await round()).toEqual({ answered: 2 });
    expect(await one.shown()).toMatchObject({ interest_by: 'model' });
    for (const _again of [2, 3]) {
      await one.makeDue();
      await round();
    }
    expect(await one.questions()).toMatchObject([
      { left_at: expect.any(Date), problem: 'unavailable: unexpected_answer' },
    ]);
  });
});

describe('the calls of an account', () => {
  it('are so many a day, and the rest waits for the next one', async () => {
    const one = await newAnswers();
    const other = await newAnswers();
    for (const word of ['aa', 'bb', 'gg']) await one.answer(`${UNSURE} ${word}`);
    await other.answer(UNSURE);
    await round({ calls: 2 });
    const [left, ...none] = await one.questions();
    expect(none).toEqual([]);
    expect(left).toMatchObject({ problem: 'daily_limit', tries: 0 });
    const tomorrow = new Date(Date.parse(new Date().toISOString().slice(0, 10)) + 86_400_000);
    expect(left!.due_at).toEqual(tomorrow);
    expect(await readOperatorNumbers(database.db)).toMatchObject({
      interestsWaiting: 1,
      oldestInterestSeconds: 0,
      interestsLeft: 0,
    });
    expect(await other.questions()).toEqual([]);
    await round({ calls: 2, now: new Date(tomorrow.getTime() + 1_000) });
    expect(await one.questions()).toEqual([]);
  });
});

describe('the standing work', () => {
  it('asks by itself, and ends with its worker', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    const { end } = work([]);
    await expect.poll(async () => (await one.shown()).interest).toBe('wrong_person');
    await end();
  });

  it('ends while a call is under way, whose question the next worker finds due', async () => {
    const one = await newAnswers();
    await one.answer(UNSURE);
    await sandbox.control('POST', '/faults', {
      vendor: 'anthropic',
      kind: 'slow',
      delayMs: 60_000,
    });
    const judge = sandboxJudge(sandbox, 'anthropic', {}, 60_000);
    const { end } = work([], { judge });
    await expect.poll(async () => (await one.questions())[0]!.due_at > new Date()).toBe(true);
    await end();
    await sandbox.control('DELETE', '/faults');
    await round();
    expect(await one.shown()).toMatchObject({ interest_by: 'model' });
  });

  it.each(['auth', 'rejected'])(
    'rests long where no waiting helps (%s), and logs neither the answer nor a secret',
    async (kind) => {
      const one = await newAnswers();
      await one.answer(`${UNSURE} Secret plan.`);
      await sandbox.control('POST', '/faults', { vendor: 'anthropic', kind });
      const logged: string[] = [];
      const { rests, end } = work(logged);
      await expect.poll(() => rests).toEqual([900_000]);
      await end();
      expect(logged.join('')).toContain('operatorHint');
      expect(logged.join('')).not.toMatch(/[Ss]ecret plan|Plover|anthropic-sandbox-key/);
    },
  );
});
