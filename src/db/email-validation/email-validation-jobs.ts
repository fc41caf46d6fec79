/** Jobs that validate many addresses: their rows, and what their workflow asks of them. */
import { sql, type Selectable, type Transaction } from 'kysely';
import type { EmailValidationJobsTable } from './email-validation-tables.ts';
import { jobTable } from '../job-tables.ts';
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

/** It cannot be paused: what a verifier was asked is answered within minutes. */
const table = jobTable('email_validation_jobs', {
  open: 'processing',
  endedAt: 'completed_at',
  // The leads of a list that is gone are gone, too.
  isOver: ({ kind, lead_list_id }) => kind === 'list' && lead_list_id === null,
  // Over without an end of its own: its list was deleted.
  whenCancelled: () => ({ status: 'cancelled' }),
  // Its results stay, and nothing is tried again.
  async whenEnded(trx, id) {
    await trx
      .updateTable('email_validation_items')
      .set({ again_at: null })
      .where('job_id', '=', id)
      .where('again_at', 'is not', null)
      .execute();
  },
});

export const emailValidationRows = table.rows;
export const findUserJob = table.find;
/** The user's job, locked until the transaction ends. */
export const lockUserJob = table.lockOwn;
/** The job, locked until the transaction ends. */
export const lockJob = table.lock;
export const listUserJobs = table.list;
/** Ends a job that is not over; its results stay, and nothing is tried again. */
export const endJob = table.end;
/** What a job's row wants of its workflow. */
export const stateOfJob = table.stateOf;
