/** Messages that match a search, in the order of the inbox, and positions in it. Choice 34. */
import { sql, type Kysely } from 'kysely';
import { messagesOf, type InboxFilter } from './inbox-filters.ts';
import { searchPage, type Found, type Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';

/** Where a page ended: microseconds since 1970 as digits, and the id. */
export interface MessagePosition {
  at: string;
  id: number;
}

/** Ids of the first `wanted` messages after a position, and how many messages follow it. */
export function searchMessages(
  db: Kysely<Database>,
  { userId, filter }: { userId: string; filter: InboxFilter },
  { after, wanted }: { after: MessagePosition | undefined; wanted: number },
): Promise<Total & { ids: number[] }> {
  const { search, ...others } = filter;
  const all = messagesOf(userId, others);
  const found = sql`${messagesOf(userId, filter)} ${behind(after)}`;
  const fits = messagesOf(userId, { view: 'all', search });
  return searchPage<MessagePosition>(
    {
      async walk({ after: from = after, rows: many, most }) {
        const places = sql`messages as m where ${all} ${behind(from)} ${IN_ORDER}`;
        // The last of them and the one after it. The CTE is evaluated first and gives the end of the range.
        const { rows } = await sql<{ ids: number[]; ends: MessagePosition[] }>`
          with last as materialized (
            select ${POSITION} as place from ${places} limit 2 offset ${many - 1})
          select to_json(array(select place from last)) as ends, to_json(array(
            select m.id from (select m.* from ${places} limit ${many}) as m where ${fits} ${IN_ORDER}
            limit case (select count(*) from last) when 2 then ${most}::integer end)) as ids
        `.execute(db);
        const { ids, ends } = rows[0]!;
        return { ids, end: ends.length === 2 ? ends[0]! : null };
      },
      // Selected before sorting: otherwise the planner would read the whole inbox in order.
      async indexed({ wanted: limit, most = null }) {
        const { rows } = await sql<Found>`
          with found as materialized (
            select m.id, m.received_at from messages as m where ${found} limit ${most}::bigint)
          select (select count(*)::integer from found) as found, to_json(array(
            select m.id from found as m ${IN_ORDER} limit ${limit})) as ids`.execute(db);
        return rows[0]!;
      },
    },
    wanted,
  );
}

const IN_ORDER = sql`order by m.received_at desc, m.id desc`;

const POSITION = sql`json_build_object(
  'at', (extract(epoch from m.received_at) * 1000000)::bigint::text, 'id', m.id)`;

/** `and` a condition for what follows a position in the inbox. */
export const behind = (place: MessagePosition | undefined) =>
  place
    ? sql`and (m.received_at, m.id) < (
        'epoch'::timestamptz + ${place.at}::bigint * interval '1 microsecond', ${place.id})`
    : sql``;
