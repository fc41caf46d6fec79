/** Encrypts what is at rest anew, and says what still needs an older key. */
import type { Context } from '../../context.ts';
import { findFirstKeyTime, noteFirstKey } from '../../db/operations/encryption-keys.ts';
import {
  countSealed,
  resealColumn,
  type Resealed,
  type SealedCount,
} from '../../transactions/reseal.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../../transactions/sealed-columns.ts';

/** Rows that were locked at one pass are free at another. */
const PASSES = 5;

export interface KeyUse {
  /** The first key of ENCRYPTION_KEYS, and since when it is known to be that. */
  first: { keyId: string; since: Date | null };
  /** By column and key. */
  atRest: SealedCount[];
  /** Runs that Temporal keeps from before that time; null: it does not say, or there is no such time. */
  olderRuns: number | null;
}

/**
 * Encrypts with the first key what is under another one. Safe to interrupt and to repeat; `onBatch` is told after
 * each batch. What cannot be opened stays as it is.
 */
export async function rotateKeys(
  context: Pick<Context, 'db' | 'cipher'>,
  keyId: string,
  onBatch: (column: SealedColumn, done: Resealed) => void,
): Promise<void> {
  await noteFirstKey(context.db, keyId);
  for (let pass = 1; pass <= PASSES; pass += 1) {
    let unreadable = 0;
    for (const column of SEALED_COLUMNS) {
      const onEach = (done: Resealed) => onBatch(column, done);
      unreadable += (await resealColumn({ ...context, keyId }, column, onEach)).unreadable;
    }
    const older = (await countSealed(context.db, SEALED_COLUMNS)).filter(
      (one) => one.keyId !== keyId,
    );
    if (older.reduce((sum, { count }) => sum + count, 0) <= unreadable) return;
  }
}

/** What is under which key: at rest, and in Temporal. Changes nothing. */
export async function readKeyUse(
  { db, temporal }: Pick<Context, 'db' | 'temporal'>,
  keyId: string,
): Promise<KeyUse> {
  const since = (await findFirstKeyTime(db, keyId)) ?? null;
  return {
    first: { keyId, since },
    atRest: await countSealed(db, SEALED_COLUMNS),
    olderRuns: since === null ? null : await countOlderRuns(temporal, since),
  };
}

/**
 * Closed runs are counted until the retention of the namespace removes them. A run that continues as new takes
 * the first key; the Schedules are written anew by each worker that starts.
 */
async function countOlderRuns(temporal: Context['temporal'], since: Date): Promise<number | null> {
  const query = `StartTime < "${since.toISOString()}"`;
  const { namespace } = temporal.options;
  const answer = await temporal.workflowService
    .countWorkflowExecutions({ namespace, query })
    .catch(() => undefined);
  return answer === undefined ? null : Number(answer.count);
}
