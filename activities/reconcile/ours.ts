/** Our own records: holds that nothing needs, rows and runs without each other, wallets and the ledger. */
import {
  listOwnerlessHolds,
  type OwnerlessHold,
} from '../../src/transactions/vendor-comparison.ts';
import { closeFinding } from '../../src/db/operations/findings.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { lockHold } from '../../src/db/wallet/ledger-holds.ts';
import { releaseHold } from '../../src/db/wallet/ledger.ts';
import { listRunFindings } from '../../src/db/operations/lost-rows.ts';
import { listOperationsNotStarted } from '../../src/db/operations/operation-workflows.ts';
import { insertOperationEvent, type Operation } from '../../src/db/operations/operations.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import { graceMs, type Found, type ReconcileContext } from './book.ts';

/** No row may stay without a workflow for longer. docs/workflow-rules.md#the-row-comes-first. */
const STARTED_WITHIN_MS = 60_000;
const BATCH = 1_000;

/** Operations without a workflow; healed by starting it. */
export async function workflowFindings(context: ReconcileContext): Promise<Found[]> {
  const before = new Date(context.clock.now().getTime() - STARTED_WITHIN_MS);
  const waiting = await listOperationsNotStarted(context.db, before, BATCH);
  return waiting.map((operation) => {
    const { id, kind, created_at } = operation;
    const finding = {
      kind: 'row_without_workflow',
      subject: `operation/${id}`,
      operationId: id,
      detail: { kind, createdAt: created_at.toISOString() },
    } as const;
    return { finding, isSafe: true, heal: (words) => start(context, operation, finding, words) };
  });
}

/** Runs in Temporal that belong to no row here: found by the activities, closed by whoever has looked. */
export async function runFindings({ db }: ReconcileContext): Promise<Found[]> {
  const findings = await listRunFindings(db);
  return findings.map((finding) => ({
    finding,
    heal: async (words) => {
      await closeFinding(db, finding, words);
      return true;
    },
  }));
}

async function start(
  context: ReconcileContext,
  operation: Operation,
  finding: Finding,
  words: HealWords,
): Promise<boolean> {
  if (!(await context.startOperation(operation))) return false;
  await closeFinding(context.db, finding, words);
  return true;
}

/** Holds that no running operation needs; healed by releasing what is left of them. */
export async function holdFindings(context: ReconcileContext): Promise<Found[]> {
  const before = new Date(context.clock.now().getTime() - graceMs(context));
  const holds = await listOwnerlessHolds(context.db, before);
  return holds.map((hold) => {
    const { id, userId, leftCents, operationId } = hold;
    const finding = {
      kind: 'ownerless_hold',
      subject: `hold/${id}`,
      operationId,
      detail: { userId, leftCents },
    } as const;
    return {
      finding,
      isSafe: true,
      heal: (words) => release(context, { hold, finding, before, words }),
    };
  });
}

async function release(
  { db }: ReconcileContext,
  asked: { hold: OwnerlessHold; finding: Finding; before: Date; words: HealWords },
): Promise<boolean> {
  const { hold, finding, before, words } = asked;
  const released = await db.transaction().execute(async (trx) => {
    // With two comparisons at once, the second sees what the first has done.
    await lockHold(trx, hold.id);
    const [still] = await listOwnerlessHolds(trx, before, hold.id);
    if (!still) return false;
    const operationKey = `reconcile:hold:${hold.id}`;
    const { releasedCents } = await releaseHold(trx, {
      holdId: hold.id,
      operationKey,
      description: 'Nothing needs it any more',
    });
    if (still.operationId !== null) {
      await insertOperationEvent(trx, {
        operationId: still.operationId,
        kind: 'reconciled',
        step: null,
        ...words,
        detail: { action: 'release', holdId: hold.id, releasedCents },
      });
    }
    return true;
  });
  if (released) await closeFinding(db, finding, words);
  return released;
}

/** Cached amounts that differ from the ledger. A person has to find out why first. */
export async function ledgerFindings({ db }: ReconcileContext): Promise<Found[]> {
  const mismatches = await auditWallets(db);
  return mismatches.map(({ check, subject, expected, actual }) => ({
    finding: {
      kind: 'wallet_mismatch',
      subject: `${check}: ${subject}`,
      operationId: null,
      detail: { expected, actual },
    },
  }));
}
