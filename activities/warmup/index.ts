/** Warm-up: messages between partners, session by session. */
import { Context as ActivityContext } from '@temporalio/activity';
import { randomUUID } from 'node:crypto';
import type { SessionResult } from '../../src/domain/operations/jobs.ts';
import { runWarmupSession } from './warmup-session.ts';
import type { WarmupContext } from './warmup-mailbox.ts';

export const warmupActivities = (context: WarmupContext) => ({
  /**
   * A session: writes to partners and handles their messages, for a day at most. Safe to repeat. Recorded
   * histories have it under this name.
   */
  async warmUpRound(warmupSession: {
    mailboxId: number;
    operationId: number;
  }): Promise<SessionResult> {
    const { cancellationSignal: signal } = ActivityContext.current();
    return runWarmupSession({ ...warmupSession, context, signal, claimedBy: randomUUID() });
  },
});
