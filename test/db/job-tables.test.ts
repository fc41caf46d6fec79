/** What the kinds of jobs that cannot be paused have in common, asked of each on Postgres. */
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  emailValidationRows,
  insertBulkJob,
  insertListJob,
} from '../../src/db/email-validation/email-validation-jobs.ts';
import type { JobEnd, JobRows } from '../../src/db/job-rows.ts';
import { insertLeadImport, leadImportRows } from '../../src/db/leads/lead-imports.ts';
import { insertLeadList } from '../../src/db/leads/lead-lists.ts';
import { insertMailboxImport } from '../../src/db/mailboxes/mailbox-imports.ts';
import { insertMapsImport, mapsImportRows } from '../../src/db/maps/maps-imports.ts';
import { insertMapsRun } from '../../src/db/maps/maps-runs.ts';
import type { Database } from '../../src/db/tables.ts';
import { mailboxImportRows } from '../../src/transactions/mailboxes/mailbox-imports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { importOrder, searchOrder } from '../support/leads/maps-world.ts';

const userId = 'user-1';
let database: TestDatabase;
let leadListId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const user = { user_id: userId, email: 'user@example.test' };
  await database.db.insertInto('users').values(user).execute();
  ({ id: leadListId } = await newList());
});

afterAll(() => database.close());

const newList = () => insertLeadList(database.db, { userId, name: 'A list' });

const inTransaction = <T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T> =>
  database.db.transaction().execute(work);

interface Kind {
  table: 'lead_imports' | 'email_validation_jobs' | 'maps_imports' | 'mailbox_imports';
  rows: JobRows;
  open: string;
  endedAt: string;
  insert: (trx: Transaction<Database>) => Promise<{ id: number }>;
  /** The status and the code of one whose workflow was cancelled. */
  cancelled: [status: string, code: string | null];
}

const kinds: Kind[] = [
  {
    table: 'lead_imports',
    rows: leadImportRows,
    open: 'processing',
    endedAt: 'finished_at',
    insert: (trx) => insertLeadImport(trx, leadFile()),
    cancelled: ['failed', 'CANCELLED'],
  },
  {
    table: 'email_validation_jobs',
    rows: emailValidationRows,
    open: 'processing',
    endedAt: 'completed_at',
    insert: (trx) => insertBulkJob(trx, { userId, leadListId, emails: [] }),
    cancelled: ['cancelled', null],
  },
  {
    table: 'maps_imports',
    rows: mapsImportRows,
    open: 'running',
    endedAt: 'completed_at',
    insert: insertPlaces,
    cancelled: ['cancelled', 'CANCELLED'],
  },
  {
    table: 'mailbox_imports',
    rows: mailboxImportRows,
    open: 'processing',
    endedAt: 'finished_at',
    insert: (trx) => insertMailboxImport(trx, { userId, fileName: null, totalRows: 1 }),
    cancelled: ['cancelled', null],
  },
];

const leadFile = () => ({
  userId,
  leadListId,
  fileName: null,
  source: null,
  delimiter: ',' as const,
  headers: ['E-Mail'],
  mapping: {},
  totalRows: 1,
  parts: [{ firstRow: 2, content: 'ada@example.test' }],
});

async function insertPlaces(trx: Transaction<Database>): Promise<{ id: number }> {
  const run = await insertMapsRun(trx, {
    userId,
    leadListId,
    provider: 'apify',
    search: searchOrder(),
    scrapeContacts: false,
    verifyEmails: false,
    totalQueries: 1,
  });
  return insertMapsImport(trx, { userId, runId: run.id, leadListId, options: importOrder() });
}

interface Ended {
  status: string;
  error_code: string | null;
  error_message: string | null;
  ended_at: Date | null;
}

async function rowOf({ table, endedAt }: Kind, id: number): Promise<Ended> {
  const { rows } = await sql<Ended>`
    select status, error_code, error_message, ${sql.ref(endedAt)} as ended_at
    from ${sql.table(table)} where id = ${id}`.execute(database.db);
  return rows[0]!;
}

describe.each(kinds)('a job of $table', (kind) => {
  const { rows, open } = kind;
  const begin = async () => (await inTransaction(kind.insert)).id;
  const stateOf = (id: number) => inTransaction((trx) => rows.lockState(trx, id));
  const settle = (id: number, end: JobEnd) => inTransaction((trx) => rows.settle(trx, id, end));

  it('is open at first, and neither pauses nor resumes', async () => {
    const id = await begin();
    for (const request of ['pause', 'resume'] as const) {
      await inTransaction((trx) => rows.apply(trx, id, request));
    }
    expect(await stateOf(id)).toBe('active');
    expect(await rowOf(kind, id)).toMatchObject({ status: open, ended_at: null });
  });

  it('keeps its first end, however often and however else it is ended after that', async () => {
    const id = await begin();
    await settle(id, { outcome: 'succeeded' });
    const first = await rowOf(kind, id);
    expect(first).toMatchObject({ status: 'completed', error_code: null });
    expect(first.ended_at).toBeInstanceOf(Date);
    await settle(id, { outcome: 'succeeded' });
    await settle(id, { outcome: 'failed', error: { code: 'LOST', message: 'Lost' } });
    await inTransaction((trx) => rows.apply(trx, id, 'cancel'));
    expect(await rowOf(kind, id)).toEqual(first);
    expect(await stateOf(id)).toBe('over');
  });

  it('is cancelled on request, without an error', async () => {
    const id = await begin();
    await inTransaction((trx) => rows.apply(trx, id, 'cancel'));
    expect(await rowOf(kind, id)).toMatchObject({ status: 'cancelled', error_code: null });
  });

  it('fails with what its workflow says', async () => {
    const id = await begin();
    await settle(id, { outcome: 'failed', error: { code: 'LOST', message: 'Lost' } });
    const failed = { status: 'failed', error_code: 'LOST', error_message: 'Lost' };
    expect(await rowOf(kind, id)).toMatchObject(failed);
  });

  it('ends in its own way where its workflow was cancelled', async () => {
    const id = await begin();
    await settle(id, { outcome: 'failed', error: { code: 'CANCELLED', message: 'Cancelled' } });
    const { status, error_code } = await rowOf(kind, id);
    expect([status, error_code]).toEqual(kind.cancelled);
  });

  it('is ended by a transaction that ends, and by no other', async () => {
    const id = await begin();
    const lost = inTransaction(async (trx) => {
      await rows.settle(trx, id, { outcome: 'succeeded' });
      throw new Error('the process died');
    });
    await expect(lost).rejects.toThrow('the process died');
    expect(await stateOf(id)).toBe('active');
  });

  it('is not there without its row', async () => {
    await expect(stateOf(999_999_999)).rejects.toThrow('no result');
  });
});

describe('what goes with the end', () => {
  it('is the rest of a file', async () => {
    const { id } = await inTransaction((trx) => insertLeadImport(trx, leadFile()));
    const parts = () =>
      database.db.selectFrom('lead_import_parts').selectAll().where('import_id', '=', id).execute();
    expect(await parts()).toHaveLength(1);
    await inTransaction((trx) => leadImportRows.settle(trx, id, { outcome: 'succeeded' }));
    expect(await parts()).toEqual([]);
  });
});

describe('a deleted list', () => {
  it('ends the validation of its leads and the import into it, not that of a file’s rows', async () => {
    const own = await newList();
    const ids = await inTransaction(async (trx) => [
      (await insertListJob(trx, { userId, leadListId: own.id })).id,
      (await insertPlaces(trx)).id,
      (await insertLeadImport(trx, leadFile())).id,
    ]);
    const [validation, places, file] = ids as [number, number, number];
    await inTransaction(async (trx) => {
      for (const [table, id] of [
        ['email_validation_jobs', validation],
        ['maps_imports', places],
        ['lead_imports', file],
      ] as const) {
        await sql`update ${sql.table(table)} set lead_list_id = null where id = ${id}`.execute(trx);
      }
      expect(await emailValidationRows.lockState(trx, validation)).toBe('over');
      expect(await mapsImportRows.lockState(trx, places)).toBe('over');
      expect(await leadImportRows.lockState(trx, file)).toBe('active');
    });
  });
});
