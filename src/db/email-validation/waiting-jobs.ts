/** Validations that wait for a verifier: noted by their pages, woken by operators. */
import { sql, type Kysely, type Transaction } from 'kysely';
import {
  VERIFIER_WAITS,
  type VerifierWait,
} from '../../domain/email-validation/email-validation.ts';
import type { Database } from '../tables.ts';

/** What the job waits for; null: for nothing any more. It has waited since it first did, whatever for. */
export async function noteWait(
  trx: Transaction<Database>,
  jobId: number,
  wait: { reason: VerifierWait; until: Date; now: Date } | null,
): Promise<void> {
  const { reason, until, now } = wait ?? { reason: null, until: null, now: null };
  await sql`
    update email_validation_jobs set waiting_reason = ${reason}, waiting_until = ${until},
      waiting_since = case when ${reason}::text is not null then coalesce(waiting_since, ${now}) end
    where id = ${jobId} and (waiting_reason is not null or ${reason}::text is not null)`.execute(
    trx,
  );
}

export interface WaitingJob {
  id: number;
  workflow_id: string | null;
  run_key: string | null;
}

/** Jobs that wait for one of these reasons, the longest first, each with its workflow. */
export async function listWaitingJobs(
  db: Kysely<Database>,
  reasons: readonly VerifierWait[],
): Promise<WaitingJob[]> {
  const { rows } = await sql<WaitingJob>`
    select job.id, o.workflow_id, o.run_key from email_validation_jobs job
    left join operations o on o.resource_type = 'email_validation' and o.resource_id = job.id
      and o.finished_at is null
    where job.status = 'processing' and job.waiting_reason = any (${[...reasons]}::text[])
    order by job.waiting_since, job.id`.execute(db);
  return rows;
}

/**
 * Makes due what the job waits with, as if it had not waited yet. False where it waits no more. Its workflow has to be
 * told before the transaction ends: then it cannot stay asleep, and finds all due.
 */
export async function wakeWaitingJob(
  trx: Transaction<Database>,
  jobId: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update email_validation_jobs set woken_at = ${now},
      waiting_reason = null, waiting_since = null, waiting_until = null
    where id = ${jobId} and status = 'processing' and waiting_reason is not null
    returning id`.execute(trx);
  if (rows.length === 0) return false;
  await makeDue(trx, jobId, now);
  return true;
}

/** What waits for a verifier is asked about now, as if it had not waited yet. */
export async function makeDue(trx: Transaction<Database>, jobId: number, now: Date): Promise<void> {
  await sql`
    update email_validation_items set again_at = ${now}, unasked = 0
    where job_id = ${jobId} and again_at > ${now}
      and (status is null or reason = any (${[...VERIFIER_WAITS]}::text[]))`.execute(trx);
}
