/**
 * Pages of messages. Postgres writes the JSON text of the items: reading twenty rows as objects and
 * formatting them again would cost several times as much as the page.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isReadOrNot, isWholeInbox, messagesOf, type InboxFilter } from './inbox-filters.ts';
import { behind, searchMessages, type MessagePosition } from './inbox-searches.ts';
import { MAX_COUNTED } from '../pages.ts';
import { MAX_FOUND } from '../search-pages.ts';
import type { Database } from '../tables.ts';

export interface MessagePage {
  /** JSON text of an array of inbox items. */
  items: string;
  /** The position of the last item, when more follow. */
  end: MessagePosition | null;
  /** How many there are in total, where requested. */
  total: number | null;
  /** There may be more than `total`. */
  isCapped: boolean;
}

/** The latest arrivals first; after a position, or from an offset, which alone reads the total. */
export async function readMessagePage(
  db: Kysely<Database>,
  of: { userId: string; filter: InboxFilter },
  page: { limit: number } & ({ offset: number } | { after: MessagePosition }),
): Promise<MessagePage> {
  const { userId, filter } = of;
  const after = 'after' in page ? page.after : undefined;
  const offset = 'after' in page ? 0 : page.offset;
  if (filter.search !== undefined) {
    const wanted = offset + page.limit + 1;
    const { ids, ...found } = await searchMessages(db, of, { after, wanted });
    const where = sql`m.id = any (${ids.slice(offset)}::bigint[])`;
    const { items, end } = await readItems(db, where, { limit: page.limit });
    const isCapped = !after && found.isCapped === true;
    return { items, end, total: after ? null : found.total, isCapped };
  }
  const where = sql`${messagesOf(userId, filter)} ${behind(after)}`;
  // The usual query is planned once; its numbers are literals in the text, otherwise it could not be.
  const isUsual = offset === 0 && !('after' in page) && isWholeInbox(filter);
  const name = isUsual ? `/*inbox-page-${page.limit}*/` : '';
  const total = after ? sql`null` : totalOf(userId, filter);
  const read = await readItems(db, where, { name, limit: page.limit, offset, total });
  return { ...read, isCapped: !isWholeInbox(filter) && read.total === mostOf(filter) };
}

async function readItems(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  page: { name?: string; limit: number; offset?: number; total?: RawBuilder<unknown> },
): Promise<PageRow> {
  const { name = '', offset = 0, total = sql`null` } = page;
  const limit = sql.lit(page.limit);
  const { rows } = await sql<PageRow>`${sql.raw(name)}
    with page as materialized (
      select id, received_at, row_number() over () as place from (
        select m.id, m.received_at from messages as m where ${where}
        order by m.received_at desc, m.id desc limit ${sql.lit(page.limit + 1)} offset ${sql.lit(offset)}
      ) as found
    )
    select coalesce(json_agg(item order by place)
        filter (where place <= ${limit}), '[]')::text as items,
      (select json_build_object('at', (extract(epoch from received_at) * 1000000)::bigint::text, 'id', id)
        from page as last where place = ${limit}
          and exists (select from page where place > ${limit})) as end,
      ${total} as total
    from page cross join lateral (${ITEM}) as item`.execute(db);
  return rows[0]!;
}

interface PageRow {
  items: string;
  end: MessagePosition | null;
  total: number | null;
}

/** `2026-01-31T12:00:00.000Z` */
const wireTime = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** An inbox item by its id, in the order of its fields on the wire. Spec: Inbox message. */
const ITEM = sql`
  select m.id, m.from_address as "from", array_to_string(m.to_addresses, ', ') as "to", m.subject,
    m.snippet, ${wireTime('m.sent_at')} as sent_at, m.is_read, m.direction, m.has_attachments,
    m.thread_id, m.mailbox_id, m.from_name, m.kind, m.labels, m.archived,
    ${wireTime('m.snoozed_until')} as snoozed_until, m.campaign_id, m.lead_id, m.interest
  from messages as m where m.id = page.id`;

function totalOf(userId: string, filter: InboxFilter): RawBuilder<unknown> {
  if (isWholeInbox(filter)) return countOf(userId, sql`messages`);
  if (isReadOrNot(filter)) {
    const fitting = filter.isRead ? sql`messages - unread` : sql`unread`;
    return countOf(userId, sql`least(${fitting}, ${MAX_COUNTED})`);
  }
  return sql`(select count(*)::integer from
    (select from messages as m where ${messagesOf(userId, filter)} limit ${mostOf(filter)}) as bounded)`;
}

/** Whom a message went to is computed for each that is counted. Choice 200. */
const mostOf = ({ to }: InboxFilter) => (to === undefined ? MAX_COUNTED : MAX_FOUND);

const countOf = (userId: string, count: RawBuilder<unknown>) =>
  sql`coalesce((select ${count} from inbox_counts where user_id = ${userId}), 0)`;
