/** Removes the rows of lists that are being deleted, batch by batch. Choice 4. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { lockAccountLeads } from './lead-locks.ts';
import { removeLeadRows } from './leads.ts';
import type { Database } from '../tables.ts';
import { BEHIND_ALL } from './deleted-lists.ts';
import type { HiddenRangesTable } from './lead-tables.ts';

/**
 * At most this many leads and as many companies are removed in one transaction: it locks the account for some
 * tens of milliseconds, during which imports wait.
 */
export const LIST_PORTION = 2_000;

interface Removed {
  companies: number;
  leads: number;
}

/** How far a deletion is, in leads. */
export interface ListRemoval {
  isDone: boolean;
  total: number;
  removed: number;
}

/**
 * Removes the next batch of a list that is being deleted, in a transaction of its own; the list's row goes
 * with the last batch. Safe to repeat at any point: removed rows are not found again.
 */
export const removeListPortion = (
  db: Kysely<Database>,
  listId: number,
  portion = LIST_PORTION,
): Promise<ListRemoval> =>
  db.transaction().execute(async (trx) => {
    const list = await trx
      .selectFrom('lead_lists')
      .select(['user_id', 'deleted_at', 'deleted_leads', 'removed_leads'])
      .where('id', '=', listId)
      .executeTakeFirst();
    if (!list?.deleted_at) return { isDone: true, total: 0, removed: 0 };
    await lockAccountLeads(trx, list.user_id);
    const { leads, isEmpty } = await removePortion(trx, listId, portion);
    const removed = list.removed_leads + leads;
    const total = Math.max(list.deleted_leads, removed);
    if (isEmpty && (await removeEmptyList(trx, listId))) return { isDone: true, total, removed };
    await trx
      .updateTable('lead_lists')
      .set({ removed_leads: removed })
      .where('id', '=', listId)
      .execute();
    return { isDone: false, total, removed };
  });

/**
 * Removes a list that fits into one batch, with its row. `more`: it did not, since rows were added meanwhile.
 * Undefined when it is gone already.
 */
export async function removeSmallList(
  trx: Transaction<Database>,
  userId: string,
  listId: number,
): Promise<Removed | 'more' | undefined> {
  await lockAccountLeads(trx, userId);
  // Waits for transactions that are storing a lead in it: that lead is removed, too.
  if (!(await lockList(trx, listId))) return undefined;
  const { companies, leads, isEmpty } = await removePortion(trx, listId, LIST_PORTION);
  if (!isEmpty || !(await removeEmptyList(trx, listId))) return 'more';
  return { companies, leads };
}

/**
 * So many are looked at in one transaction. It locks the account for 0.1 s, and for a second where each gap between them
 * has to be read from the disk: only imports and the like wait for that.
 */
const HIDING_PORTION = 50_000;
/** Fewer hidden ones one after the other are read in no time. */
const LEAST_HIDDEN = 1_000;

const KINDS = ['leads', 'companies'] as const;

/** `id` of what a list has of a kind. */
const membersOf = (kind: HiddenRangesTable['kind'], listId: number) =>
  kind === 'leads'
    ? sql`(select lead_id as id from lead_list_members where lead_list_id = ${listId})`
    : sql`(select id from companies where lead_list_id = ${listId})`;

const cursorOf = (kind: HiddenRangesTable['kind']) =>
  sql.ref(kind === 'leads' ? 'hidden_leads_from' : 'hidden_companies_from');

/**
 * Notes the ids of a list that has no gaps, as an import at a quiet time leaves it, in the transaction that hides it. The
 * account is locked.
 */
export async function hideWithoutGaps(
  trx: Transaction<Database>,
  { userId, listId }: { userId: string; listId: number },
): Promise<void> {
  for (const kind of KINDS) {
    if (!(await hideWhole(trx, { userId, listId, kind, least: LEAST_HIDDEN }))) continue;
    await sql`update lead_lists set ${cursorOf(kind)} = 0 where id = ${listId}`.execute(trx);
  }
}

/**
 * Notes the next ranges of ids in which all leads of the account, then all companies, are of the list, in a transaction
 * of its own, from the newest to the oldest. False when there is nothing left to be looked at.
 */
export const hideListPortion = (
  db: Kysely<Database>,
  listId: number,
  { portion = HIDING_PORTION, least = LEAST_HIDDEN } = {},
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const list = await trx
      .selectFrom('lead_lists')
      .select(['user_id', 'deleted_at'])
      .where('id', '=', listId)
      .executeTakeFirst();
    if (!list?.deleted_at) return false;
    // Whoever was storing or moving a lead has done it: none comes into a gap later, and none is moved away.
    await lockAccountLeads(trx, list.user_id);
    const from = await trx
      .selectFrom('lead_lists')
      .select(['hidden_leads_from as leads', 'hidden_companies_from as companies'])
      .where('id', '=', listId)
      .executeTakeFirst();
    const kind = from && KINDS.find((each) => from[each] !== 0);
    if (!kind) return false;
    const which = { userId: list.user_id, listId, kind, least, from: from[kind], portion };
    const rest = await hideRuns(trx, which);
    await sql`update lead_lists set ${cursorOf(kind)} = ${rest} where id = ${listId}`.execute(trx);
    return rest > 0 || kind === 'leads';
  });

interface Hiding {
  userId: string;
  listId: number;
  kind: HiddenRangesTable['kind'];
  least: number;
}

/** Where the list has as many as there are ids between its first and its last one. */
async function hideWhole(
  trx: Transaction<Database>,
  { userId, listId, kind, least }: Hiding,
): Promise<boolean> {
  const end = (way: 'asc' | 'desc') => sql`(select id from ${membersOf(kind, listId)} as member
    order by id ${sql.raw(way)} limit 1)`;
  const { numAffectedRows } = await sql`
    insert into hidden_ranges (user_id, kind, lead_list_id, from_id, to_id)
    select ${userId}, ${kind}, ${listId}, first, last
    from (select ${end('asc')} as first, ${end('desc')} as last) as ends,
      (select sum(${sql.ref(kind)}) as members from lead_counters where lead_list_id = ${listId}) as counted
    where last - first + 1 = members and members >= ${least}`.execute(trx);
  return numAffectedRows === 1n;
}

/** Of the next portion; returns the id up to which it went, 0 when it was the last. */
async function hideRuns(
  trx: Transaction<Database>,
  { userId, listId, kind, least, from, portion }: Hiding & { from: number | null; portion: number },
): Promise<number> {
  const { rows } = await sql<{ rest: number }>`
    with portion as materialized (
      select id, lag(id) over (order by id) as before from (
        select id from ${membersOf(kind, listId)} as member
        where id < coalesce(${from}::bigint, ${BEHIND_ALL}::bigint)
        order by id desc limit ${portion}) as member
    ), run as (
      select id, count(*) filter (where before < id - 1 and exists (
        select from ${sql.table(kind)} as other
        where user_id = ${userId} and other.id > before and other.id < portion.id
      )) over (order by id) as number from portion
    ), hidden as (
      insert into hidden_ranges (user_id, kind, lead_list_id, from_id, to_id)
      select ${userId}, ${kind}, ${listId}, min(id), max(id) from run
      group by number having count(*) >= ${least}
    )
    select case when count(*) = ${portion} then min(id) else 0 end as rest from portion`.execute(
    trx,
  );
  return rows[0]!.rest;
}

/** The newest companies first, since they are read first. */
async function removePortion(
  trx: Transaction<Database>,
  listId: number,
  portion: number,
): Promise<Removed & { isEmpty: boolean }> {
  const companies = await idsOf(
    trx,
    // A range: of an equal value the planner would read the primary key, past all that others have and that is gone.
    sql`select id from companies where lead_list_id between ${listId} and ${listId}
      order by lead_list_id, id desc limit ${portion} for update`,
  );
  const leads = await idsOf(
    trx,
    sql`select id from leads where company_id = any (${companies}::bigint[]) limit ${portion}`,
  );
  await removeLeadRows(trx, leads);
  const isRest = leads.length === portion;
  const { numAffectedRows } = await sql`
    delete from companies where id = any (${companies}::bigint[])
    ${isRest ? sql`and not exists (select from leads where company_id = companies.id)` : sql``}`.execute(
    trx,
  );
  return {
    companies: Number(numAffectedRows ?? 0),
    leads: leads.length,
    isEmpty: !isRest && companies.length < portion,
  };
}

/** False when a company was added meanwhile. */
async function removeEmptyList(trx: Transaction<Database>, listId: number): Promise<boolean> {
  await lockList(trx, listId);
  const { numAffectedRows } = await sql`
    delete from lead_lists where id = ${listId}
      and not exists (select from companies where lead_list_id = ${listId})`.execute(trx);
  return numAffectedRows === 1n;
}

/** Waits for transactions that add companies to it, and blocks further ones. */
const lockList = (trx: Transaction<Database>, listId: number) =>
  trx.selectFrom('lead_lists').select('id').where('id', '=', listId).forUpdate().executeTakeFirst();

async function idsOf(
  trx: Transaction<Database>,
  query: ReturnType<typeof sql<{ id: number }>>,
): Promise<number[]> {
  const { rows } = await query.execute(trx);
  return rows.map(({ id }) => id);
}
