/**
 * Pages of messages. Postgres writes the JSON text of the items: twenty rows as objects, formatted once
 * more, would cost several times what the page costs.
 */
import { sql, type Kysely } from 'kysely';
import { isWholeInbox, messagesOf, type InboxFilter } from './inbox-filters.ts';
import type { Database } from '../tables.ts';

/** A filtered list is counted up to here; a page must not cost a million rows. */
export const MAX_COUNTED = 10_000;

/** Where a page ended: microseconds since 1970 as digits, and the id. */
export interface MessagePosition {
  at: string;
  id: number;
}

export interface MessagePage {
  /** JSON text of an array of inbox items. */
  items: string;
  /** The last item's place, when more follow. */
  end: MessagePosition | null;
  /** How many there are in all, where it was asked; `MAX_COUNTED` stands for that or more. */
  total: number | null;
}

/** The last to arrive first; behind a position, or from an offset, which alone asks for the total. */
export async function readMessagePage(
  db: Kysely<Database>,
  { userId, filter }: { userId: string; filter: InboxFilter },
  page: { limit: number } & ({ offset: number } | { after: MessagePosition }),
): Promise<MessagePage> {
  const where = messagesOf(userId, filter);
  const part =
    'after' in page
      ? sql`and (m.received_at, m.id) < (${timeOf(page.after.at)}, ${page.after.id})`
      : sql``;
  const offset = 'after' in page ? 0 : page.offset;
  const total = 'after' in page ? sql`null` : totalOf(userId, filter);
  // What is asked all the time is planned once; its numbers are part of the text, or it would not be.
  const isUsual = offset === 0 && !('after' in page) && isWholeInbox(filter);
  const name = isUsual ? sql.raw(`/*inbox-page-${page.limit}*/`) : sql``;
  const limit = sql.lit(page.limit);
  const { rows } = await sql<PageRow>`${name}
    with page as materialized (
      select id, received_at, row_number() over () as place from (
        select m.id, m.received_at from messages as m where ${where} ${part}
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
    ${wireTime('m.snoozed_until')} as snoozed_until, m.campaign_id, m.lead_id
  from messages as m where m.id = page.id`;

const timeOf = (micros: string) =>
  sql`('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond')`;

const totalOf = (userId: string, filter: InboxFilter) =>
  isWholeInbox(filter)
    ? sql`coalesce((select messages from inbox_counts where user_id = ${userId}), 0)`
    : sql`(select count(*)::integer from
        (select from messages as m where ${messagesOf(userId, filter)} limit ${MAX_COUNTED}) as bounded)`;
