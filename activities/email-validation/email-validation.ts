/** Validation of addresses, in batches. */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import {
  nextItems,
  putOffOthers,
  storeResults,
  type EmailValidationItem,
  type ItemResult,
} from '../../src/db/email-validation/email-validation-items.ts';
import { listHoldingCampaigns } from '../../src/db/campaigns/held-addresses.ts';
import {
  lockJob,
  stateOfJob,
  type EmailValidationJob,
} from '../../src/db/email-validation/email-validation-jobs.ts';
import { makeDue, noteWait } from '../../src/db/email-validation/waiting-jobs.ts';
import type { EmailCheck } from '../../src/domain/email-validation/email-check.ts';
import {
  againAfterMs,
  BATCH_SIZE,
  isAnsweredSince,
  isUnasked,
  waitWords,
  type VerifierWait,
} from '../../src/domain/email-validation/email-validation.ts';
import type { JobState, PageResult } from '../../src/domain/operations/jobs.ts';
import { wakeCampaigns } from '../campaigns/wakes.ts';

type Needs = Pick<Context, 'db' | 'emailChecker' | 'clock' | 'temporal'>;

export interface EmailBatchInput {
  /** Shown to people who read the history. */
  operationId?: number;
  jobId: number;
  /** Multiplies the waits until greylisted addresses are tried again. */
  retryPace: number;
}

/** `waitMs`: nothing can be done for this long. */
export interface EmailBatchResult extends PageResult {
  waitMs: number;
}

/** Results are stored when this many are held, or after this time: a kill loses no more. */
const STORE_AT = 50;
const STORE_EVERY_MS = 1_000;
/** Well within the activity's time; the next batch takes what is left. */
const BATCH_MS = 8 * 60_000;

export const emailValidationActivities = (context: Needs) => ({
  /**
   * Checks the next addresses of a job. Results are stored as they come, with the leads and counters
   * that they belong to, so a repeat continues with the addresses that have none.
   */
  async checkEmailBatch(input: EmailBatchInput): Promise<EmailBatchResult> {
    const before = await jobOf(context, input.jobId);
    if (before.state !== 'active') return answer(before, 0);
    const now = context.clock.now();
    const restsFrom = before.job.woken_at ?? undefined;
    const { items, againAt } = await nextItems(context.db, input.jobId, { limit: BATCH_SIZE, now });
    if (items.length > 0) {
      const waitMs = await checkItems(context, input, { items, restsFrom });
      return answer(await jobOf(context, input.jobId), waitMs);
    }
    return answer(before, againAt === null ? 0 : Math.max(100, againAt.getTime() - now.getTime()));
  },
});

interface JobNow {
  job: EmailValidationJob;
  state: JobState;
}

const jobOf = ({ db }: Needs, jobId: number): Promise<JobNow> =>
  db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    return { job, state: stateOfJob(job) };
  });

/** `waitMs` undefined: there may be more to do at once; 0: there is nothing left. */
function answer({ job, state }: JobNow, waitMs: number | undefined): EmailBatchResult {
  const checked = job.valid + job.risky + job.invalid + job.unknown;
  return {
    state,
    isDone: state === 'active' && waitMs === 0,
    waitMs: waitMs ?? 0,
    progress: `${checked} of ${job.total} addresses${waitOf(job)}`,
  };
}

const waitOf = ({ waiting_reason: reason, waiting_until: until }: EmailValidationJob): string =>
  reason && until ? `; ${waitWords(reason, until)}` : '';

/**
 * Ends early when the job is cancelled, or after `BATCH_MS`; throws when the activity is stopped. Returns how
 * long the job should wait for a verifier, if at all.
 */
async function checkItems(
  context: Needs,
  input: EmailBatchInput,
  { items, restsFrom }: { items: readonly EmailValidationItem[]; restsFrom: Date | undefined },
): Promise<number | undefined> {
  const { cancellationSignal } = ActivityContext.current();
  const over = new AbortController();
  const late = AbortSignal.timeout(BATCH_MS);
  const signal = AbortSignal.any([cancellationSignal, over.signal, late]);
  const byEmail = groupByEmail(items);
  const store = createStore(context, { ...input, restsFrom }, () => over.abort());
  const again = items.some(({ tries }) => tries > 0);
  try {
    await context.emailChecker.check([...byEmail.keys()], {
      signal,
      again,
      restsFrom,
      onResult: (email, check) => store.add(byEmail.get(email) ?? [], check),
    });
  } catch (error) {
    cancellationSignal.throwIfAborted();
    if (!signal.aborted) throw error;
  } finally {
    await store.flush();
  }
  const wait = store.wait();
  const isAnew = store.isAnswered();
  return putOff(context, input.jobId, { items, wait, isAnew, restsFrom });
}

interface Wait {
  ms: number;
  reason: VerifierWait;
}

/**
 * Where a page found nobody to ask, the others need not find out, each with waits of its own. Returns how long the job
 * waits; one that was woken since the page began does not, and asks about all of it again.
 */
const putOff = (
  { db, clock }: Needs,
  jobId: number,
  given: {
    items: readonly EmailValidationItem[];
    wait: Wait | undefined;
    isAnew: boolean;
    restsFrom: Date | undefined;
  },
): Promise<number | undefined> =>
  db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId);
    if (stateOfJob(job) !== 'active') return given.wait?.ms;
    const now = clock.now();
    if (isWokenSince(job, given.restsFrom)) {
      await makeDue(trx, jobId, now);
      return undefined;
    }
    if (!given.wait) {
      await noteWait(trx, jobId, null);
      return undefined;
    }
    const until = new Date(now.getTime() + given.wait.ms);
    await noteWait(trx, jobId, { reason: given.wait.reason, until, now });
    const asked = given.items.map(({ id }) => id);
    await putOffOthers(trx, jobId, { asked, until, isAnew: given.isAnew });
    return given.wait.ms;
  });

const isWokenSince = ({ woken_at: wokenAt }: EmailValidationJob, restsFrom: Date | undefined) =>
  wokenAt?.getTime() !== restsFrom?.getTime();

/** The same address may have been given several times. */
function groupByEmail(items: readonly EmailValidationItem[]): Map<string, EmailValidationItem[]> {
  const groups = new Map<string, EmailValidationItem[]>();
  for (const item of items) groups.set(item.email, [...(groups.get(item.email) ?? []), item]);
  return groups;
}

const firstOf = (waits: readonly Wait[]): Wait | undefined =>
  waits.toSorted((one, other) => one.ms - other.ms)[0];

/** Buffers results until they are worth a transaction. */
function createStore(
  context: Needs,
  { jobId, retryPace, restsFrom }: EmailBatchInput & { restsFrom: Date | undefined },
  onOver: () => void,
) {
  let held: ItemResult[] = [];
  let storedAtMs = Date.now();
  let told = 0;
  const since = context.clock.now();
  let isAnswered = false;
  const waits: Wait[] = [];
  const flush = async () => {
    const results = held;
    held = [];
    storedAtMs = Date.now();
    if (results.length === 0) return;
    const { state, holding } = await context.db.transaction().execute(async (trx) => {
      const job = await lockJob(trx, jobId);
      const now = stateOfJob(job);
      // Nothing is added after a cancel took effect.
      if (now !== 'active') return { state: now, holding: [] };
      const before = results.map(({ id }) => id);
      const waiting = await listHoldingCampaigns(trx, before);
      await storeResults(trx, jobId, results);
      // Here, too: a page that its worker ends does not come to its own end.
      if (isWokenSince(job, restsFrom)) await makeDue(trx, jobId, context.clock.now());
      return { state: now, holding: waiting };
    });
    await wakeCampaigns(context, holding);
    if (state !== 'active') onOver();
  };
  return {
    flush,
    // Where most have no answer, the next page would have none either.
    wait: () => (waits.length > told / 2 ? firstOf(waits) : undefined),
    isAnswered: () => isAnswered,
    async add(items: readonly EmailValidationItem[], check: EmailCheck) {
      isAnswered ||= isAnsweredSince(check, since);
      for (const { id, email, tries, unasked } of items) {
        // Each answer ends the waits before it: a vendor that is asked too much answers a part of each page.
        const earlier = { tries, unasked: isAnswered ? 0 : unasked };
        const afterMs = againAfterMs(check, earlier, retryPace);
        told += 1;
        if (afterMs !== null && isUnasked(check)) waits.push({ ms: afterMs, reason: check.reason });
        const againAt = afterMs === null ? null : new Date(context.clock.now().getTime() + afterMs);
        held.push({ id, email, check, againAt, isAnew: isAnswered });
      }
      if (held.length >= STORE_AT || Date.now() - storedAtMs > STORE_EVERY_MS) await flush();
    },
  };
}
