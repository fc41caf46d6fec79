/**
 * Asks a language model what answers mean of which the rules are not sure: standing work of one worker, beside
 * and after the storing of mail. Choices 118 and 119; docs/interest.md#a-language-model.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import {
  claimQuestions,
  leaveOldQuestions,
  putOffQuestion,
  type InterestQuestion,
} from '../../src/db/inbox/interest-questions.ts';
import { activitiesPerSecond, type VendorLimit } from '../../src/domain/accounts/vendor-limits.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import type { ProviderError } from '../../src/domain/errors.ts';
import type { AnswerJudge } from '../../src/providers/answer-judges/port.ts';
import { askAbout, problemOf, type ModelContext } from './ask-about-answer.ts';

/** Between two looks for answers that wait. */
const LOOK_MS = 3_000;
/** How long an answer is asked about; then it stays as the rules have left it. */
const PATIENCE_MS = DAY_MS;
/** How long the row of one that was left says why. */
const LEFT_MS = 7 * DAY_MS;
/** Of one look: asked within the claim, time-outs included. */
const CLAIMED = 8;
const CALLS_AT_ONCE = 4;
const CLAIM_MS = 180_000;
/** How long a vendor is left alone that answers nobody: the first time, and at most. */
const REST_MS = 30_000;
const MAX_REST_MS = 900_000;

/** Looks again and again, for `forMs`. Vendor's troubles are waited out, and say so in the log once per rest. */
export async function askModelFor(
  context: ModelContext,
  {
    forMs,
    signal,
    quietFor,
  }: { forMs: number; signal: AbortSignal; quietFor: (ms: number) => void },
): Promise<void> {
  const endsAt = Date.now() + forMs;
  let failuresInARow = 0;
  while (!signal.aborted && Date.now() < endsAt) {
    const now = context.clock.now().getTime();
    await leaveOldQuestions(context.db, {
      askedBefore: new Date(now - PATIENCE_MS),
      leftBefore: new Date(now - LEFT_MS),
      now: new Date(now),
    });
    const { trouble, answered } = await askDue(context, signal);
    failuresInARow = trouble ? (answered > 0 ? 1 : failuresInARow + 1) : 0;
    const restMs = trouble ? restAfter(trouble, failuresInARow) : LOOK_MS;
    if (trouble) noteTrouble(context, trouble, restMs);
    quietFor(restMs);
    await sleep(restMs, undefined, { signal }).catch(() => undefined);
  }
}

export interface Round {
  /** Questions that ended, or that wait for their own sake. */
  answered: number;
  /** The error by which the vendor answers nobody. */
  trouble?: ProviderError | undefined;
}

/** Asks about what is due, in portions, until nothing is or the vendor answers nobody. */
export async function askDue(context: ModelContext, signal: AbortSignal): Promise<Round> {
  const round: Round = { answered: 0 };
  const asked = modelOf(context);
  if (!asked) return round;
  const { db, clock } = context;
  const queue = pacedQueue(asked.limit, context.config.RETRY_PACE);
  while (!signal.aborted && !round.trouble) {
    const now = clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const questions = await claimQuestions(db, { now, until, limit: CLAIMED });
    if (questions.length === 0) break;
    const ask = (question: InterestQuestion) =>
      askUnlessTrouble(context, { question, judge: asked.judge, signal, round });
    await Promise.all(questions.map((question) => queue.add(() => ask(question))));
  }
  return round;
}

interface Asking {
  question: InterestQuestion;
  judge: AnswerJudge;
  signal: AbortSignal;
  round: Round;
}

/** A vendor that answers nobody is asked nothing more; what was not asked is due at once. */
async function askUnlessTrouble(
  context: ModelContext,
  { question, judge, signal, round }: Asking,
): Promise<void> {
  if (round.trouble || signal.aborted) {
    const problem = round.trouble ? problemOf(round.trouble) : null;
    const later = { dueAt: context.clock.now(), problem, isTry: false };
    await putOffQuestion(context.db, question.messageId, later);
    return;
  }
  const trouble = await askAbout(context, { question, judge, signal });
  if (trouble) round.trouble = trouble;
  else round.answered += 1;
}

interface Asked {
  judge: AnswerJudge;
  limit: VendorLimit | undefined;
}

function modelOf({ config, answerJudges }: ModelContext): Asked | undefined {
  const { INTEREST_MODEL: name } = config;
  const judge = name === undefined ? undefined : answerJudges[name];
  if (!judge) return undefined;
  const states: Readonly<Record<string, { state: string; limit?: VendorLimit }>> =
    config.vendors.answerJudges;
  return { judge, limit: states[judge.name]?.limit };
}

/** One worker asks for all, so its pace is the installation's. `RETRY_PACE` is 1 but in development. */
function pacedQueue(limit: VendorLimit | undefined, pace: number): PQueue {
  if (!limit) return new PQueue({ concurrency: CALLS_AT_ONCE });
  const interval = Math.ceil((1_000 * pace) / activitiesPerSecond(limit));
  return new PQueue({ concurrency: CALLS_AT_ONCE, interval, intervalCap: 1 });
}

/** What no waiting cures is left alone for longest; a rate limit says itself when it ends. */
function restAfter({ kind, facts }: ProviderError, failuresInARow: number): number {
  if (kind === 'auth' || kind === 'quota') return MAX_REST_MS;
  const doubled = REST_MS * 2 ** Math.min(failuresInARow - 1, 5);
  if (kind === 'rate_limited') return Math.max(facts.retryAfterMs ?? 0, LOOK_MS);
  return Math.min(MAX_REST_MS, doubled);
}

function noteTrouble({ logger }: ModelContext, trouble: ProviderError, restMs: number): void {
  const { kind, facts } = trouble;
  const { provider, providerCode, requestId, operatorHint } = facts;
  logger.warn(
    { kind, provider, providerCode, requestId, operatorHint, restMs },
    'the model that judges answers is left alone for a while',
  );
}
