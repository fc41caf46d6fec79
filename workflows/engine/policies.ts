/** Retry policies by risk, one profile per kind of activity. docs/workflow-rules.md#retry-policies. */
import type { ActivityOptions } from '@temporalio/workflow';
import type { Pace } from '../../src/domain/operations/operations.ts';
import {
  ACTIVITY_QUEUE,
  MAIL_QUEUE,
  WEBHOOK_QUEUE,
  WORKFLOW_QUEUE,
} from '../../src/domain/operations/queues.ts';

/** A minute, in milliseconds. */
const MINUTE = 60_000;

/** Heartbeats of pages are rarer: each is a billed action. */
const PAGE_HEARTBEATS = 3;

/** The profiles at a given pace; every time below is in milliseconds at pace 1. */
export function policies(pace: Pace) {
  const paced = (ms: number) => Math.max(50, Math.round(ms * pace.retryPace));
  const heartbeatTimeout = pace.heartbeatSeconds * 1_000;
  const common = {
    taskQueue: ACTIVITY_QUEUE,
    // An undo must not run beside the work that it undoes: a cancel waits until that has ended.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  } as const;
  const waitFor = (pollMs: number, limitMs: number): ActivityOptions => ({
    ...common,
    startToCloseTimeout: 2 * MINUTE,
    scheduleToCloseTimeout: limitMs,
    heartbeatTimeout,
    retry: { initialInterval: paced(pollMs), backoffCoefficient: 1 },
  });
  const session = {
    ...common,
    startToCloseTimeout: 5 * 60 * MINUTE,
    heartbeatTimeout: heartbeatTimeout * PAGE_HEARTBEATS,
    retry: { initialInterval: paced(1_000), maximumInterval: paced(MINUTE) },
  };
  return {
    /**
     * Own Postgres, idempotent: retried for ever. On the workflow's own queue, which has no rate limit:
     * the server hands them to the worker that asked, without another poll.
     */
    dbWrite: {
      ...common,
      taskQueue: WORKFLOW_QUEUE,
      startToCloseTimeout: 10_000,
      retry: { initialInterval: paced(1_000), maximumInterval: paced(30_000) },
    },
    /** Reads: harmless to repeat. */
    remoteRead: {
      ...common,
      startToCloseTimeout: MINUTE,
      heartbeatTimeout,
      retry: {
        initialInterval: paced(1_000),
        maximumInterval: paced(MINUTE),
        maximumAttempts: 8,
      },
    },
    /** Writes that the provider applies once per key or name, however often they are sent. */
    remoteWriteKeyed: {
      ...common,
      startToCloseTimeout: MINUTE,
      heartbeatTimeout,
      retry: {
        initialInterval: paced(1_000),
        maximumInterval: paced(MINUTE),
        maximumAttempts: 6,
      },
    },
    /** A purchase: one attempt; what is unclear afterwards is looked up, never repeated blindly. */
    remoteWriteUnsafe: {
      ...common,
      startToCloseTimeout: 2 * MINUTE,
      heartbeatTimeout,
      retry: { maximumAttempts: 1 },
    },
    /** Polls until the provider's consistency lag is over and the outcome is visible. */
    settle: waitFor(2_000, 10 * MINUTE),
    /** The same for orders at registrars, which may be carried out late (`RENEWAL_LAG_SECONDS`). */
    settleOrder: waitFor(15_000, 60 * MINUTE),
    /** A server boots within minutes. */
    waitForServer: waitFor(3_000, 15 * MINUTE),
    /** First boot installs packages. */
    waitForFirstBoot: waitFor(5_000, 30 * MINUTE),
    /** DNS: the registrar's servers first, then our resolver's cache of "no such name". */
    waitForDns: waitFor(5_000, 60 * MINUTE),
    /** DNS that its owner sets by hand: two days, then a person is asked. */
    waitForOwner: waitFor(MINUTE, 48 * 60 * MINUTE),
    /** Work over SSH: idempotent, minutes long. */
    longRun: {
      ...common,
      startToCloseTimeout: 15 * MINUTE,
      heartbeatTimeout,
      retry: {
        initialInterval: paced(2_000),
        maximumInterval: paced(MINUTE),
        maximumAttempts: 6,
      },
    },
    /**
     * One page of a long job: minutes of work whose cursor is in the database. A vendor that is down is
     * retried for about a quarter of an hour.
     */
    page: {
      ...common,
      startToCloseTimeout: 15 * MINUTE,
      heartbeatTimeout: heartbeatTimeout * PAGE_HEARTBEATS,
      retry: {
        initialInterval: paced(1_000),
        maximumInterval: paced(MINUTE),
        maximumAttempts: 20,
      },
    },
    /**
     * Hours of sending or reading mail, mostly waiting; the state is in the database. Retried for ever;
     * what cannot go on says so in its row.
     */
    mailSession: { ...session, taskQueue: MAIL_QUEUE },
    /** The same for deliveries of events, which must not wait for a free mail slot. */
    deliverySession: { ...session, taskQueue: WEBHOOK_QUEUE },
    /** All undo: retried for about 40 minutes, then a person is asked; it is never given up. */
    compensate: {
      ...common,
      startToCloseTimeout: 5 * MINUTE,
      heartbeatTimeout,
      retry: {
        initialInterval: paced(1_000),
        maximumInterval: paced(5 * MINUTE),
        maximumAttempts: 15,
      },
    },
  } satisfies Record<string, ActivityOptions>;
}

/** How long the saga waits before it retries a step whose outcome had to be looked up. */
export const retryDelayMs = (retries: number, pace: Pace) =>
  Math.max(100, Math.round(2_000 * 2 ** retries * pace.retryPace));
