/** The plan of a mailbox's day of warm-up: its possible partners, and its planned messages. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { WarmupPartner } from '../../domain/warmup/warmup-partners.ts';
import { SENDING_STATUSES } from '../../domain/warmup/warmup.ts';
import type { Database } from '../tables.ts';

/**
 * Enrolled mailboxes of other tenants, or of the same one where no other has any: `limit` of them from a
 * random position (`chance` in [0, 1)), so that the cost does not grow with their number. Tenants write to each
 * other's addresses only where those are known to be theirs. Choice 156.
 */
export async function findPartners(
  db: Kysely<Database>,
  me: { mailboxId: number; userId: string },
  { limit, chance }: { limit: number; chance: number },
): Promise<WarmupPartner[]> {
  const last = await db
    .selectFrom('warmups')
    .select('mailbox_id')
    .where('status', 'in', [...SENDING_STATUSES])
    .orderBy('mailbox_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const pivot = Math.floor((last?.mailbox_id ?? 0) * chance);
  const mayMeet = await isOwnAddress(db, me.mailboxId);
  const foreign = mayMeet ? await partnersFrom(db, me, { pivot, limit, isForeign: true }) : [];
  return foreign.length > 0 ? foreign : partnersFrom(db, me, { pivot, limit, isForeign: false });
}

/** Of a mailbox on a cluster, whose mail comes to hosts of ours; of a connected one as its last proof has shown. */
const ADDRESS_IS_KNOWN = sql<boolean>`(mailboxes.cluster_id is not null or exists (
  select from connected_mailboxes own
  where own.mailbox_id = mailboxes.id and own.address_proven_at is not null))`;

/** One of another tenant would answer it, and so write to whomever it names. */
async function isOwnAddress(db: Kysely<Database>, mailboxId: number): Promise<boolean> {
  const query = db.selectFrom('mailboxes').select('id').where('id', '=', mailboxId);
  return (await query.where(ADDRESS_IS_KNOWN).executeTakeFirst()) !== undefined;
}

async function partnersFrom(
  db: Kysely<Database>,
  me: { mailboxId: number; userId: string },
  { pivot, limit, isForeign }: { pivot: number; limit: number; isForeign: boolean },
): Promise<WarmupPartner[]> {
  const part = (side: '>=' | '<') =>
    db
      .selectFrom('warmups')
      .innerJoin('mailboxes', 'mailboxes.id', 'warmups.mailbox_id')
      .select(['warmups.mailbox_id', 'warmups.user_id', 'mailboxes.email'])
      .where('warmups.status', 'in', [...SENDING_STATUSES])
      .where('mailboxes.status', '=', 'active')
      .where('warmups.user_id', isForeign ? '!=' : '=', me.userId)
      .where('warmups.mailbox_id', '!=', me.mailboxId)
      .where('warmups.mailbox_id', side, pivot)
      .orderBy('warmups.mailbox_id')
      .$if(isForeign, (query) => query.where(ADDRESS_IS_KNOWN))
      .limit(limit)
      .execute();
  const ahead = await part('>=');
  const rows = ahead.length < limit ? [...ahead, ...(await part('<'))] : ahead;
  return rows
    .slice(0, limit)
    .map(({ mailbox_id, user_id, email }) => ({ mailboxId: mailbox_id, userId: user_id, email }));
}

/** How many messages (no answers) each address got from a mailbox since then. */
export async function countByAddress(
  db: Kysely<Database>,
  mailboxId: number,
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('warmup_letters')
    .select(({ fn }) => ['to_address', fn.countAll<number>().as('messages')])
    .where('from_mailbox_id', '=', mailboxId)
    .where('claimed_at', '>', since)
    .where('in_reply_to_id', 'is', null)
    .groupBy('to_address')
    .execute();
  return new Map(rows.map(({ to_address, messages }) => [to_address, Number(messages)]));
}

/** Answers that wait to be sent before `until`: they count as messages of the day. */
export async function countPlannedAnswers(
  db: Kysely<Database>,
  mailboxId: number,
  until: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('warmup_letters')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('from_mailbox_id', '=', mailboxId)
    .where('state', 'in', ['planned'])
    .where('in_reply_to_id', 'is not', null)
    .where('planned_at', '<', until)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Cancels messages of past days; an answer may be some days late. */
export async function cancelStaleMessages(
  trx: Transaction<Database>,
  mailboxId: number,
  before: { messages: Date; answers: Date },
): Promise<void> {
  await trx
    .updateTable('warmup_letters')
    .set({ state: 'cancelled' })
    .where('from_mailbox_id', '=', mailboxId)
    .where('state', 'in', ['planned'])
    .where(
      'planned_at',
      '<',
      sql<Date>`case when in_reply_to_id is null then ${before.messages}::timestamptz
        else ${before.answers}::timestamptz end`,
    )
    .execute();
}

export interface PlannedMessage {
  to: WarmupPartner;
  messageId: string;
  plannedAt: Date;
}

export async function insertPlannedMessages(
  trx: Transaction<Database>,
  mailboxId: number,
  messages: readonly PlannedMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ to, messageId, plannedAt }) => ({
    from_mailbox_id: mailboxId,
    to_mailbox_id: to.mailboxId,
    to_address: to.email,
    message_id: messageId,
    planned_at: plannedAt,
  }));
  await trx.insertInto('warmup_letters').values(rows).execute();
}

/** Whether a running campaign sends from the mailbox: then cold messages need part of its volume. */
export async function isInCampaign(db: Kysely<Database>, mailboxId: number): Promise<boolean> {
  const found = await db
    .selectFrom('campaign_mailboxes')
    .innerJoin('campaigns', 'campaigns.id', 'campaign_mailboxes.campaign_id')
    .select('campaigns.id')
    .where('campaign_mailboxes.mailbox_id', '=', mailboxId)
    .where('campaign_mailboxes.out_at', 'is', null)
    .where('campaigns.status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
