/** Warm-up: letters between partners, round by round. */
import { Context as ActivityContext } from '@temporalio/activity';
import { randomUUID } from 'node:crypto';
import type { RoundResult } from '../../src/domain/operations/jobs.ts';
import { runWarmupRound, type WarmupContext } from './round.ts';

export const warmupActivities = (context: WarmupContext) => ({
  /** Writes to partners and tends their letters, for a day at most. Safe to repeat. */
  async warmUpRound(round: { mailboxId: number; operationId: number }): Promise<RoundResult> {
    const { cancellationSignal: signal } = ActivityContext.current();
    return runWarmupRound({ ...round, context, signal, claimedBy: randomUUID() });
  },
});
