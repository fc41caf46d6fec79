/** Placement tests: new ones, and which mailbox of a campaign is tested next. Choice 124. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { coversMailbox } from '../sending/rejections.ts';
import type { Database } from '../tables.ts';
import type { PlacementTestsTable } from './placement-tables.ts';

export type PlacementTest = Selectable<PlacementTestsTable>;

export const insertPlacementTest = (
  trx: Transaction<Database>,
  test: {
    userId: string;
    campaignId: number;
    mailboxId: number;
    step: number;
    variant: number | undefined;
    leadId: number | null;
    minInboxPercent: number;
    holdOnBadPlacement: boolean;
  },
): Promise<PlacementTest> =>
  trx
    .insertInto('placement_tests')
    .values({
      user_id: test.userId,
      campaign_id: test.campaignId,
      mailbox_id: test.mailboxId,
      step: test.step,
      variant: test.variant ?? null,
      lead_id: test.leadId,
      min_inbox_percent: test.minInboxPercent,
      holds_campaign: test.holdOnBadPlacement,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export async function countTestsAtWork(db: Kysely<Database>, userId: string): Promise<number> {
  const { tests } = await db
    .selectFrom('placement_tests')
    .select(({ fn }) => fn.countAll<number>().as('tests'))
    .where('user_id', '=', userId)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow();
  return Number(tests);
}

/** A test with the mailbox that sends it. */
export const findPlacementTest = (db: Kysely<Database>, id: number) =>
  db
    .selectFrom('placement_tests as test')
    .innerJoin('mailboxes', 'mailboxes.id', 'test.mailbox_id')
    .selectAll('test')
    .select(['mailboxes.email', 'mailboxes.cluster_id'])
    .where('test.id', '=', id)
    .executeTakeFirst();

/** Sets the end of its looks, at its first turn; answers what is set. */
export async function beginLooks(
  db: Kysely<Database>,
  id: number,
  until: Date,
): Promise<Date | undefined> {
  const row = await db
    .updateTable('placement_tests')
    .set((eb) => ({ look_until: eb.fn.coalesce('look_until', eb.val(until)) }))
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('look_until')
    .executeTakeFirst();
  return row?.look_until ?? undefined;
}

/** By test: the addresses of their mailboxes. */
export async function listMailboxEmails(
  db: Kysely<Database>,
  mailboxIds: readonly number[],
): Promise<Map<number, string>> {
  if (mailboxIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mailboxes')
    .select(['id', 'email'])
    .where('id', 'in', [...mailboxIds])
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The campaign's mailbox that can send now and was tested longest ago; undefined where none can. */
export async function findMailboxToTest(
  db: Kysely<Database>,
  campaignId: number,
): Promise<{ id: number; email: string } | undefined> {
  const { rows } = await sql<{ id: number; email: string }>`
    select mailboxes.id, mailboxes.email
    from campaign_mailboxes as own
    join mailboxes on mailboxes.id = own.mailbox_id
    join mailbox_hosts as host on host.mailbox_id = mailboxes.id
    left join warmups on warmups.mailbox_id = mailboxes.id
    left join lateral (
      select id from placement_tests where campaign_id = ${campaignId} and mailbox_id = mailboxes.id
      order by id desc limit 1) as latest on true
    where own.campaign_id = ${campaignId} and own.out_reason is null
      and mailboxes.status = 'active' and mailboxes.failing_reason is null
      and host.sending_hold is null and warmups.status is distinct from 'quarantined'
      and not exists (select from sending_pauses as pause
        where pause.user_id = mailboxes.user_id and pause.until > now()
          and ${coversMailbox('pause')})
    order by latest.id nulls first, mailboxes.id limit 1`.execute(db);
  return rows[0];
}
