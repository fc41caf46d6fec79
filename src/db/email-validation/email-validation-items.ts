/** The addresses of a validation job and their results, which leads with these addresses get as well. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { EmailCheck, EmailStatus } from '../../domain/email-validation/email-check.ts';
import { isUnasked, NO_VERDICT } from '../../domain/email-validation/email-validation.ts';
import type { EmailValidationItemsTable } from './email-validation-tables.ts';
import type { Database } from '../tables.ts';

export type EmailValidationItem = Selectable<EmailValidationItemsTable>;

/** What to do next: check addresses, or wait until one may be retried. */
export interface NextItems {
  items: EmailValidationItem[];
  /** When the next one is due, when none is now. */
  againAt: Date | null;
}

/** First the unchecked ones; then, when their time has come, those to be retried. */
export async function nextItems(
  db: Kysely<Database>,
  jobId: number,
  { limit, now }: { limit: number; now: Date },
): Promise<NextItems> {
  const ofJob = db.selectFrom('email_validation_items').where('job_id', '=', jobId);
  const fresh = await ofJob
    .selectAll()
    .where('status', 'is', null)
    .where('again_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  if (fresh.length > 0) return { items: fresh, againAt: null };
  const due = await ofJob
    .selectAll()
    .where('again_at', '<=', now)
    .orderBy('again_at')
    .limit(limit)
    .execute();
  if (due.length > 0) return { items: due, againAt: null };
  const next = await ofJob
    .select(({ fn }) => fn.min('again_at').as('againAt'))
    .executeTakeFirstOrThrow();
  return { items: [], againAt: next.againAt };
}

/**
 * Nobody can be asked before `until`: all that would be asked by then waits as those did who were asked in vain
 * (`asked`, who have their times). One page asks for all. `isAnew`: as in a result.
 */
export async function putOffOthers(
  trx: Transaction<Database>,
  jobId: number,
  { asked, until, isAnew }: { asked: readonly number[]; until: Date; isAnew: boolean },
): Promise<void> {
  await sql`
    update email_validation_items set again_at = ${until},
      unasked = case when ${isAnew} then 0 else unasked + 1 end
    where job_id = ${jobId} and (status is null and again_at is null or again_at <= ${until})
      and id <> all (${asked}::bigint[])`.execute(trx);
}

/** One result of a job. */
export interface ItemResult {
  id: number;
  /** The address at the time of the check: an item that was erased meanwhile gets no result. */
  email: string;
  check: EmailCheck;
  /** When the address is retried. */
  againAt: Date | null;
  /** What was waited for a verifier before is not counted: it has answered others since. */
  isAnew?: boolean;
}

/**
 * Writes results, the job's counts and the fields of all leads of the account with these addresses together.
 * A result that tells nothing about the address replaces no verdict of a lead.
 * The caller's transaction holds the job's lock, so that the counts stay exact when a page is repeated.
 * Choice 53.
 */
export async function storeResults(
  trx: Transaction<Database>,
  jobId: number,
  results: readonly ItemResult[],
): Promise<void> {
  const before = await statusesOf(trx, jobId, results);
  const known = results.filter(({ id, email }) => before.get(id)?.email === email);
  // As one JSON document: a statement takes at most 65,535 parameters.
  const rows = JSON.stringify(known.map(rowOf));
  await sql`
    update email_validation_items as item set
      status = given.status, score = given.score, is_valid = given.is_valid,
      reason = given.reason, checks = given.checks, suggestion = given.suggestion,
      checked_at = given.checked_at, again_at = given.again_at,
      tries = item.tries + (not given.is_unasked)::int,
      unasked = case when given.is_anew then 0 else item.unasked end + given.is_unasked::int
    from jsonb_to_recordset(${rows}::jsonb) as given (id bigint, status text, score int,
      is_valid boolean, reason text, checks jsonb, suggestion text, checked_at timestamptz,
      again_at timestamptz, is_unasked boolean, is_anew boolean)
    where item.id = given.id and item.job_id = ${jobId}`.execute(trx);
  // Locked in the same order as imports lock the leads they fill in.
  await sql`
    with told as (
      select distinct on (job.user_id, item.email_key) job.user_id, item.email_key, given.*
      from jsonb_to_recordset(${rows}::jsonb) as given (id bigint, status text, score int,
        is_valid boolean, reason text, checked_at timestamptz)
      join email_validation_items as item on item.id = given.id and item.job_id = ${jobId}
      join email_validation_jobs as job on job.id = item.job_id
      where item.lead_id is not null
      order by job.user_id, item.email_key, given.checked_at desc
    ), locked as (
      select leads.id from leads join told using (user_id, email_key)
      order by leads.id for no key update of leads
    )
    update leads set
      validation_score = told.score, email_valid = told.is_valid,
      validation_status = told.status, validation_reason = told.reason,
      validated_at = told.checked_at, updated_at = now()
    from locked, told
    where leads.id = locked.id and leads.user_id = told.user_id
      and leads.email_key = told.email_key
      and (leads.validated_at is null or leads.validated_at <= told.checked_at)
      and (told.reason <> all (${NO_VERDICT}::text[])
        or coalesce(leads.validation_status, 'unknown') = 'unknown')`.execute(trx);
  await count(trx, jobId, known, before);
}

const rowOf = ({ id, check, againAt, isAnew = false }: ItemResult) => ({
  id,
  status: check.status,
  score: check.score,
  is_valid: check.isValid,
  reason: check.reason,
  checks: check.checks,
  suggestion: check.suggestion,
  checked_at: check.checkedAt,
  again_at: againAt?.toISOString() ?? null,
  is_unasked: isUnasked(check),
  is_anew: isAnew,
});

type ItemBefore = Pick<EmailValidationItem, 'id' | 'email' | 'status'>;

async function statusesOf(
  trx: Transaction<Database>,
  jobId: number,
  results: readonly ItemResult[],
): Promise<Map<number, ItemBefore>> {
  const rows = await trx
    .selectFrom('email_validation_items')
    .select(['id', 'email', 'status'])
    .where('job_id', '=', jobId)
    .where('id', '=', sql<number>`any(${results.map(({ id }) => id)}::bigint[])`)
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A result that replaces another moves from the old count to the new one. */
async function count(
  trx: Transaction<Database>,
  jobId: number,
  results: readonly ItemResult[],
  before: ReadonlyMap<number, ItemBefore>,
): Promise<void> {
  const change = { valid: 0, risky: 0, invalid: 0, unknown: 0, pending: 0 };
  for (const { id, check } of results) {
    change[before.get(id)?.status ?? 'pending'] -= 1;
    change[check.status] += 1;
  }
  await trx
    .updateTable('email_validation_jobs')
    .set((eb) => ({
      valid: eb('valid', '+', change.valid),
      risky: eb('risky', '+', change.risky),
      invalid: eb('invalid', '+', change.invalid),
      unknown: eb('unknown', '+', change.unknown),
      updated_at: new Date(),
    }))
    .where('id', '=', jobId)
    .execute();
}

/** A page of a job's results in the order in which the addresses were given. */
export async function listItems(
  db: Kysely<Database>,
  jobId: number,
  page: { status?: EmailStatus | undefined; limit: number; offset: number },
): Promise<EmailValidationItem[]> {
  let query = db.selectFrom('email_validation_items').where('job_id', '=', jobId);
  const { status } = page;
  if (status === 'pending') query = query.where('status', 'is', null);
  else if (status !== undefined) query = query.where('status', '=', status);
  return query.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
}
