/** Placement tests: a campaign's message goes to seed mailboxes, once each, and is looked for there. Choice 124. */
import { randomUUID } from 'node:crypto';
import { Context as ActivityContext } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  listPlacementMessages,
  recoverPlacementMessages,
  type PlacementMessage,
} from '../../src/db/placement/placement-messages.ts';
import { beginLooks, findPlacementTest } from '../../src/db/placement/placement-tests.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import { decideLate, findPlaces } from './find-messages.ts';
import { failUnsent, sendWaiting } from './send-messages.ts';
import type { TestTurn } from './test-turn.ts';

type Needs = TestTurn['context'];

export interface PlacementTurnInput {
  /** Shown to people who read the history. */
  operationId: number;
  testId: number;
  /** How many looks there were before. */
  looks: number;
  /** Multiplies the waits between looks. */
  retryPace: number;
}

/** `waitMs`: until the next turn. */
export interface PlacementTurn extends PageResult {
  waitMs: number;
}

/** Messages mostly land within seconds; providers take many logins for an attack. */
const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 60_000;
/** For one seed in one turn; a shorter test gives less. */
const MOST_SEED_MS = 45_000;
/** Kept for the last look, at the end of the time: enough for all seeds of a test, some at once, though each hangs. */
const MOST_LAST_MS = 90_000;

export const placementTestActivities = (context: Needs) => ({
  /**
   * Sends what waits, and looks for what was sent. Safe to repeat: what was begun by an attempt before is not sent
   * again, and may have arrived.
   */
  async takePlacementTurn(input: PlacementTurnInput): Promise<PlacementTurn> {
    const { testId, looks, retryPace } = input;
    const { db, clock, config } = context;
    const now = clock.now();
    const lookMs = config.PLACEMENT_LOOK_SECONDS * 1_000;
    const until = await beginLooks(db, testId, new Date(now.getTime() + lookMs));
    if (!until) return { state: 'over', isDone: false, progress: 'It is over', waitMs: 0 };
    const test = await findPlacementTest(db, testId);
    if (!test) throw ApplicationFailure.nonRetryable('The test is gone', 'NotFound');
    const { cancellationSignal: signal } = ActivityContext.current();
    const seedMs = Math.min(MOST_SEED_MS, lookMs / 10);
    const lastLookAt = lastLook(until, lookMs);
    const isLast = now >= lastLookAt;
    const endsAt = isLast ? endOfLast(until, { now, lookMs }) : lastLookAt;
    const claimedBy = randomUUID();
    const turn: TestTurn = { context, test, claimedBy, isLast, seedMs, endsAt, signal };
    await recoverPlacementMessages(db, testId, { exceptBy: claimedBy, to: 'waiting' });
    const isInTime = until.getTime() - now.getTime() > lookMs / 2;
    await (isInTime ? sendWaiting : failUnsent)(turn, await open(context, testId));
    await findPlaces(turn, await open(context, testId));
    if (isLast) await decideLate(turn, await open(context, testId));
    const messages = await listPlacementMessages(db, [testId]);
    const left = messages.filter(({ outcome }) => outcome === null).length;
    const waitMs = Math.min(FIRST_LOOK_MS * 2 ** looks, LONGEST_LOOK_MS) * retryPace;
    const leftMs = lastLookAt.getTime() - clock.now().getTime();
    return {
      state: 'active',
      isDone: left === 0,
      progress: `${messages.length - left} of ${messages.length} messages found`,
      waitMs: Math.max(100, Math.min(waitMs, leftMs)),
    };
  },
});

const lastMs = (lookMs: number) => Math.min(MOST_LAST_MS, lookMs / 5);

const lastLook = (until: Date, lookMs: number) => new Date(until.getTime() - lastMs(lookMs));

/** One that begins late, as after its worker has died, has a third of that time. */
const endOfLast = (until: Date, { now, lookMs }: { now: Date; lookMs: number }) =>
  new Date(Math.max(until.getTime(), now.getTime() + lastMs(lookMs) / 3));

/** The messages of which nothing is decided. */
const open = async ({ db }: Needs, testId: number): Promise<PlacementMessage[]> =>
  (await listPlacementMessages(db, [testId])).filter(({ outcome }) => outcome === null);
