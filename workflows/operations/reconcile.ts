/**
 * Run by Schedules: no row stays without a workflow (docs/workflow-rules.md#the-row-comes-first), and
 * the vendor records are compared with ours.
 */
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { ReconcileBooksInput, ReconcileBooksResult } from '../contracts/reconcile.ts';
import { ACTIVITY_QUEUE } from '../../src/domain/operations/queues.ts';
import { at } from '../clusters/steps.ts';

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  // The next run of the Schedule is the retry.
  retry: { maximumAttempts: 1 },
});

export async function reconcile(): Promise<{ started: number; undone: number }> {
  const start = { summary: 'Start the workflow of any row that has none' };
  const { started } = await activities.startMissingWorkflows.executeWithOptions(start, []);
  const undo = { summary: 'Undo what has lost its workflow' };
  const { undone } = await activities.undoLostWorkflows.executeWithOptions(undo, []);
  return { started, undone };
}

/** Pages of a vendor's lists, and healing: each may run twice. */
const comparisons = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 3 },
});

/** Compares one set of records after the other; one that cannot be read stops none of the others. */
export async function reconcileBooks(input: ReconcileBooksInput): Promise<ReconcileBooksResult> {
  const { heal, subject, vendors, actor, reason } = input;
  const asked = { heal, ...(subject !== undefined && { subject }), words: { actor, reason } };
  // By its input, not by `patched`, whose marker would be an action of every run.
  const { due, ...result } = vendors
    ? await comparisons.compareOurBooks.executeWithOptions(
        { summary: 'Compare our own records; which of vendors are due?' },
        [{ ...asked, vendors }],
      )
    : { due: (await comparisons.listBooks()).books, found: 0, healed: 0, failed: [] as string[] };
  for (const book of due) {
    try {
      const compared = await comparisons.compareBook.executeWithOptions(
        { summary: book, ...at(vendorOf(book)) },
        [{ book, ...asked }],
      );
      result.found += compared.found;
      result.healed += compared.healed;
      if (compared.failed) result.failed.push(book);
    } catch (error) {
      if (isCancellation(error)) throw error;
      result.failed.push(book);
    }
  }
  return result;
}

/** The vendor in `vps/hetzner` and `registrars/namecom`; our own records have none. */
const vendorOf = (book: string): string | undefined => book.split('/')[1];
