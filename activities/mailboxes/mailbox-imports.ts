/** Connects the mailboxes of a file: many at once, each as often as it takes, none twice. Choice 120. */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { insertMissingInboxSyncs } from '../../src/db/inbox/inbox-sync-operations.ts';
import {
  countRows,
  listOpenRows,
  touchImport,
  type RowId,
} from '../../src/db/mailboxes/mailbox-imports.ts';
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import { invalid, OutreachError } from '../../src/domain/errors.ts';
import {
  CONNECTION_CODES,
  PASSWORD_REFUSALS,
} from '../../src/domain/mailboxes/connection-problems.ts';
import { endedRows, LOGINS_PER_HOST } from '../../src/domain/mailboxes/mailbox-imports.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import {
  beginRow,
  endRow,
  failWaitingRow,
  lockImport,
  stateOfImport,
  type RowError,
} from '../../src/transactions/mailboxes/mailbox-imports.ts';
import { isConflict } from '../engine/failures.ts';
import { openLoginBrake, type LoginBrake } from './login-brake.ts';
import { createLoginGates, type LoginGates } from './login-gates.ts';
import { handOver, untilFound, type HandedOver } from './prove-row.ts';
import { workOff } from './row-queue.ts';

export interface MailboxImportPage {
  operationId: number;
  importId: number;
  /** Multiplies the waits before a host is tried again. */
  retryPace: number;
}

type Needs = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailTransport' | 'dns' | 'logger' | 'startOperation'
>;

/** Rows that a page reads; those that it does not come to are of the next one. */
const ROWS_PER_PAGE = 2_000;

export const mailboxImportActivities = (
  context: Needs,
  gates: LoginGates = createLoginGates(LOGINS_PER_HOST),
) => ({
  /** Works off rows for a while. What a row has reached is in the database: a repeat goes on there. */
  async connectMailboxRows(page: MailboxImportPage): Promise<PageResult> {
    const { importId, operationId } = page;
    const { userId, ...before } = await progressOf(context, importId);
    if (before.state !== 'active' || before.isDone) return before;
    const rows = await listOpenRows(context.db, importId, ROWS_PER_PAGE);
    const brake = await openLoginBrake(context, { importId, userId });
    const { cancellationSignal } = ActivityContext.current();
    let isFirst = true;
    await workOff(rows, cancellationSignal, async ({ row, hosts, isBegun }, signal) => {
      const of = { ...page, userId, hosts, gates, brake, isBegun, signal };
      const isConnected = await connectRow(context, of, { importId, row });
      if (!isConnected || !isFirst) return;
      isFirst = false;
      await startSync(context, { operationId, userId });
    });
    cancellationSignal.throwIfAborted();
    await touchImport(context.db, importId);
    const { userId: _owner, ...after } = await progressOf(context, importId);
    return after;
  },
});

interface RowWork extends MailboxImportPage {
  userId: string;
  hosts: readonly string[];
  gates: LoginGates;
  brake: LoginBrake;
  isBegun: boolean;
  signal: AbortSignal;
}

/** True where it is connected now. A stop leaves the row as far as it is. */
async function connectRow(context: Needs, work: RowWork, id: RowId): Promise<boolean> {
  const { gates, brake, hosts, signal } = work;
  const fail = (error: unknown) => failRow(context, work, { id, error });
  try {
    // A refusal is known before the next login passes the gate.
    const handedOver = await gates.through(hosts, signal, () =>
      logIn(context, work, id).catch(fail),
    );
    if (!handedOver) return false;
    brake.note(hosts, 'taken');
    await untilFound({ ...work, context }, handedOver);
    await context.db.transaction().execute((trx) => endRow(trx, id, undefined));
    return true;
  } catch (error) {
    await fail(error);
    return false;
  }
}

/** Undefined where the row is over. */
async function logIn(context: Needs, work: RowWork, id: RowId): Promise<HandedOver | undefined> {
  const { db, cipher } = context;
  const whyNot = work.isBegun ? undefined : await work.brake.whyNot(work.hosts);
  if (whyNot !== undefined) throw invalid('NOT_TRIED', whyNot);
  const begun = await db.transaction().execute((trx) => beginRow(trx, { ...work, cipher }, id));
  return begun && handOver({ ...work, context }, id, begun);
}

async function failRow(
  context: Needs,
  { signal, brake, hosts }: RowWork,
  { id, error }: { id: RowId; error: unknown },
): Promise<undefined> {
  if (signal.aborted) return;
  if (isDatabaseDown(error) || isConflict(error)) throw error;
  const reason = reasonOf(context, id, error);
  if (PASSWORD_REFUSALS.includes(reason.code)) brake.note(hosts, 'refused');
  await context.db.transaction().execute((trx) => failWaitingRow(trx, id, reason));
}

const OWN_CODES = new Set<string>([...CONNECTION_CODES, 'MAILBOX_NOT_FOUND', 'NOT_TRIED']);

/** What nobody expected ends its row alone; the log has what kind of error it was, and nothing that it says. */
function reasonOf({ logger }: Needs, id: RowId, error: unknown): RowError {
  if (error instanceof OutreachError && OWN_CODES.has(error.code)) {
    return { code: error.code, message: error.message };
  }
  const { name, stack = '' } = error as Error;
  const at = stack.split('\n').filter((line) => line.startsWith('    at '));
  logger.error({ ...id, name, at: at.slice(0, 3) }, 'a row of mailboxes failed unexpectedly');
  return { code: 'UNEXPECTED', message: 'Something of ours went wrong: connect it once more' };
}

/** Starts the sync of the account's first connected mailbox. Never throws: the reconciler starts missed ones. */
async function startSync(
  { db, logger, startOperation }: Needs,
  { operationId, userId }: { operationId: number; userId: string },
): Promise<void> {
  try {
    const missing = await insertMissingInboxSyncs(db, { userId });
    for (const operation of missing) await startOperation(operation);
  } catch (error) {
    logger.warn({ operationId, err: error }, 'the sync of connected mailboxes is not started yet');
  }
}

async function progressOf(
  { db }: Needs,
  importId: number,
): Promise<PageResult & { userId: string }> {
  const row = await db.transaction().execute((trx) => lockImport(trx, importId));
  const counts = (await countRows(db, [importId])).get(importId)!;
  const ended = endedRows(counts, row.total_rows);
  const state = stateOfImport(row);
  return {
    state,
    isDone: state === 'active' && ended === row.total_rows,
    progress: `${ended} of ${row.total_rows} rows, ${counts.connected} connected`,
    userId: row.user_id,
  };
}
