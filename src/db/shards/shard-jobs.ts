/** The jobs of shards: handed over by their workflows, due at a time, reported back at their end. */
import { sql, type Kysely, type Selectable } from 'kysely';
import { SHARDS, type ShardReport, type ShardedType } from '../../domain/shards/shards.ts';
import type { SeenChanges } from '../../domain/operations/jobs.ts';
import type { Database } from '../tables.ts';
import { samePlan } from '../same-plan.ts';
import { SHARD_JOB_COLUMNS, type ShardJobsTable } from './shard-tables.ts';

export type ShardJob = Selectable<ShardJobsTable>;

const JOB_COLUMNS = sql.join(SHARD_JOB_COLUMNS.map((column) => sql.ref(`job.${column}`)));

/** Hands a job over, due at once. A repeat of an earlier turn changes nothing. */
export async function handOver(
  db: Kysely<Database>,
  given: { operationId: number; turn: number; build: string | null; now: Date },
): Promise<void> {
  const { operationId, turn, build, now } = given;
  await sql`
    insert into shard_jobs as job (operation_id, resource_type, resource_id, shard, turn, build, due_at)
    select id, resource_type, resource_id, resource_id % ${SHARDS}::int, ${turn}, ${build}, ${now}
    from operations where id = ${operationId} and finished_at is null
    on conflict (operation_id) do update
      set turn = excluded.turn, build = excluded.build, due_at = excluded.due_at, wakes = job.wakes + 1, report = null,
        failures = 0, error = null, note = null
      where job.turn < excluded.turn`.execute(db);
}

/**
 * Due jobs of these shards, without those that are running. Accounts take turns: whose fewest jobs run goes first, and
 * of one account what is due longest, so that thousands of jobs of one account hold up nobody else. An inbox stays due
 * while it is read.
 */
export async function listDueJobs(
  db: Kysely<Database>,
  wanted: {
    shards: readonly number[];
    types: readonly ShardedType[];
    running: readonly number[];
    now: Date;
    limit: number;
  },
): Promise<ShardJob[]> {
  const { shards, types, running, now, limit } = wanted;
  if (shards.length === 0 || types.length === 0 || limit <= 0) return [];
  // Those that run are counted before what waits: else each place that is given back went to who waits longest again.
  // Accounts are looked up one by one: a join would read all operations that there ever were.
  const { rows } = await sql<ShardJob>`/*list-due-jobs*/
    select ${JOB_COLUMNS} from (
      select operation_id, due_at, is_running,
        row_number() over (partition by account order by is_running desc, due_at, operation_id) as turn
      from (
        select operation_id, due_at, operation_id = any (${samePlan([...running], 'bigint[]')}) as is_running,
          (select user_id from operations where id = operation_id) as account
        from shard_jobs
        where report is null and shard = any (${samePlan([...shards], 'smallint[]')})
          and due_at <= ${samePlan(now, 'timestamptz')}
          and resource_type = any (${samePlan([...types], 'text[]')})
      ) as due
      order by is_running, turn, due_at limit ${limit}
    ) as next join shard_jobs as job using (operation_id)
    where not is_running
    order by next.turn, next.due_at`.execute(db);
  return rows;
}

/**
 * When to look at it again; at once where somebody has asked for that since `job` was read. `seen` is what the session
 * knew at its last look, `note` what it said. One that failed knows nothing, and is soon repeated.
 */
export async function putOff(
  db: Kysely<Database>,
  job: Pick<ShardJob, 'operation_id' | 'turn' | 'wakes'>,
  {
    until,
    now,
    error = null,
    note = null,
    seen,
  }: {
    until: Date;
    now: Date;
    error?: string | null;
    note?: string | null;
    seen?: SeenChanges | undefined;
  },
): Promise<void> {
  const change = seen
    ? sql`${seen.change}::timestamptz`
    : sql`(select updated_at from campaigns where id = job.resource_id)`;
  const due = seen ? sql`${seen.due}::timestamptz` : firstDue;
  // What usually follows: one text, planned once.
  const name = seen && error === null ? sql`/*put-off*/` : sql``;
  await sql`${name}
    update shard_jobs as job
    set due_at = case when job.wakes = ${job.wakes} then ${until}::timestamptz else ${now}::timestamptz end,
      failures = ${error === null ? sql`0` : sql`job.failures + 1`}, error = ${error}, note = ${note},
      seen_change = case when job.resource_type = 'campaign' then ${change} end,
      seen_due = case when job.resource_type = 'campaign' then ${due} end
    where operation_id = ${job.operation_id} and turn = ${job.turn} and report is null`.execute(db);
}

/** The first message that is due and has no mailbox yet. */
const firstDue = sql`(select due_at from recipients
  where campaign_id = job.resource_id and mailbox_id is null and due_at is not null
  order by mailbox_id, due_at limit 1)`;

/** Who is due already keeps the place before those that became due later, however often somebody asks. */
const dueBy = (now: Date) => sql`least(due_at, ${now}::timestamptz)`;

/** Makes waiting campaigns due whose row or first recipient has changed since the last look of their session. */
export async function wakeChangedCampaigns(
  db: Kysely<Database>,
  { shards, now }: { shards: readonly number[]; now: Date },
): Promise<void> {
  const since = samePlan(now, 'timestamptz');
  await sql`/*wake-changed-campaigns*/
    update shard_jobs set due_at = ${now} where operation_id in (
      select operation_id from shard_jobs as job join campaigns on campaigns.id = job.resource_id
      where job.resource_type = 'campaign' and job.report is null
        and job.shard = any (${samePlan([...shards], 'smallint[]')}) and job.due_at > ${since}
        and (campaigns.updated_at is distinct from job.seen_change
          or ${firstDue} is distinct from job.seen_due)
      order by operation_id for update of job skip locked)`.execute(db);
}

/**
 * Asks that these be looked at at once, also where a session is ending just now. Answers those that a shard has:
 * others wait in a workflow of before, or for nothing.
 */
export async function wakeShardJobs(
  db: Kysely<Database>,
  { type, ids, now }: { type: ShardedType; ids: readonly number[]; now: Date },
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ resource_id: number }>`
    update shard_jobs set due_at = ${dueBy(now)}, wakes = wakes + 1
    where operation_id in (
      select operation_id from shard_jobs
      where resource_type = ${type} and resource_id = any (${[...ids]}::bigint[])
      order by operation_id for update)
    returning resource_id`.execute(db);
  return new Set(rows.map(({ resource_id: id }) => id));
}

/** Asks that the job of an operation be looked at at once: somebody has changed what it is to do. */
export async function wakeJobOf(
  db: Kysely<Database>,
  { operationId, now }: { operationId: number; now: Date },
): Promise<void> {
  await sql`
    update shard_jobs set due_at = ${dueBy(now)}, wakes = wakes + 1
    where operation_id = ${operationId}`.execute(db);
}

/** Ends the work of this turn; its workflow is told next. What its last session waited for is over. */
export async function reportJob(
  db: Kysely<Database>,
  job: Pick<ShardJob, 'operation_id' | 'turn'>,
  report: ShardReport,
): Promise<void> {
  await db
    .updateTable('shard_jobs')
    .set({ report: JSON.stringify(report), note: null, error: null })
    .where('operation_id', '=', job.operation_id)
    .where('turn', '=', job.turn)
    .execute();
}

export interface UntoldReport {
  operation_id: number;
  turn: number;
  report: ShardReport;
  workflow_id: string;
  run_key: string | null;
}

export async function listReports(
  db: Kysely<Database>,
  shards: readonly number[],
): Promise<UntoldReport[]> {
  if (shards.length === 0) return [];
  return db
    .selectFrom('shard_jobs')
    .innerJoin('operations', 'operations.id', 'shard_jobs.operation_id')
    .modifyFront(sql`/*list-reports*/`)
    .select(['operation_id', 'turn', 'report', 'workflow_id', 'run_key'])
    .where('shard', '=', sql<number>`any (${samePlan([...shards], 'smallint[]')})`)
    .where('report', 'is not', null)
    .$narrowType<{ report: ShardReport }>()
    .limit(200)
    .execute();
}

/**
 * Jobs whose runs are pinned to another build of the workers than this one, and were not called within the last
 * hour. They are noted as called: a call that gets lost is repeated.
 *
 * Which build is the current one Temporal alone knows, and one that is taken back has to call the runs of the newer one.
 * So workers of an old build call runs of the current one, too, while they stand beside each other. That is harmless: a
 * run moves only to the current build, so this one stays and hands its job over with a new turn. The session that is at
 * work goes on, what it says of the turn of before changes nothing, and the next one finds all in the rows. It costs a
 * signal and an activity for each such job and hour.
 */
export async function callRunsOfOtherBuilds(
  db: Kysely<Database>,
  { shards, build, limit }: { shards: readonly number[]; build: string; limit: number },
): Promise<{ workflow_id: string; run_key: string | null }[]> {
  const { rows } = await sql<{ workflow_id: string; run_key: string | null }>`
    with called as (
      update shard_jobs set called_at = now() where operation_id in (
        select operation_id from shard_jobs
        where shard = any (${[...shards]}::smallint[]) and report is null
          and build is distinct from ${build}
          and (called_at is null or called_at < now() - interval '1 hour')
        order by operation_id limit ${limit})
      returning operation_id
    )
    select workflow_id, run_key from operations join called on called.operation_id = operations.id`.execute(
    db,
  );
  return rows;
}

/** The operation has ended: nothing is left to do for it. */
export async function removeJobOf(db: Kysely<Database>, operationId: number): Promise<void> {
  await db.deleteFrom('shard_jobs').where('operation_id', '=', operationId).execute();
}

/** Its workflow has been told: it hands the job over once more where there is more to do. */
export async function removeJob(
  db: Kysely<Database>,
  job: Pick<ShardJob, 'operation_id' | 'turn'>,
): Promise<void> {
  await db
    .deleteFrom('shard_jobs')
    .where('operation_id', '=', job.operation_id)
    .where('turn', '=', job.turn)
    .execute();
}
