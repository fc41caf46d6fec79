/** What a sending session works with: everything that a simulation replaces. */
import { randomUUID } from 'node:crypto';
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { createMessageBudget, MESSAGE_BUDGET_BYTES, type MessageBudget } from './message-budget.ts';

export type CampaignContext = Pick<
  Context,
  'db' | 'config' | 'clock' | 'cipher' | 'mailTransport' | 'recipientLinks' | 'dns' | 'logger'
>;

export interface SessionTools extends CampaignContext {
  /** Id of this attempt (uuid): a later attempt finds by it what this one left. */
  attempt: string;
  /** Fires when the session has to end; messages in their SMTP dialogue are finished. */
  signal: AbortSignal;
  /** Messages that are claimed but not begun are given back when the signal fires: another worker waits for them. */
  endsAtOnce?: boolean;
  /** Fires when the session hangs and is left: what it shares with others is given back without its end. */
  left?: AbortSignal;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Shared by all sessions of the worker. */
  messageBudget: MessageBudget;
  /** In [0, 1): jitter. */
  chance(): number;
}

/** What all sessions of a process share: the memory for messages, real time and chance. */
export const processTools: Pick<SessionTools, 'sleep' | 'messageBudget' | 'chance'> = {
  sleep: waitFor,
  messageBudget: createMessageBudget(MESSAGE_BUDGET_BYTES),
  chance: Math.random,
};

/** Without the errors of `timers/promises`, which nobody reads: each message that ends ends a wait. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** The tools of a session that runs as an activity. */
export const activityTools = (context: CampaignContext): SessionTools => ({
  ...context,
  ...processTools,
  attempt: randomUUID(),
  signal: ActivityContext.current().cancellationSignal,
});
