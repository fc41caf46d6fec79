/** Warm-up: messages between partners, round by round. */
import { Context as ActivityContext } from '@temporalio/activity';
import { randomUUID } from 'node:crypto';
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import { runWarmupSession, type WarmupContext } from './warmup-session.ts';

export const warmupActivities = (context: WarmupContext) => ({
  /** Writes to partners and tends their messages, for a day at most. Safe to repeat. */
  async warmUpRound(warmupSession: {
    mailboxId: number;
    operationId: number;
  }): Promise<SessionResult> {
    const { cancellationSignal: signal } = ActivityContext.current();
    return runWarmupSession({ ...warmupSession, context, signal, claimedBy: randomUUID() });
  },
});
