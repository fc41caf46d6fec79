/** Operations as their owners see and answer them. Choice 91. */
import PQueue from 'p-queue';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import {
  countClientOperations,
  listClientOperations,
  type ClientOperation,
} from '../../db/operations/client-operations.ts';
import { getOperation } from '../../db/operations/operations.ts';
import { invalid, notFound, OutreachError } from '../../domain/errors.ts';
import {
  rowResources,
  type ClientAction,
  type ClientResource,
  type ClientState,
} from '../../domain/operations/client-operations.ts';
import type { FlowKind } from '../../domain/operations/flows.ts';
import { ACTOR } from '../accounts/actors.ts';
import { cancelCluster } from '../clusters/clusters.ts';
import { requestOfLeadProcess } from '../discovery/lead-processes.ts';
import { cancelValidation } from '../email-validation/email-validation.ts';
import { cancelScheduledMessage } from '../inbox/scheduled-replies.ts';
import { cancelLeadImport } from '../leads/lead-imports.ts';
import { cancelMailboxImport } from '../mailboxes/mailbox-imports.ts';
import { cancelMapsRun } from '../maps/maps-runs.ts';
import { cancelPlacementTest } from '../placement/placement-tests.ts';
import { retryOperation } from './operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation' | 'clock' | 'maps'>;

export interface OperationsPage {
  resource?: ClientResource | undefined;
  resourceId?: number | undefined;
  kind?: FlowKind | undefined;
  state?: ClientState | undefined;
  limit: number;
  offset: number;
}

/** An operation with what may be asked of it now. */
export type OperationView = ClientOperation & { actions: ClientAction[] };

export async function listUserOperations(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { resource, limit, offset, ...filter }: OperationsPage,
): Promise<{ rows: OperationView[]; total: number }> {
  const wanted = { ...filter, userId, resourceTypes: rowResources(resource) };
  const [rows, total] = await Promise.all([
    listClientOperations(db, wanted, { limit, offset }),
    countClientOperations(db, wanted),
  ]);
  return { rows: rows.map(withActions), total };
}

/** Throws not_found, also for one that clients do not see. */
export async function getUserOperation(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<OperationView> {
  const filter = { userId, resourceTypes: rowResources(), id };
  const [row] = await listClientOperations(db, filter, { limit: 1, offset: 0 });
  if (!row) throw notFound('operation');
  return withActions(row);
}

const withActions = (row: ClientOperation): OperationView => ({
  ...row,
  actions: [
    ...(row.mayRetry ? ['retry' as const] : []),
    ...(isCancellable(row) ? ['cancel' as const] : []),
  ],
});

const isCancellable = ({ kind, finishedAt, state, delivery }: ClientOperation): boolean =>
  CANCEL[kind] !== null &&
  finishedAt === null &&
  state !== 'compensating' &&
  // What is being sent cannot be called back.
  (delivery === null || delivery === 'scheduled');

/**
 * Asks something of one operation. Safe to repeat: what goes on is not run again, and what is being undone, or
 * was cancelled, is not cancelled again. 400 INVALID_STATE where it is not one of its `actions`.
 */
export async function answerOperation(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  action: ClientAction,
): Promise<OperationView> {
  const operation = await getUserOperation(context, userId, id);
  await ANSWERS[action](context, userId, operation);
  return getUserOperation(context, userId, id);
}

/** The result for one of several operations: how it is now, or why it was not done. */
export interface Answered {
  id: number;
  operation: OperationView | null;
  error: { code: string; message: string } | null;
}

/** Concurrent answers: each may wait for its workflow. */
const AT_ONCE = 10;

/** Asks the same of several, each by itself: one that is refused stops no other. In the order of `ids`. */
export async function answerOperations(
  context: Needs,
  { userId, ids }: { userId: string; ids: readonly number[] },
  action: ClientAction,
): Promise<Answered[]> {
  const answer = async (id: number): Promise<Answered> => {
    try {
      return { id, operation: await answerOperation(context, { userId, id }, action), error: null };
    } catch (error) {
      if (!(error instanceof OutreachError)) throw error;
      return { id, operation: null, error: { code: error.code, message: error.message } };
    }
  };
  // What the first of them was, is not what all were.
  noteChange({ resourceId: null, before: null, after: { ids } });
  const queue = new PQueue({ concurrency: AT_ONCE });
  return queue.addAll([...new Set(ids)].map((id) => () => answer(id)));
}

type Answer = (context: Needs, userId: string, operation: OperationView) => Promise<void>;

const ANSWERS: Readonly<Record<ClientAction, Answer>> = {
  async retry(context, userId, { id, actions, state, finishedAt, error_code }) {
    if (actions.includes('retry')) {
      noteChange({ before: { state }, after: { asked: 'retry' } });
      await retryOperation(context, await getOperation(context.db, id), ACTOR.user(userId));
    } else if (finishedAt !== null || error_code !== null) {
      throw invalid('INVALID_STATE', 'Only an operation whose step is blocked can be retried');
    }
  },
  async cancel(context, userId, { kind, resourceId, actions, state, error_code, delivery }) {
    const cancel = CANCEL[kind];
    if (delivery === 'cancelled') return;
    if (!cancel) throw invalid('INVALID_STATE', `A ${kind} operation cannot be cancelled`);
    if (actions.includes('cancel')) {
      await cancel(context, userId, resourceId);
    } else if (state !== 'compensating' && error_code !== 'CANCELLED') {
      throw invalid('INVALID_STATE', `An operation that is ${state} cannot be cancelled`);
    }
  },
};

/** How each kind is cancelled, by the row that it works for; null: it is not, or its noun has its own ways. */
const CANCEL: Readonly<
  Record<FlowKind, ((context: Needs, userId: string, id: number) => Promise<unknown>) | null>
> = {
  buyDomain: null,
  connectMailbox: null,
  createMailbox: null,
  deleteCustomField: null,
  deleteLeadList: null,
  deleteMailbox: null,
  destroyCluster: null,
  discoverLeads: (context, userId, id) => requestOfLeadProcess(context, { userId, id }, 'cancel'),
  enrichWebsites: cancelMapsRun,
  importLeads: cancelLeadImport,
  importMailboxes: cancelMailboxImport,
  importPlaces: null,
  provisionCluster: cancelCluster,
  rebuildServer: null,
  rechargeWallet: null,
  renewDomain: null,
  rotateCredentials: null,
  rotateServerKey: null,
  runCampaign: null,
  scrapeMaps: cancelMapsRun,
  sendReply: (context, userId, id) => cancelScheduledMessage(context, { userId, id }),
  tendTrackingDomain: null,
  testPlacement: cancelPlacementTest,
  upgradeServer: null,
  syncInbox: null,
  verifyEmails: cancelValidation,
  warmUpMailbox: null,
};
