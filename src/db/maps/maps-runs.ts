/** Maps runs: their states, counters and how they end. Spec: Maps scraper run. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { JobState } from '../../domain/operations/jobs.ts';
import { isFinal, type MapsRunStatus, type MapsSearchOrder } from '../../domain/maps/maps.ts';
import { forgetPlaces } from '../schedules/schedule-places.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { JobEnd, JobRows } from '../job-rows.ts';
import { releaseItems } from './maps-items.ts';
import type { MapsRunsTable } from './maps-tables.ts';
import type { Database } from '../tables.ts';

export type MapsRun = Selectable<MapsRunsTable>;

export interface NewMapsRun {
  userId: string;
  leadListId: number | null;
  provider: string;
  search: MapsSearchOrder;
  scrapeContacts: boolean;
  verifyEmails: boolean;
  totalQueries: number;
  /** Whose places it remembers. */
  schedule?: { id: number; onlyNewPlaces: boolean } | undefined;
}

export const insertMapsRun = (trx: Transaction<Database>, run: NewMapsRun): Promise<MapsRun> =>
  trx
    .insertInto('maps_runs')
    .values({
      user_id: run.userId,
      lead_list_id: run.leadListId,
      provider: run.provider,
      status_message: 'Waiting for its turn',
      search: JSON.stringify(run.search),
      scrape_contacts: run.scrapeContacts,
      verify_emails: run.verifyEmails,
      enrich_wanted: run.scrapeContacts,
      total_queries: run.totalQueries,
      schedule_id: run.schedule?.id ?? null,
      only_new_places: run.schedule?.onlyNewPlaces ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const getMapsRun = (db: Kysely<Database>, id: number): Promise<MapsRun> =>
  db.selectFrom('maps_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const findUserMapsRun = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<MapsRun | undefined> => userRuns(db, userId).where('id', '=', id).executeTakeFirst();

/** The user's run, locked until the transaction ends. */
export const lockUserMapsRun = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<MapsRun | undefined> =>
  userRuns(trx, userId).where('id', '=', id).forUpdate().executeTakeFirst();

/** The row, locked until the transaction ends. */
export const lockMapsRun = (trx: Transaction<Database>, id: number): Promise<MapsRun> =>
  trx
    .selectFrom('maps_runs')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** A page of a user's runs, newest first. Choice 31. */
export async function listMapsRuns(
  db: Kysely<Database>,
  userId: string,
  page: {
    status?: MapsRunStatus | undefined;
    leadListId?: number | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: MapsRun[]; total: number }> {
  let query = userRuns(db, userId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.leadListId !== undefined) query = query.where('lead_list_id', '=', page.leadListId);
  const [rows, count] = await Promise.all([
    query.orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    query
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}

type RunChange = Partial<{
  [K in keyof Omit<MapsRun, 'id' | 'search' | 'created_at' | 'updated_at'>]: MapsRun[K];
}>;

/** Overwrites some columns. */
export const updateMapsRun = (
  trx: Kysely<Database>,
  id: number,
  change: RunChange,
): Promise<MapsRun> =>
  trx
    .updateTable('maps_runs')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** How the counters of a run change with its items in the same transaction. */
export interface CounterChange {
  enriched?: number;
  failed?: number;
}

export async function countMapsItems(
  trx: Transaction<Database>,
  id: number,
  { enriched = 0, failed = 0 }: CounterChange,
): Promise<void> {
  if (enriched === 0 && failed === 0) return;
  await trx
    .updateTable('maps_runs')
    .set({
      enriched_items: sql`enriched_items + ${enriched}`,
      failed_items: sql`failed_items + ${failed}`,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
}

/** Ends a run: running visits are given up, and their items return to their earlier state. */
export async function endMapsRun(
  trx: Transaction<Database>,
  id: number,
  end: {
    status: 'completed' | 'failed' | 'cancelled';
    message: string;
    errorCode?: string | undefined;
  },
): Promise<MapsRun> {
  await countMapsItems(trx, id, await releaseItems(trx, id));
  const run = await updateMapsRun(trx, id, {
    status: end.status,
    status_message: end.message,
    error_code: end.errorCode ?? null,
    enrich_wanted: false,
    enrich_force: false,
    completed_at: new Date(),
  });
  if (run.schedule_id !== null) await forgetPlaces(trx, run.schedule_id);
  if (end.status !== 'cancelled') await insertEvents(trx, [endedEvent(run, end.status)]);
  return run;
}

const endedEvent = (run: MapsRun, status: 'completed' | 'failed') => ({
  userId: run.user_id,
  type: `maps_run.${status}` as const,
  resource: `maps_run/${run.id}`,
  payload: {
    runId: run.id,
    status,
    message: run.status_message,
    errorCode: run.error_code,
    savedItems: run.saved_items,
    enrichedItems: run.enriched_items,
  },
});

export const mapsRunRows: JobRows = {
  lockState: async (trx, id) => jobStateOf(await lockMapsRun(trx, id)),
  apply: async (trx, id, request) => {
    if (request !== 'cancel' || isFinal((await lockMapsRun(trx, id)).status)) return;
    await endMapsRun(trx, id, { status: 'cancelled', message: 'Cancelled' });
  },
  settle,
};

const jobStateOf = (run: MapsRun): JobState =>
  isFinal(run.status) || run.deleted_at !== null ? 'over' : 'active';

/**
 * A run that another operation has continued since stays unchanged. Choices 30, 63: with saved places it is
 * completed, with a note of what happened; with none it has failed.
 */
async function settle(trx: Transaction<Database>, id: number, end: JobEnd): Promise<void> {
  const run = await lockMapsRun(trx, id);
  if (isFinal(run.status)) return;
  if (end.operationId !== undefined && end.operationId !== run.operation_id) return;
  if (end.outcome === 'succeeded') {
    await endMapsRun(trx, id, { status: 'completed', message: 'Done' });
  } else if (end.error?.code === 'CANCELLED') {
    await endMapsRun(trx, id, { status: 'cancelled', message: 'Cancelled' });
  } else {
    const reason = end.error?.message ?? 'The run was ended';
    const status = run.saved_items > 0 ? 'completed' : 'failed';
    const message = status === 'failed' ? reason : `Ended early: ${reason}`;
    await endMapsRun(trx, id, { status, message, errorCode: end.error?.code });
  }
}

const userRuns = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('maps_runs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);
