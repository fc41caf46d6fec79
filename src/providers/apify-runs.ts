/** Runs of Apify's actors, and the rows that they write, as the vendor shows them. Actors may change any day. */
import { z } from 'zod';
import { ProviderError } from '../domain/errors.ts';

const runFields = z.object({
  id: z.string(),
  status: z.string(),
  statusMessage: z.string().nullish(),
  defaultDatasetId: z.string(),
  finishedAt: z.string().nullish(),
});
export const runAnswer = z.object({ data: runFields });

/** https://docs.apify.com/platform/actors/running/runs-and-builds#lifecycle */
const FINAL_STATUSES = new Set(['SUCCEEDED', 'FAILED', 'TIMED-OUT', 'ABORTED']);

export interface ApifyRun {
  id: string;
  /** READY, RUNNING, SUCCEEDED, FAILED, TIMING-OUT, TIMED-OUT, ABORTING, ABORTED. */
  status: string;
  /** What the actor says about itself, for people. */
  statusMessage: string | null;
  /** True when nothing more will be written to the dataset. */
  isFinished: boolean;
  datasetId: string;
  /** ISO 8601; null while it runs. A dataset may show its last items a little later. */
  finishedAt: string | null;
}

export const runOf = ({ data }: z.infer<typeof runAnswer>): ApifyRun => ({
  id: data.id,
  status: data.status,
  statusMessage: data.statusMessage ?? null,
  isFinished: FINAL_STATUSES.has(data.status),
  datasetId: data.defaultDatasetId,
  finishedAt: data.finishedAt ?? null,
});

/** In our wording; the vendor's is in its console. Choice 46. */
const EARLY_ENDS: Record<string, string> = {
  'TIMED-OUT': 'it took too long',
  ABORTED: 'it was stopped at the vendor',
};

/** What to tell clients of a finished run that did not do all of its work; null = it did. */
export const earlyEndOf = ({ status }: ApifyRun): string | null =>
  status === 'SUCCEEDED'
    ? null
    : `The search ended early: ${EARLY_ENDS[status] ?? 'the vendor gave it up'}`;

/** So many results of which none is understood are no accident. */
const STRANGE_ROWS = 5;

/**
 * The rows that are understood. Throws `rejected` where a page has results and none is: the search would end as one
 * that found nothing, and be paid for.
 */
export function readRows<S extends z.ZodType>(
  provider: string,
  items: readonly unknown[],
  { row, isResult }: { row: S; isResult: (item: Record<string, unknown>) => boolean },
): z.infer<S>[] {
  const parsed = items.map((item) => row.safeParse(item));
  const read = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (read.length > 0) return read;
  const strange = items.filter((item) => isResult(item as Record<string, unknown>));
  if (strange.length < STRANGE_ROWS) return [];
  const problem = parsed[items.indexOf(strange[0])]!.error?.issues[0];
  const where = `${problem?.path.join('.')}: ${problem?.message}`;
  throw new ProviderError('rejected', `${provider}: no row of the actor is understood (${where})`, {
    provider,
    providerCode: 'unknown_rows',
    operatorHint: 'The actor writes other rows than before: look for a new version of Outreach.',
  });
}
