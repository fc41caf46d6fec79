/** One question to a language model: what may leave is sent, and what it says is recorded once. Choice 118. */
import type { Context } from '../../src/context.ts';
import {
  endQuestion,
  leaveQuestion,
  putOffQuestion,
  putOffQuestionsOf,
  readQuestion,
  takeModelCall,
  type InterestQuestion,
} from '../../src/db/inbox/interest-questions.ts';
import { listCorrections, wordsKey } from '../../src/db/inbox/interests.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { textForModel } from '../../src/domain/inbox/interest/text-for-model.ts';
import type { AnswerJudge, ModelJudgement } from '../../src/providers/answer-judges/port.ts';
import { recordModelJudgement } from '../../src/transactions/inbox/record-model-judgement.ts';

export type ModelContext = Pick<Context, 'db' | 'clock' | 'config' | 'logger' | 'answerJudges'>;

/** A model that gives no verdict on an answer gives none the third time either. */
const MAX_TRIES = 3;
const AGAIN_MS = 60_000;

interface Asking {
  question: InterestQuestion;
  judge: AnswerJudge;
  signal: AbortSignal;
}

/** Returns the error by which the vendor answers nobody, of whom nothing more is to be asked now. */
export async function askAbout(
  context: ModelContext,
  { question, judge, signal }: Asking,
): Promise<ProviderError | undefined> {
  const text = await textOf(context, question);
  if (text === undefined) return undefined;
  if (!(await isWithinLimit(context, question))) return undefined;
  let said: ModelJudgement;
  try {
    said = await judge.judge(text, signal);
  } catch (error) {
    return signal.aborted ? endEarly(context, question) : noteFailure(context, question, error);
  }
  await recordModelJudgement(context.db, question, { ...said, ...whenOf(context) });
  return undefined;
}

const whenOf = ({ clock, config }: ModelContext) => ({
  at: clock.now(),
  daySeconds: config.DAY_SECONDS,
});

/** Undefined where there is nothing to ask: the question ends. */
async function textOf(
  context: ModelContext,
  question: InterestQuestion,
): Promise<string | undefined> {
  const { db } = context;
  const { messageId, userId } = question;
  const message = await readQuestion(db, messageId);
  const isOpen = message?.kind === 'reply' && message.by === null && message.isAllowed;
  const text = isOpen ? textForModel(message) : '';
  if (!isOpen || text === '') {
    await endQuestion(db, messageId);
    return undefined;
  }
  const corrected = await listCorrections(db, userId, [wordsKey(message.text)]);
  if (corrected.size === 0) return text;
  // The record looks for the correction itself, under the lock.
  const nothing = { interest: null, confidence: 0 };
  await recordModelJudgement(db, question, { ...nothing, ...whenOf(context) });
  return undefined;
}

/** Counted before the call: one whose answer is lost was paid, too. */
async function isWithinLimit(
  { db, clock, config }: ModelContext,
  { userId }: InterestQuestion,
): Promise<boolean> {
  const now = clock.now();
  const day = now.toISOString().slice(0, 10);
  const limit = config.INTEREST_MODEL_DAILY_CALLS;
  if (await takeModelCall(db, { userId, day, limit })) return true;
  const dueAt = new Date(Date.parse(day) + DAY_MS);
  await putOffQuestionsOf(db, userId, { dueAt, problem: 'daily_limit' });
  return false;
}

/** `quota: insufficient_quota`: the kind, and the vendor's word. */
export const problemOf = ({ kind, facts }: ProviderError): string =>
  facts.providerCode === undefined ? kind : `${kind}: ${facts.providerCode.slice(0, 100)}`;

/** The worker stops: whoever comes next asks. */
async function endEarly(
  { db, clock }: ModelContext,
  { messageId }: InterestQuestion,
): Promise<undefined> {
  await putOffQuestion(db, messageId, { dueAt: clock.now(), problem: null, isTry: false });
}

/** What concerns this answer alone is tried again a few times, what concerns the vendor for as long as it takes. */
async function noteFailure(
  { db, clock, logger }: ModelContext,
  { messageId, tries }: InterestQuestion,
  error: unknown,
): Promise<ProviderError | undefined> {
  const now = clock.now();
  const known = error instanceof ProviderError ? error : undefined;
  const problem = known ? problemOf(known) : 'unexpected';
  const isOwn = known === undefined || known.kind === 'rejected' || isUnreadable(known);
  if (isOwn) logger.warn({ err: known ? undefined : error, messageId, problem }, NO_VERDICT);
  if (isOwn && tries + 1 >= MAX_TRIES) {
    await leaveQuestion(db, messageId, { problem, now });
    return undefined;
  }
  // Later than the others: one answer that always fails is not what they wait for.
  const dueAt = new Date(now.getTime() + AGAIN_MS);
  await putOffQuestion(db, messageId, { dueAt, problem, isTry: isOwn });
  return isOwn ? undefined : known;
}

const NO_VERDICT = 'a model gave no verdict on an answer';

const isUnreadable = ({ facts }: ProviderError): boolean =>
  facts.providerCode === 'unexpected_answer';
