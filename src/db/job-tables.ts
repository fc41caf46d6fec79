/**
 * Tables of long jobs that cannot be paused: one row each, open until it is completed, failed or
 * cancelled. What their workflows ask of them, and what their owners do.
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { JobState } from '../domain/operations/jobs.ts';
import type { EmailValidationJobsTable } from './email-validation/email-validation-tables.ts';
import type { JobRows } from './job-rows.ts';
import type { LeadImportsTable } from './leads/lead-import-tables.ts';
import type { MailboxImportsTable } from './mailboxes/mailbox-import-tables.ts';
import type { MapsImportsTable } from './maps/maps-tables.ts';
import type { PlacementTestsTable } from './placement/placement-tables.ts';
import type { Database } from './tables.ts';

interface Rows {
  lead_imports: Selectable<LeadImportsTable>;
  email_validation_jobs: Selectable<EmailValidationJobsTable>;
  maps_imports: Selectable<MapsImportsTable>;
  mailbox_imports: Selectable<MailboxImportsTable>;
  placement_tests: Selectable<PlacementTestsTable>;
}
type TableName = keyof Rows;
type Row<T extends TableName> = Rows[T];

type Transacted = Transaction<Database>;

interface JobError {
  code: string;
  message: string;
}

interface End {
  status: 'completed' | 'failed' | 'cancelled';
  error?: JobError | undefined;
}

/** What a table has of its own. */
export interface JobTableRules<T extends TableName> {
  /** The status of a job that is not over. */
  open: Row<T>['status'];
  /** Its column for the moment of the end. */
  endedAt: Extract<keyof Database[T], 'completed_at' | 'finished_at'>;
  /** What makes an open job over besides. */
  isOver?: (row: Row<T>) => boolean;
  /** How a job ends whose workflow was cancelled while the row was open. */
  whenCancelled: (error: JobError) => End;
  /** What goes with the end, in its transaction, once. */
  whenEnded?: (trx: Transacted, id: number) => Promise<void>;
}

/** A page of a user's rows, newest first. */
export interface JobPage<T extends TableName> {
  status?: Row<T>['status'] | undefined;
  leadListId?: number | undefined;
  limit: number;
  offset: number;
}

export interface JobTable<T extends TableName> {
  rows: JobRows;
  /** What the row wants of its workflow. */
  stateOf: (row: Row<T>) => JobState;
  /** The row, locked until the transaction ends. */
  lock: (trx: Transacted, id: number) => Promise<Row<T>>;
  find: (db: Kysely<Database>, userId: string, id: number) => Promise<Row<T> | undefined>;
  /** As `find`, locked until the transaction ends. */
  lockOwn: (trx: Transacted, userId: string, id: number) => Promise<Row<T> | undefined>;
  list: (
    db: Kysely<Database>,
    userId: string,
    page: JobPage<T>,
  ) => Promise<{ rows: Row<T>[]; total: number }>;
  /** Ends a job that is not over; safe to repeat. */
  end: (trx: Transacted, id: number, end: End) => Promise<void>;
}

export function jobTable<T extends TableName>(
  table: T,
  { open, endedAt, isOver = () => false, whenCancelled, whenEnded }: JobTableRules<T>,
): JobTable<T> {
  // They have these columns in common; Kysely knows one table at a time.
  const from = (db: Kysely<Database>) => db.selectFrom(table as 'lead_imports');
  const asRow = (row: unknown) => row as Row<T>;

  const stateOf = (row: Row<T>): JobState =>
    row.status === open && !isOver(row) ? 'active' : 'over';

  const byId = (db: Kysely<Database>, id: number) => from(db).selectAll().where('id', '=', id);
  const lock = async (trx: Transacted, id: number) =>
    asRow(await byId(trx, id).forUpdate().executeTakeFirstOrThrow());

  const end = async (trx: Transacted, id: number, { status, error }: End): Promise<void> => {
    const now = new Date();
    const { numAffectedRows } = await sql`
      update ${sql.table(table)}
      set status = ${status}, error_code = ${error?.code ?? null},
        error_message = ${error?.message ?? null}, ${sql.ref(endedAt)} = ${now}, updated_at = ${now}
      where id = ${id} and status = ${open}`.execute(trx);
    if (numAffectedRows !== 0n) await whenEnded?.(trx, id);
  };

  const rows: JobRows = {
    lockState: async (trx, id) => stateOf(await lock(trx, id)),
    async apply(trx, id, request) {
      if (request === 'cancel') await end(trx, id, { status: 'cancelled' });
    },
    async settle(trx, id, { outcome, error }) {
      if (outcome === 'succeeded') await end(trx, id, { status: 'completed' });
      else if (error?.code === 'CANCELLED') await end(trx, id, whenCancelled(error));
      else await end(trx, id, { status: 'failed', error });
    },
  };

  return {
    rows,
    stateOf,
    lock,
    find: async (db, userId, id) =>
      asRow(await byId(db, id).where('user_id', '=', userId).executeTakeFirst()),
    lockOwn: async (trx, userId, id) =>
      asRow(await byId(trx, id).where('user_id', '=', userId).forUpdate().executeTakeFirst()),
    async list(db, userId, { status, leadListId, limit, offset }) {
      let query = from(db).where('user_id', '=', userId);
      if (status !== undefined) query = query.where('status', '=', status as 'processing');
      if (leadListId !== undefined) query = query.where('lead_list_id', '=', leadListId);
      const found = await query
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await query
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { rows: found.map(asRow), total: Number(total) };
    },
    end,
  };
}
