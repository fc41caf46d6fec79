/** Sequences held until a person has classified an answer. */
import { sql, type Transaction } from 'kysely';
import type { DecidedKind, MessageKind } from '../../domain/inbox/inbox.ts';
import { isInDoubt, isSubsequence } from '../campaigns/doubtful-recipients.ts';
import { personOf } from '../campaigns/subsequence-starts.ts';
import { CAME_BY_JUNK } from '../inbox/inbox-changes.ts';
import { lockInbox } from '../inbox/inbox-counts.ts';
import type { Database } from '../tables.ts';

interface Recipient {
  campaignId: number;
  leadId: number;
}

/**
 * In the campaign that was answered, and in subsequences; also other leads with the address: they are one person.
 * Recipients without further messages stay unchanged: who was removed is looked at when they are put back. A message in delivery is not begun any more.
 */
export const holdForReview = (
  trx: Transaction<Database>,
  { campaignId, leadId }: Recipient,
  at: Date,
) =>
  sql`
    update recipients set hold_reason = 'needs_review', updated_at = ${at}
    from (${personOf(sql`${leadId}::bigint`)}) as person
    where lead_id = any (person.ids) and (campaign_id = ${campaignId} or ${isSubsequence})
      and (due_at is not null or status = 'paused')`.execute(trx);

/** Resumes where it was, unless another answer of the same person is also under review. */
export async function endReviewHold(
  trx: Transaction<Database>,
  { leadId, sendId }: Pick<ReviewedMessage, 'leadId' | 'sendId'>,
  now: Date,
): Promise<void> {
  await sql`
    update recipients set hold_reason = null, updated_at = ${now}
    from (select own.ids || array(select leads.id from sends join leads
        on leads.user_id = sends.user_id and leads.email_key = sends.email_key
        where sends.id = ${sendId}) as ids
      from (${personOf(sql`${leadId}::bigint`)}) as own) as person
    where lead_id = any (person.ids) and hold_reason = 'needs_review' and not ${isInDoubt}`.execute(
    trx,
  );
}

/** Answers that are being stored hold by the address of before; later ones wait until the transaction ends. */
export const awaitAnswers = (trx: Transaction<Database>, userId: string): Promise<void> =>
  lockInbox(trx, userId);

/**
 * After the address of a lead has changed, by which it is one person with other ones now. Needs `awaitAnswers`. Returns
 * the active campaigns that it goes on in.
 */
export async function followReviewHolds(
  trx: Transaction<Database>,
  leadId: number,
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with changed as (
      update recipients set updated_at = ${now},
        hold_reason = case when hold_reason = 'needs_review' then null else 'needs_review' end
      where lead_id = ${leadId} and (due_at is not null or status = 'paused')
        and ${isInDoubt} <> (hold_reason is not distinct from 'needs_review')
      returning campaign_id, hold_reason
    )
    select campaigns.id from changed join campaigns on campaigns.id = changed.campaign_id
    where changed.hold_reason is null and campaigns.status = 'active' order by campaigns.id`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** The fields of a message that decide about its send. */
export interface ReviewedMessage {
  id: number;
  kind: MessageKind;
  mailboxId: number;
  campaignId: number | null;
  leadId: number | null;
  sendId: number | null;
  subject: string;
  text: string;
  receivedAt: Date;
}

/** A received message of the user, locked. Needs `lockInbox`. */
export async function lockReceivedMessage(
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
): Promise<ReviewedMessage | undefined> {
  const row = await trx
    .selectFrom('messages')
    .select(['id', 'kind', 'mailbox_id', 'campaign_id', 'lead_id', 'send_id', 'subject'])
    .select(['body_text', 'received_at'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('direction', '=', 'inbound')
    .forUpdate()
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      kind: row.kind,
      mailboxId: row.mailbox_id,
      campaignId: row.campaign_id,
      leadId: row.lead_id,
      sendId: row.send_id,
      subject: row.subject,
      text: row.body_text,
      receivedAt: row.received_at,
    }
  );
}

/** As it would have come in: of the facts of before only our mark stays. */
export const setMessageKind = (
  trx: Transaction<Database>,
  id: number,
  change: { kind: DecidedKind; facts: Record<string, string> },
) =>
  trx
    .updateTable('messages')
    .set({
      kind: change.kind,
      facts: sql`case when facts @> ${JSON.stringify(CAME_BY_JUNK)}::jsonb
        then ${JSON.stringify({ ...change.facts, ...CAME_BY_JUNK })}::jsonb
        else ${JSON.stringify(change.facts)}::jsonb end`,
    })
    .where('id', '=', id)
    .execute();
