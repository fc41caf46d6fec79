/** Runs of Apify's actors, as the vendor shows them. */
import { z } from 'zod';

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
