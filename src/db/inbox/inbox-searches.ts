/** Messages that match a search, in the order of the inbox, and positions in it. Choice 34. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isWholeInbox, messagesOf, searchedFor, type InboxFilter } from './inbox-filters.ts';
import { hasMuchOf } from '../large-accounts.ts';
import { foundByText, ofUser } from '../planned-searches.ts';
import { findInOrder, keysOf, type BlockSearch } from '../search-blocks.ts';
import type { Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';

/** Where a page ended: microseconds since 1970 as digits, and the id. */
export interface MessagePosition {
  at: string;
  id: number;
}

/** Ids of the first `wanted` messages after a position, and how many follow it: see `findInOrder`. */
export async function searchMessages(
  db: Kysely<Database>,
  of: { userId: string; filter: InboxFilter },
  { after, wanted }: { after: MessagePosition | undefined; wanted: number },
): Promise<Total & { ids: number[] }> {
  const { search, ...others } = of.filter;
  const isUsual =
    isWholeInbox(others) &&
    BEGINS_WITH_WORD.test(search!) &&
    (await hasMuchOf(db, 'messages', of.userId));
  const [its, inOrder] = isUsual
    ? [sql`${ofUser(USER, of.userId)} and m.in_inbox`, IN_ORDER_OF_USER]
    : [messagesOf(of.userId, others), IN_ORDER];
  const near = sql`select m.id, m.user_id, m.received_at, m.search from messages as m
    where ${its} ${behind(after)} ${inOrder}`;
  const fits = messagesOf(of.userId, { view: 'all', search });
  return findInOrder(
    db,
    { rows: near, row: 'm', fits },
    blocksOf({ ...of, isUsual }, after),
    wanted,
  );
}

/** With words that messages lack alone, the index of words selects nothing. */
const BEGINS_WITH_WORD = /^[\p{L}\p{Nd}]/u;

/** Twelve days of an account, as in `block_of_time`. */
const BLOCK = sql`interval '1048576 seconds'`;

function blocksOf(
  { userId, filter, isUsual }: { userId: string; filter: InboxFilter; isUsual: boolean },
  after: MessagePosition | undefined,
): BlockSearch {
  const firstOf = (where: RawBuilder<unknown>) => sql`select block_of_time(m.received_at)
    from messages as m where ${ofUser(USER, userId)} ${where} ${IN_ORDER_OF_USER} limit 1`;
  const { search, ...others } = filter;
  const found = {
    table: 'messages',
    as: 'm',
    columns: sql`m.id, m.received_at`,
    text: searchedFor(search!),
    others: sql`${messagesOf(userId, others)} ${behind(after)}`,
    isUsual,
  };
  const blocks = sql`time_block(m.user_id, m.received_at) && ${keysOf(userId)}`;
  return {
    table: 'messages',
    first: firstOf(behind(after)),
    next: firstOf(sql`and m.received_at < 'epoch'::timestamptz + step.low * ${BLOCK}`),
    inBlocks: foundByText({ ...found, blocks }),
    inAll: foundByText(found),
    order: { columns: sql`received_at desc, id desc`, way: 'desc' },
    isUsual,
  };
}

const USER = sql.ref('m.user_id');
const IN_ORDER_OF_USER = sql`order by m.user_id, m.received_at desc, m.id desc`;
const IN_ORDER = sql`order by m.received_at desc, m.id desc`;

/** `and` a condition for what follows a position in the inbox. */
export const behind = (place: MessagePosition | undefined) =>
  place
    ? sql`and (m.received_at, m.id) < (
        'epoch'::timestamptz + ${place.at}::bigint * interval '1 microsecond', ${place.id})`
    : sql``;
