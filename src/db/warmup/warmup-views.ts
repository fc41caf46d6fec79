/** Mailboxes with their warm-up as clients see it; one that was never enrolled has no row. */
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { WarmupStatus } from '../../domain/warmup/warmup.ts';
import type { Database } from '../tables.ts';
import type { Warmup } from './warmups.ts';

export interface WarmupView {
  mailbox_id: number;
  user_id: string;
  email: string;
  mailbox_status: string;
  daily_limit: number | null;
  warmup: Warmup | null;
  /** Messages sent on the current day. */
  sent_today: number;
}

const viewsOf = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('mailboxes')
    .leftJoin('warmups', 'warmups.mailbox_id', 'mailboxes.id')
    .where('mailboxes.user_id', '=', userId)
    .where('mailboxes.status', 'in', ['pending', 'active']);

/** A page, newest mailbox first. */
export async function listWarmupViews(
  db: Kysely<Database>,
  userId: string,
  page: { status?: WarmupStatus | undefined; limit: number; offset: number },
): Promise<{ rows: WarmupView[]; total: number }> {
  let query = viewsOf(db, userId);
  if (page.status !== undefined) {
    query = query.where(sql<SqlBool>`coalesce(warmups.status, 'inactive') = ${page.status}`);
  }
  const [rows, { total }] = await Promise.all([
    selectView(query)
      .orderBy('mailboxes.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.map(asView), total: Number(total) };
}

export async function findWarmupView(
  db: Kysely<Database>,
  userId: string,
  mailboxId: number,
): Promise<WarmupView | undefined> {
  const row = await selectView(viewsOf(db, userId))
    .where('mailboxes.id', '=', mailboxId)
    .executeTakeFirst();
  return row && asView(row);
}

const selectView = (query: ReturnType<typeof viewsOf>) =>
  query.selectAll('warmups').select([
    'mailboxes.id as own_mailbox_id',
    'mailboxes.user_id as own_user_id',
    'mailboxes.email',
    'mailboxes.status as mailbox_status',
    'mailboxes.daily_limit',
    sql<number>`(select count(*)::int from warmup_letters
        where from_mailbox_id = mailboxes.id and claimed_at >= warmups.day_started_at
          and state in ('sent', 'uncertain'))`.as('sent_today'),
  ]);

type ViewRow = Awaited<ReturnType<ReturnType<typeof selectView>['execute']>>[number];

function asView(row: ViewRow): WarmupView {
  const { own_mailbox_id, own_user_id, email, mailbox_status, daily_limit, sent_today, ...warmup } =
    row;
  return {
    mailbox_id: own_mailbox_id,
    user_id: own_user_id,
    email,
    mailbox_status,
    daily_limit,
    warmup: warmup.mailbox_id === null ? null : (warmup as Warmup),
    sent_today,
  };
}
