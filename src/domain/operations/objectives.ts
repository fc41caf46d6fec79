/**
 * Service level objectives by type of workflow: the one table from which the metrics, and with them the rules of
 * docs/monitoring/slo.rules.yml, the alarms and the dashboard, have every number.
 */
import { CLIENT_CODES, isClientsOwn } from '../failures.ts';
import type { DeliveryState } from '../inbox/inbox.ts';
import type { FlowKind } from './flows.ts';

/** What is promised: that it succeeds, that it is done in time, that it waits for a person only briefly. */
export const OBJECTIVE_KINDS = ['success', 'time_to_done', 'time_blocked'] as const;
export type ObjectiveKind = (typeof OBJECTIVE_KINDS)[number];

/** The part of all ends that has to be good, and up to how many seconds an end is. */
interface TimeObjective {
  ratio: number;
  seconds: number;
}

interface Objectives {
  /** The part of what was not refused, given up or cancelled by its client that has to succeed. */
  success: number;
  /** From the order to its end, all waits included but those for its client; absent where the work has no end of its own. */
  timeToDone?: TimeObjective;
  /** All waits for a person together; absent for jobs, which never wait for one. Choice 63. */
  timeBlocked?: TimeObjective;
}

const MINUTES = 60;
const HOURS = 60 * MINUTES;
const BRIEFLY: TimeObjective = { ratio: 0.95, seconds: 10 * MINUTES };

const PROVISIONING: Objectives = {
  success: 0.99,
  timeToDone: { ratio: 0.95, seconds: 30 * MINUTES },
  timeBlocked: BRIEFLY,
};
/** Work on hosts that are in use; a renewal may wait for a registrar's list of orders as long. */
const SLOW: Objectives = { ...PROVISIONING, timeToDone: { ratio: 0.95, seconds: HOURS } };
const MAILBOXES: Objectives = {
  ...PROVISIONING,
  timeToDone: { ratio: 0.95, seconds: 5 * MINUTES },
};
const IMPORTS: Objectives = { success: 0.995, timeToDone: { ratio: 0.95, seconds: 30 * MINUTES } };
/** Websites of others, and vendors who are asked for thousands of them. */
const DISCOVERY: Objectives = { success: 0.97, timeToDone: { ratio: 0.95, seconds: 4 * HOURS } };
/** Ends when its client ends it, or after weeks. */
const STANDING: Objectives = { success: 0.99 };

export const OBJECTIVES: Record<FlowKind, Objectives> = {
  provisionCluster: PROVISIONING,
  destroyCluster: PROVISIONING,
  buyDomain: PROVISIONING,
  renewDomain: SLOW,
  rebuildServer: SLOW,
  rotateServerKey: SLOW,
  upgradeServer: SLOW,
  connectMailbox: { ...MAILBOXES, timeToDone: { ratio: 0.95, seconds: 10 * MINUTES } },
  createMailbox: MAILBOXES,
  deleteMailbox: MAILBOXES,
  rotateCredentials: MAILBOXES,
  rechargeWallet: MAILBOXES,
  importLeads: IMPORTS,
  importMailboxes: IMPORTS,
  importPlaces: IMPORTS,
  deleteLeadList: IMPORTS,
  deleteCustomField: IMPORTS,
  discoverLeads: DISCOVERY,
  scrapeMaps: DISCOVERY,
  enrichWebsites: DISCOVERY,
  verifyEmails: DISCOVERY,
  // Judged by the row of the message: `deliveryOutcome`.
  sendReply: { success: 0.99, timeToDone: { ratio: 0.95, seconds: 15 * MINUTES } },
  testPlacement: { success: 0.99, timeToDone: { ratio: 0.95, seconds: 15 * MINUTES } },
  runCampaign: STANDING,
  warmUpMailbox: STANDING,
  syncInbox: STANDING,
  tendTrackingDomain: STANDING,
};

/** `declined`: its client cancelled it, or has to cure what stopped it; that says nothing about the service. */
export const END_OUTCOMES = ['succeeded', 'failed', 'declined'] as const;
export type EndOutcome = (typeof END_OUTCOMES)[number];

/** How an operation ended. */
export interface OperationEnd {
  kind: FlowKind;
  outcome: EndOutcome;
  /**
   * From the order to the end, without what its client had it wait: in a queue of its own, for a time, paused. Null
   * where it waited for its client and no row tells how long: then it is neither in time nor late.
   */
  seconds: number | null;
  blockedSeconds: number;
}

/** A code of a message that a server refuses since nobody reads mail at the address. */
export const RECIPIENT_REFUSED = 'RECIPIENT_REFUSED';

/**
 * Beside what `isClientsOwn` says: codes of which a vendor has the words, those of activities that name no code of
 * their own (`CLIENT_FAILURES`), of a wallet that is short and of a card; any other code counts as a failure of ours.
 */
const DECLINED_CODES = new Set([
  ...CLIENT_CODES,
  'INVALID_INPUT',
  'NOT_FOUND',
  'INSUFFICIENT_FUNDS',
  'CARD_DECLINED',
  'AUTHENTICATION_REQUIRED',
  'PAYMENT_METHOD_INVALID',
  RECIPIENT_REFUSED,
]);

export function endOutcome(outcome: 'succeeded' | 'failed', code: string | undefined): EndOutcome {
  if (outcome === 'succeeded') return outcome;
  if (code === undefined) return 'failed';
  return isClientsOwn(code) || DECLINED_CODES.has(code) ? 'declined' : 'failed';
}

/**
 * How a message of a person ended, whose operation succeeds as soon as its row is final: by the row. Good is what a
 * server took. What is refused for the address, was cancelled or is gone says nothing about the service; every other
 * refusal, and a message of which nobody knows whether it arrived, is a failure of ours.
 */
export function deliveryOutcome(
  end: { state: DeliveryState; failure_code: string | null } | undefined,
): EndOutcome {
  if (end === undefined || end.state === 'cancelled') return 'declined';
  if (end.state === 'sent') return 'succeeded';
  return endOutcome('failed', end.failure_code ?? undefined);
}

/** The part of all that has to be good; undefined where nothing is promised. */
export function objectiveOf(kind: FlowKind, objective: ObjectiveKind): number | undefined {
  const { success, timeToDone, timeBlocked } = OBJECTIVES[kind];
  if (objective === 'success') return success;
  return (objective === 'time_to_done' ? timeToDone : timeBlocked)?.ratio;
}

/**
 * Whether an end kept what is promised; undefined where it says nothing about it. Only what succeeds is done in
 * time or late, while every end may have waited for a person.
 */
export function keepsObjective(end: OperationEnd, objective: ObjectiveKind): boolean | undefined {
  const { timeToDone, timeBlocked } = OBJECTIVES[end.kind];
  if (objective === 'time_blocked') {
    return timeBlocked && end.blockedSeconds <= timeBlocked.seconds;
  }
  if (end.outcome === 'declined') return undefined;
  if (objective === 'success') return end.outcome === 'succeeded';
  if (end.outcome !== 'succeeded' || !timeToDone || end.seconds === null) return undefined;
  return end.seconds <= timeToDone.seconds;
}
