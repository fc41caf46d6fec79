/**
 * The contents of a list that is being deleted are hidden from all queries from the moment of the request;
 * its rows are removed in batches after that (list-deletions.ts). Every query that reads, matches, enrols or
 * writes to leads or companies uses these conditions. Choice 4.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Whether the lead is in no list that is being deleted. `lead`: the name of the table in the query; `userId`:
 * the owner, where known: such lists are looked up once then, and not for each lead.
 */
export function isKeptLead(lead = 'leads', userId?: string) {
  const owner = userId === undefined ? sql.ref(`${lead}.user_id`) : sql`${userId}`;
  const companyId = sql.ref(`${lead}.company_id`);
  return sql<boolean>`(not ${isDeleting(owner)} or ${companyId} is null
    or (select ${isKept('its_company', owner)} from companies as its_company where its_company.id = ${companyId}))`;
}

/** The same of a company. */
export const isKeptCompany = (userId: string) => isKept('companies', sql`${userId}`);

const isKept = (company: string, userId: RawBuilder<unknown>) => {
  const listId = sql.ref(`${company}.lead_list_id`);
  return sql<boolean>`(${listId} is null
    or ${listId} <> all (array(select going.id from ${going(userId)})))`;
};

/** The same of a list. */
export const isKeptList = (id: number) =>
  sql<boolean>`not exists (select from lead_lists where id = ${id} and deleted_at is not null)`;

/** Whether the account is currently deleting a list, which is rare. */
export const isDeletingLists = (userId: string) => isDeleting(sql`${userId}`);

const isDeleting = (userId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from ${going(userId)})`;

const going = (userId: RawBuilder<unknown>) =>
  sql`lead_lists as going where going.deleted_at is not null and going.user_id = ${userId}`;

/** Behind all ids. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * The account's leads in an order by ids, without the ranges in which all are hidden: each part from behind `id` to
 * `until`, the first one behind `after`. Undefined where there is no such range.
 */
export async function keptParts(
  db: Kysely<Database>,
  userId: string,
  way: 'asc' | 'desc',
  after?: { id: number },
): Promise<{ id: number; until: number }[] | undefined> {
  const hidden = await db
    .selectFrom('hidden_lead_ranges')
    .select(['from_id', 'to_id'])
    .where('user_id', '=', userId)
    .orderBy('from_id')
    .execute();
  if (hidden.length === 0) return undefined;
  const starts = [0, ...hidden.map(({ to_id: to }) => to)];
  const ends = [...hidden.map(({ from_id: from }) => from), END];
  const parts = starts.map((start, at) =>
    way === 'asc'
      ? { id: Math.max(start, after?.id ?? 0), until: ends[at]! - 1 }
      : { id: Math.min(ends[at]!, after?.id ?? END), until: start + 1 },
  );
  const isPart = ({ id, until }: { id: number; until: number }) =>
    way === 'asc' ? id < until : id > until;
  return (way === 'asc' ? parts : parts.toReversed()).filter(isPart);
}
