/** Which leads a request means: by their ids, by lists, by values of custom fields. Choices 9, 99. */
import { sql, type Kysely } from 'kysely';
import { isAmongCustom, type CustomCondition } from '../leads/custom-values.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

export interface WantedLeads {
  userId: string;
  /** Either of them, or both. */
  leadIds?: readonly number[] | undefined;
  leadListIds?: readonly number[] | undefined;
  /** Only those of the lists that fit; without lists, of all leads of the account. */
  custom?: readonly CustomCondition[] | undefined;
}

/** The requested leads, each once; an unknown id stays in the list, to be counted. */
export async function listWantedLeads(
  db: Kysely<Database>,
  { userId, leadIds = [], leadListIds = [], custom }: WantedLeads,
): Promise<number[]> {
  if (leadListIds.length === 0) {
    return custom ? listLeadsWith(db, userId, custom) : [...new Set(leadIds)];
  }
  const fits = custom ? sql`and ${isAmongCustom(custom, sql.ref('member.lead_id'))}` : sql``;
  // Not through companies: for a list that was filled a moment ago the planner may join all with all.
  const { rows } = await sql<{ id: number }>`
    select member.lead_id as id from lead_lists join lead_list_members as member
      on member.lead_list_id = lead_lists.id
    where lead_lists.id = any (${[...leadListIds]}::bigint[])
      and lead_lists.user_id = ${userId} and lead_lists.deleted_at is null ${fits}
    order by member.lead_id`.execute(db);
  return [...new Set([...leadIds, ...rows.map(({ id }) => id)])];
}

/** The first leads of these lists behind that one, in the order of their ids. */
export async function listMembersAfter(
  db: Kysely<Database>,
  {
    userId,
    leadListIds,
    after,
    limit,
  }: { userId: string; leadListIds: readonly number[]; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct member.lead_id as id from lead_lists cross join lateral (
      select lead_id from lead_list_members where lead_list_id = lead_lists.id
        and lead_id > ${after} order by lead_id limit ${limit}) as member
    where lead_lists.id = any (${[...leadListIds]}::bigint[])
      and lead_lists.user_id = ${userId} and lead_lists.deleted_at is null
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

async function listLeadsWith(
  db: Kysely<Database>,
  userId: string,
  custom: readonly CustomCondition[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from leads where user_id = ${userId} and ${isKeptLead('leads', userId)}
      and ${isAmongCustom(custom, sql.ref('leads.id'))}
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}
