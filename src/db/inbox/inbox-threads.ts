/** Threads of the inbox, each with its last message. */
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { MAX_COUNTED } from '../pages.ts';
import type { ThreadsTable } from './inbox-tables.ts';
import type { Database } from '../tables.ts';

export type Thread = Selectable<ThreadsTable> & {
  last_from: string | null;
  last_direction: 'inbound' | 'outbound' | null;
  last_snippet: string | null;
  /** Of the last answer that has one. */
  interest: Interest | null;
};

export interface ThreadFilter {
  mailboxId?: number | undefined;
  campaignId?: number | undefined;
  leadId?: number | undefined;
  /** False: with unread messages only. */
  isRead?: boolean | undefined;
  /** Of any answer in it. */
  interest?: Interest | undefined;
}

/** Where a page ended. */
export interface ThreadPosition {
  at: Date;
  id: number;
}

type ThreadPage = { limit: number } & ({ offset: number } | { after: ThreadPosition });

/** Latest message first; one more row than the page has, to tell whether more follow. */
export async function listThreads(
  db: Kysely<Database>,
  { userId, filter }: { userId: string; filter: ThreadFilter },
  page: ThreadPage,
): Promise<{ rows: Thread[]; total: number | null }> {
  const where = chosen(userId, filter);
  if ('after' in page) {
    const { at, id } = page.after;
    const after = sql`${where} and (thread.last_message_at, thread.id) < (${at}, ${id})`;
    return { rows: await readThreads(db, after, page), total: null };
  }
  const [rows, count] = await Promise.all([
    readThreads(db, where, page),
    sql<{ total: number }>`select ${totalOf(userId, filter)} as total`.execute(db),
  ]);
  return { rows, total: count.rows[0]!.total };
}

/** Counted up to the limit; all of them by triggers (migrations/0211-kept-counts.ts). */
const totalOf = (userId: string, filter: ThreadFilter): RawBuilder<number> =>
  Object.values(filter).every((value) => value === undefined)
    ? sql`coalesce((select least(threads, ${MAX_COUNTED}) from thread_counts
        where user_id = ${userId}), 0)::integer`
    : sql`(select count(*)::integer from (select from threads as thread
        where ${chosen(userId, filter)} limit ${MAX_COUNTED}) as bounded)`;

export async function findUserThread(
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Thread | undefined> {
  const where = sql`thread.user_id = ${userId} and thread.id = ${id}`;
  return (await readThreads(db, where, { limit: 0 }))[0];
}

async function readThreads(
  db: Kysely<Database>,
  where: RawBuilder<unknown>,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<Thread[]> {
  const { rows } = await sql<Thread>`
    select thread.*, last.from_address as last_from, last.direction as last_direction,
      last.snippet as last_snippet, meant.interest
    from (
      select * from threads as thread where ${where}
      order by last_message_at desc, id desc limit ${limit + 1} offset ${offset}
    ) as thread
    left join lateral (
      select from_address, direction, snippet from messages
      where thread_id = thread.id order by received_at desc, id desc limit 1
    ) as last on true
    left join lateral (
      select interest from messages where thread_id = thread.id and interest is not null
      order by received_at desc, id desc limit 1
    ) as meant on true
    order by thread.last_message_at desc, thread.id desc`.execute(db);
  return rows;
}

function chosen(userId: string, filter: ThreadFilter): RawBuilder<unknown> {
  const { mailboxId, campaignId, leadId, isRead, interest } = filter;
  const conditions = [
    sql`thread.user_id = ${userId}`,
    mailboxId !== undefined && sql`thread.mailbox_id = ${mailboxId}`,
    campaignId !== undefined && sql`thread.campaign_id = ${campaignId}`,
    leadId !== undefined && sql`thread.lead_id = ${leadId}`,
    isRead === true && sql`thread.unread_count = 0`,
    isRead === false && sql`thread.unread_count > 0`,
    interest !== undefined &&
      sql`thread.id in (select thread_id from messages as m
        where m.user_id = ${userId} and m.interest = ${interest})`,
  ];
  return sql.join(
    conditions.filter((each) => typeof each === 'object'),
    sql` and `,
  );
}
