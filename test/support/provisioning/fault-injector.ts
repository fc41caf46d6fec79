/** Makes one activity of one operation go wrong in a chosen way, through the product's own errors. */
import { activityInfo } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
import { asFailure } from '../../../activities/engine/failures.ts';
import type { Activities } from '../../../activities/index.ts';
import { ProviderError, type ProviderErrorKind } from '../../../src/domain/errors.ts';
import { untilEffect } from './vendor-deaths.ts';

export const FAULT_KINDS = [
  /** Fails twice in a way that heals alone, before it does anything. */
  'fails_twice',
  /** Its worker dies before it does anything. */
  'dies_before_call',
  /** Its worker dies after the vendor's effect, before any of that is recorded. */
  'dies_before_record',
  /** Its worker dies after its work, before anybody is told. */
  'dies_after_effect',
  /** A permanent refusal that only the client can cure. */
  'client_refusal',
  'operator_then_retry',
  'operator_then_compensate',
  'unknown_without_effect',
  'unknown_with_effect',
  /** A person cancels while it runs. */
  'cancelled',
  /** Nothing is wrong, but every activity of the operation runs twice in a row. */
  'all_twice',
] as const;
/** Faults for the short flows and the whole matrix only. */
export const MORE_FAULT_KINDS = [
  /** Fails in a way that usually heals alone, but not before a person is asked. */
  'fails_for_ever',
  'rate_limited',
  'slow',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number] | (typeof MORE_FAULT_KINDS)[number];

/** How an operation's undos are treated, so that each runs twice somewhere. */
export type UndoMode = 'once' | 'twice' | 'dies_after_effect';

export interface Plan {
  kind: FaultKind;
  /** The activity's readable id, such as `server_create.order`. */
  at: string;
  undo: UndoMode;
  /** Called, and awaited, while a `cancelled` activity runs. */
  onEnter?: () => Promise<void>;
  /** How often the fault hit. */
  hits: number;
  /** Ends the failures of `fails_for_ever`. */
  healed?: boolean;
}

/**
 * More attempts than any policy makes before it asks a person; an activity that never asks succeeds
 * then.
 */
const FOR_EVER = 60;
const SLOW_MS = 1_000;

/** Each case has clusters of its own: their numbers are no part of the place. */
export const placeOf = (activityId: string): string => activityId.replace(/_\d+$/, '');

// oxlint-disable-next-line typescript/no-explicit-any -- activities have any one argument
type Activity = (...input: any[]) => Promise<unknown>;

/** Plans are looked up by operation at each call. */
export function injectFaults(activities: Activities, plans: ReadonlyMap<number, Plan>): Activities {
  const wrapped = Object.entries<Activity>(activities).map(([name, activity]) => [
    name,
    (input?: { operationId?: number }) => {
      const plan = plans.get(input?.operationId ?? -1);
      const work = () => activity(input);
      if (!plan) return work();
      const { activityId } = activityInfo();
      if (activityId.endsWith('.undo')) return undo(plan.undo, work);
      if (plan.kind === 'all_twice') return twice(work);
      return placeOf(activityId) === placeOf(plan.at) ? strike(plan, work) : work();
    },
  ]);
  return Object.fromEntries(wrapped) as Activities;
}

async function strike(plan: Plan, work: () => Promise<unknown>): Promise<unknown> {
  plan.hits += 1;
  const isFirst = plan.hits === 1;
  switch (plan.kind) {
    case 'fails_twice':
      if (plan.hits <= 2) throw failure('unavailable');
      return work();
    case 'dies_after_effect':
      return isFirst ? dieAfter(work) : work();
    case 'client_refusal':
      if (isFirst) throw failure('rejected');
      return work();
    case 'operator_then_retry':
    case 'operator_then_compensate':
      if (isFirst) throw failure('auth');
      return work();
    case 'unknown_without_effect':
      if (isFirst) throw failure('outcome_unknown');
      return work();
    case 'unknown_with_effect': {
      const answer = await work();
      if (isFirst) throw failure('outcome_unknown');
      return answer;
    }
    case 'cancelled':
      if (isFirst) await plan.onEnter?.();
      return work();
    case 'fails_for_ever':
      if (!plan.healed && plan.hits <= FOR_EVER) throw failure('unavailable');
      return work();
    case 'rate_limited':
      if (isFirst) throw failure('rate_limited');
      return work();
    case 'slow':
      if (isFirst) await sleep(SLOW_MS);
      return work();
    case 'dies_before_call':
      return isFirst ? dieAfter(async () => undefined) : work();
    case 'dies_before_record': {
      if (!isFirst) return work();
      const { isDead, answer } = await untilEffect(work);
      return isDead ? dieAfter(async () => undefined) : answer;
    }
    case 'all_twice':
      return twice(work);
  }
}

async function undo(mode: UndoMode, work: () => Promise<unknown>): Promise<unknown> {
  if (mode === 'twice') return twice(work);
  if (mode === 'once' || activityInfo().attempt > 1) return work();
  await work();
  throw failure('unavailable');
}

async function twice(work: () => Promise<unknown>): Promise<unknown> {
  await work();
  return work();
}

/**
 * The work is done, but no heartbeat and no answer follows. Without heartbeats the answer is an error.
 */
async function dieAfter(work: () => Promise<unknown>): Promise<never> {
  await work();
  const { heartbeatTimeoutMs } = activityInfo();
  // Longer than the server waits: a later answer is ignored.
  if (heartbeatTimeoutMs) await sleep(heartbeatTimeoutMs * 2);
  throw failure('unavailable');
}

const failure = (kind: ProviderErrorKind) =>
  asFailure(
    new ProviderError(kind, `injected: ${kind}`, {
      provider: 'injected',
      operatorHint: 'Injected by a test.',
      ...(kind === 'rejected' && { clientCode: 'DOMAIN_REJECTED' }),
    }),
  );
