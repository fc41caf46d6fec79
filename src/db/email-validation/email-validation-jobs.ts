/** Jobs that validate many addresses: their rows, and how their workflow uses them. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { EmailValidationStatus } from '../../domain/email-validation/email-validation.ts';
import type { JobState } from '../../domain/operations/jobs.ts';
import type { EmailValidationJobsTable } from './email-validation-tables.ts';
import type { JobRows } from '../job-rows.ts';
import type { Database } from '../tables.ts';

export type EmailValidationJob = Selectable<EmailValidationJobsTable>;

/** Replaces the address of an erased person, as an erasure does. */
const ERASED = { email: '(erased)', key: null };

/** A job for addresses in the request. Items with addresses of the list's leads refer to these leads. */
export async function insertBulkJob(
  trx: Transaction<Database>,
  job: {
    userId: string;
    leadListId: number | null;
    /**
     * `key`: the form by which leads are compared; null where it is no address. Nothing of an erased one is
     * kept.
     */
    emails: readonly { email: string; key: string | null; isErased?: boolean }[];
  },
): Promise<EmailValidationJob> {
  const { userId, leadListId, emails } = job;
  const kept = emails.map((each) => (each.isErased ? ERASED : each));
  const unknown = kept.filter((each) => each === ERASED).length;
  const counts = { total: emails.length, unknown };
  const row = await insertJob(trx, { userId, leadListId, kind: 'bulk', ...counts });
  await sql`
    insert into email_validation_items
      (job_id, email, email_key, lead_id, status, score, is_valid, reason, checked_at)
    select ${row.id}, given.email, given.key, lead.id, given.status,
      case when given.status is not null then 0 end,
      case when given.status is not null then false end,
      case when given.status is not null then 'erased' end,
      case when given.status is not null then now() end
    from unnest(${kept.map(({ email }) => email)}::text[], ${kept.map(({ key }) => key)}::text[],
      ${kept.map((each) => (each === ERASED ? 'unknown' : null))}::text[])
      with ordinality as given (email, key, status, place)
    left join (
      select min(leads.id) as id, leads.email_key from leads
      join companies on companies.id = leads.company_id
      where leads.user_id = ${userId} and companies.lead_list_id = ${leadListId}
      group by leads.email_key
    ) as lead on lead.email_key = given.key
    order by given.place`.execute(trx);
  return row;
}

/** A job over the addresses of a list's leads, each once. */
export async function insertListJob(
  trx: Transaction<Database>,
  { userId, leadListId }: { userId: string; leadListId: number },
): Promise<EmailValidationJob> {
  const { id } = await insertJob(trx, { userId, leadListId, kind: 'list', total: 0 });
  await sql`
    with items as (
      insert into email_validation_items (job_id, email, email_key, lead_id)
      select ${id}, email, email_key, id from (
        select distinct on (leads.email_key) leads.id, leads.email, leads.email_key
        from leads join companies on companies.id = leads.company_id
        where leads.user_id = ${userId} and companies.lead_list_id = ${leadListId}
          and leads.email_key is not null
        order by leads.email_key, leads.id) as one
      order by id
      returning 1)
    update email_validation_jobs set total = (select count(*) from items)
    where id = ${id}`.execute(trx);
  return trx
    .selectFrom('email_validation_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

const insertJob = (
  trx: Transaction<Database>,
  job: {
    userId: string;
    leadListId: number | null;
    kind: 'bulk' | 'list';
    total: number;
    unknown?: number;
  },
): Promise<EmailValidationJob> =>
  trx
    .insertInto('email_validation_jobs')
    .values({
      user_id: job.userId,
      lead_list_id: job.leadListId,
      kind: job.kind,
      total: job.total,
      unknown: job.unknown ?? 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const findUserJob = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<EmailValidationJob | undefined> =>
  db
    .selectFrom('email_validation_jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The user's job, locked until the transaction ends. */
export const lockUserJob = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<EmailValidationJob | undefined> =>
  trx
    .selectFrom('email_validation_jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** The job, locked until the transaction ends. */
export const lockJob = (trx: Transaction<Database>, id: number): Promise<EmailValidationJob> =>
  trx
    .selectFrom('email_validation_jobs')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** A page of a user's jobs, newest first. */
export async function listUserJobs(
  db: Kysely<Database>,
  userId: string,
  page: {
    status?: EmailValidationStatus | undefined;
    leadListId?: number | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: EmailValidationJob[]; total: number }> {
  let query = db.selectFrom('email_validation_jobs').where('user_id', '=', userId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.leadListId !== undefined) query = query.where('lead_list_id', '=', page.leadListId);
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** Ends an unfinished job; its results are kept, and nothing is retried. */
export async function endJob(
  trx: Transaction<Database>,
  id: number,
  status: Exclude<EmailValidationStatus, 'processing'>,
  error?: { code: string; message: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('email_validation_jobs')
    .set({
      status,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      completed_at: new Date(),
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await trx
    .updateTable('email_validation_items')
    .set({ again_at: null })
    .where('job_id', '=', id)
    .where('again_at', 'is not', null)
    .execute();
}

/** The state that a job's row gives its workflow. A deleted list has no leads to check: its job is over. */
export const stateOfJob = ({ status, kind, lead_list_id }: EmailValidationJob): JobState =>
  status !== 'processing' || (kind === 'list' && lead_list_id === null) ? 'over' : 'active';

/** Cannot be paused: a verifier that was asked answers within minutes. */
export const emailValidationRows: JobRows = {
  lockState: async (trx, id) => stateOfJob(await lockJob(trx, id)),
  async apply(trx, id, request) {
    if (request === 'cancel') await endJob(trx, id, 'cancelled');
  },
  async settle(trx, id, { outcome, error }) {
    if (outcome === 'succeeded') return endJob(trx, id, 'completed');
    // The job was over because its list was deleted.
    if (error?.code === 'CANCELLED') return endJob(trx, id, 'cancelled');
    return endJob(trx, id, 'failed', error);
  },
};
