/** Which messages of a user are selected: the views and filters of the inbox as SQL. Choice 34. */
import { sql, type RawBuilder } from 'kysely';
import type { MessageDirection, MessageKind } from '../../domain/inbox/inbox.ts';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { searchWords } from '../../domain/inbox/inbox-search.ts';

export interface InboxFilter {
  /** Default `inbox`: neither archived nor snoozed. */
  view?: 'inbox' | 'archived' | 'snoozed' | 'scheduled' | 'all' | undefined;
  mailboxId?: number | undefined;
  campaignId?: number | undefined;
  leadId?: number | undefined;
  threadId?: number | undefined;
  direction?: MessageDirection | undefined;
  kind?: MessageKind | undefined;
  interest?: Interest | undefined;
  isRead?: boolean | undefined;
  label?: string | undefined;
  /** An address, or a domain as `@acme.com`. */
  from?: string | undefined;
  to?: string | undefined;
  /** Arrived at or after. */
  since?: Date | undefined;
  search?: string | undefined;
}

/** Whether the filter is empty: then the counters know the total. */
export const isWholeInbox = ({ view = 'inbox', ...filters }: InboxFilter): boolean =>
  view === 'inbox' && Object.values(filters).every((value) => value === undefined);

/** The same beside `isRead`: the counters know how many are unread. */
export const isReadOrNot = ({ isRead, ...filter }: InboxFilter): boolean =>
  isRead !== undefined && isWholeInbox(filter);

type Condition = RawBuilder<unknown>;

/** A condition over `messages as m`; each view and the usual filters have an index of their own. */
export function messagesOf(userId: string, filter: InboxFilter): Condition {
  const conditions = [
    sql`m.user_id = ${userId}`,
    filter.view === 'scheduled' ? scheduledOf(userId) : VIEWS[filter.view ?? 'inbox'],
    equals('mailbox_id', filter.mailboxId),
    equals('campaign_id', filter.campaignId),
    equals('lead_id', filter.leadId),
    equals('thread_id', filter.threadId),
    // As literals, so that they fit the partial indexes.
    filter.direction && DIRECTIONS[filter.direction],
    filter.kind && sql`m.kind = ${filter.kind} and m.kind = any (${[filter.kind]})`,
    filter.kind && filter.kind !== 'message' && sql`m.kind <> 'message'`,
    filter.interest && sql`m.interest = ${filter.interest}`,
    filter.isRead !== undefined && (filter.isRead ? sql`m.is_read` : sql`not m.is_read`),
    filter.label !== undefined &&
      sql`m.labels @> array[${filter.label}]::text[] and m.labels <> '{}'`,
    filter.since && sql`m.received_at >= ${filter.since}`,
    filter.from && fromAddress(filter.from),
    filter.to && toAddress(filter.to),
    filter.search !== undefined && searchedFor(filter.search),
  ];
  return sql.join(
    conditions.filter((each) => typeof each === 'object'),
    sql` and `,
  );
}

/** Few, with an index of their own. */
const scheduledOf = (userId: string): Condition =>
  sql`m.id in (select message_id from outgoing_letters
    where user_id = ${userId} and state = 'scheduled')`;

const VIEWS: Record<
  Exclude<NonNullable<InboxFilter['view']>, 'scheduled'>,
  Condition | undefined
> = {
  inbox: sql`m.in_inbox`,
  archived: sql`m.archived`,
  snoozed: sql`m.snoozed_until is not null`,
  all: undefined,
};

const DIRECTIONS: Record<MessageDirection, Condition> = {
  inbound: sql`m.direction = 'inbound'`,
  outbound: sql`m.direction = 'outbound'`,
};

const equals = (column: string, value: number | undefined): Condition | undefined =>
  value === undefined ? undefined : sql`m.${sql.ref(column)} = ${value}`;

/** The search index contains senders; a domain among them is read in the order of the list. */
function fromAddress(address: string): Condition {
  const lower = address.toLowerCase();
  if (lower.startsWith('@')) {
    return sql`(split_part(lower(m.from_address), '@', -1) = ${lower.slice(1)}
      and m.from_address like '%@%')`;
  }
  return sql`(lower(m.from_address) = ${lower}
    and m.search @@ phraseto_tsquery('simple', ${lower.replaceAll('@', ' ')}))`;
}

/** To and Cc, in an index by address and by domain. */
const toAddress = (address: string): Condition =>
  sql`letter_recipients(m.to_addresses, m.cc_addresses) @> array[${address.toLowerCase()}]::text[]`;

/** Whether a message has these words, by the index of words. */
export function searchedFor(text: string): Condition {
  const { whole, prefix } = searchWords(text);
  const words = sql`websearch_to_tsquery('simple', ${whole})`;
  if (prefix === null) return sql`m.search @@ ${words}`;
  const beginning = sql`to_tsquery('simple', ${`'${prefix.replaceAll("'", "''")}':*`})`;
  if (whole === '') return sql`m.search @@ ${beginning}`;
  return sql`m.search @@ (${words} && ${beginning})`;
}
