/** What became of a message after it was sent: answers, bounces, complaints, unsubscriptions, opens. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { HoldReason } from '../../domain/campaigns/campaigns.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import type { SuppressionReason } from '../../domain/suppressions/suppressions.ts';
import {
  addToCounters,
  type Counted,
  type CountedOutcome,
} from '../campaigns/campaign-counters.ts';
import type { SendsTable } from '../campaigns/campaign-tables.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { insertEvents } from '../webhooks/events.ts';
import { proveMessage } from './proven-messages.ts';
import { insertSuppressions, suppressLeads } from '../suppressions/suppressions.ts';
import type { Database } from '../tables.ts';

export interface SendOutcome {
  kind:
    | 'replied'
    | 'auto_replied'
    | 'bounced'
    | 'rejected'
    | 'complained'
    | 'unsubscribed'
    | 'opened'
    | 'clicked'
    | 'machine_opened'
    | 'machine_clicked';
  at: Date;
  /** Bounces: false = 4.x.x, which does not suppress. */
  isPermanent?: boolean;
  /** Automatic answers: when the person is back, if it was said. */
  backAt?: Date | undefined;
  /** Of those that were rejected: the host's words, without addresses. */
  words?: string | undefined;
  /** For the event: status code, clicked link. No personal data. */
  detail?: Record<string, string>;
}

type Send = Selectable<SendsTable>;

/** Days of sending for which an automatic answer without a date holds the sequence. */
const AWAY_DAYS = 3;

type Noted =
  | 'replied_at'
  | 'auto_replied_at'
  | 'bounced_at'
  | 'soft_bounced_at'
  | 'rejected_at'
  | 'complained_at'
  | 'unsubscribed_at'
  | 'opened_at'
  | 'clicked_at'
  | 'machine_opened_at'
  | 'machine_clicked_at';

const OUTCOMES: Record<
  SendOutcome['kind'],
  {
    column: Noted;
    counter: CountedOutcome;
    /** None: it only counts, and proves nothing. */
    event?: EventType;
    suppresses?: SuppressionReason;
  }
> = {
  replied: { column: 'replied_at', counter: 'replied', event: 'email.replied' },
  auto_replied: { column: 'auto_replied_at', counter: 'auto_replied', event: 'email.auto_replied' },
  bounced: {
    column: 'bounced_at',
    counter: 'bounced',
    event: 'email.bounced',
    suppresses: 'bounce',
  },
  rejected: { column: 'rejected_at', counter: 'rejected', event: 'email.rejected' },
  complained: {
    column: 'complained_at',
    counter: 'complained',
    event: 'email.complained',
    suppresses: 'complaint',
  },
  unsubscribed: {
    column: 'unsubscribed_at',
    counter: 'unsubscribed',
    event: 'email.unsubscribed',
    suppresses: 'unsubscribe',
  },
  opened: { column: 'opened_at', counter: 'opened', event: 'email.opened' },
  clicked: { column: 'clicked_at', counter: 'clicked', event: 'email.clicked' },
  machine_opened: { column: 'machine_opened_at', counter: 'machine_opened' },
  machine_clicked: { column: 'machine_clicked_at', counter: 'machine_clicked' },
};

/**
 * Notes the outcome on the send, its recipient, its lead, the campaign's counters, the suppressions
 * and the events, once per kind: a repeat changes nothing. A reply ends the sequence of its own
 * campaign, for every lead with the address; other campaigns go on (who wants otherwise enrols with
 * `skipIfInOtherCampaign`). A suppression ends them all. A message of unknown fate is proven by it, and
 * its recipient goes on.
 * `DAY_SECONDS` scales the days of sending. It waits for nothing that goes on in the account but for
 * who writes to the same rows: message, recipients, leads, in this order, which is that of all.
 * Mail: rules of sending. Choices 9, 17.
 */
export async function recordSendOutcome(
  trx: Transaction<Database>,
  sendId: number,
  outcome: SendOutcome,
  { DAY_SECONDS: daySeconds }: { DAY_SECONDS: number } = { DAY_SECONDS: 86_400 },
): Promise<void> {
  const { kind, at, isPermanent = true } = outcome;
  const isSoft = kind === 'bounced' && !isPermanent;
  const { column, counter, event, suppresses } = OUTCOMES[kind];
  const send = await noteOnce(trx, sendId, isSoft ? 'soft_bounced_at' : column, at);
  if (!send) return;
  const counted: Counted[] = isSoft ? [] : [{ send, outcome: counter, by: 1 }];
  // A gateway that has looked at a message need not have let it through.
  if (event === undefined) return addToCounters(trx, at, counted);
  if (send.state === 'uncertain') {
    await proveMessage(trx, send, { at, daySeconds });
    // When it was counted as uncertain: no day may be left with less than nothing.
    const { claimed_at: claimedAt } = send;
    counted.push({ send, outcome: 'uncertain', by: -1, at: claimedAt });
    counted.push({ send, outcome: 'sent', by: 1, at: claimedAt });
  }
  await addToCounters(trx, at, counted);
  if (kind === 'rejected') await noteWords(trx, sendId, outcome.words);
  await moveRecipient(trx, send, { ...outcome, isPermanent, daySeconds });
  if (kind === 'replied') await moveLeads(trx, send, 'replied');
  if (suppresses && !isSoft) await suppress(trx, send, suppresses);
  const { campaign_id: campaignId, mailbox_id: mailboxId, step, message_id: messageId } = send;
  const ids = { campaignId, leadId: send.lead_id, mailboxId, sendId, step, messageId };
  const facts = { ...ids, at: at.toISOString(), ...(kind === 'bounced' && { isPermanent }) };
  const words = outcome.words === undefined ? {} : { words: outcome.words };
  await insertEvents(trx, [
    {
      userId: send.user_id,
      type: event,
      resource: `lead/${send.lead_id}`,
      payload: { ...facts, ...words, ...outcome.detail },
    },
  ]);
}

/** The send behind any of these Message-IDs (with angle brackets), the first that fits. */
export const findSendByMessageId = (
  db: Kysely<Database>,
  userId: string,
  messageIds: readonly string[],
) =>
  db
    .selectFrom('sends')
    .select(['id', 'campaign_id', 'lead_id', 'mailbox_id', 'message_id'])
    .where('user_id', '=', userId)
    .where('message_id', 'in', messageIds.length > 0 ? messageIds : [''])
    .executeTakeFirst();

/** The send, locked; undefined when it was noted before or is gone. */
const noteOnce = (
  trx: Transaction<Database>,
  sendId: number,
  column: Noted,
  at: Date,
): Promise<Send | undefined> =>
  trx
    .updateTable('sends')
    .set({ [column]: at })
    .where('id', '=', sendId)
    .where(column, 'is', null)
    .returningAll()
    .executeTakeFirst();

const noteWords = (trx: Transaction<Database>, sendId: number, words: string | undefined) =>
  trx
    .updateTable('sends')
    .set({ rejection: words ?? '' })
    .where('id', '=', sendId)
    .execute();

/**
 * Choice 9. Whoever has unsubscribed, bounced or answered keeps that word, unless it gets worse; whoever was
 * removed from the campaign stays so.
 */
async function moveRecipient(
  trx: Transaction<Database>,
  send: Send,
  outcome: SendOutcome & { isPermanent: boolean; daySeconds: number },
): Promise<void> {
  const { kind, at, backAt, isPermanent, daySeconds } = outcome;
  const recipient = trx
    .updateTable('recipients')
    .where('campaign_id', '=', send.campaign_id)
    .where('status', '!=', 'removed')
    .where('lead_id', 'in', leadsOf(send));
  const over = { due_at: null, hold_reason: null, updated_at: at };
  if (kind === 'complained') {
    await recipient.set({ status: 'unsubscribed', ...over, hold_reason: 'complained' }).execute();
  } else if (kind === 'unsubscribed') {
    await recipient
      .set({ status: 'unsubscribed', ...over })
      .where('hold_reason', 'is distinct from', 'complained')
      .execute();
  } else if (kind === 'bounced' && isPermanent) {
    await recipient
      .set({ status: 'bounced', ...over })
      .where('status', '!=', 'unsubscribed')
      .execute();
  } else if (kind === 'rejected') {
    await recipient
      .set({ status: 'failed', ...over, hold_reason: 'policy_rejection' })
      .where('status', 'not in', ['unsubscribed', 'bounced', 'replied'])
      .execute();
  } else if (kind === 'replied') {
    await recipient
      .set({ status: 'replied', ...over })
      .where('status', 'not in', ['unsubscribed', 'bounced'])
      .execute();
  } else if (kind === 'auto_replied') {
    const until = backAt ?? new Date(at.getTime() + sendingDaysMs(AWAY_DAYS, daySeconds));
    // While a message is claimed, `due_at` is only when a lost claim is found.
    const dueAt = sql<Date>`case when exists (select from sends
      where sends.campaign_id = recipients.campaign_id and sends.lead_id = recipients.lead_id
        and sends.state in ('claimed', 'sending')) then ${until}::timestamptz
      else greatest(due_at, ${until}) end`;
    const stillHeld = sql<HoldReason>`case when hold_reason = 'needs_review' then hold_reason
      else 'auto_reply' end`;
    await recipient
      .set({ due_at: dueAt, hold_reason: stillHeld, updated_at: at })
      .where('due_at', 'is not', null)
      .execute();
    const later = sql<Date>`greatest(paused_due_at, ${until})`;
    await recipient
      .set({ paused_due_at: later, hold_reason: stillHeld, updated_at: at })
      .where('status', '=', 'paused')
      .execute();
  } else if (kind === 'bounced') {
    await recipient
      .set({ hold_reason: 'soft_bounce', updated_at: at })
      .where('due_at', 'is not', null)
      .where('hold_reason', 'is', null)
      .execute();
  }
}

/**
 * The lead that was written to, and all that have the address: they are one person. Choice 53. Not
 * those whose list is being deleted, whose rows are locked while they are removed.
 */
const leadsOf = ({ user_id, lead_id, email_key }: Send) => sql<number>`(
  select id from leads
  where user_id = ${user_id} and (id = ${lead_id} or email_key = ${email_key})
    and ${isKeptLead('leads', user_id)})`;

const FROM = {
  replied: ['pending', 'active', 'contacted', 'completed'],
  bounced: ['pending', 'active', 'contacted', 'completed', 'replied', 'suppressed'],
  unsubscribed: ['pending', 'active', 'contacted', 'completed', 'replied', 'suppressed', 'bounced'],
} as const;

/**
 * Choice 17. An answer is that of the leads of its campaign. The others are the address's: all leads
 * that have it, and not one that has another by now.
 */
async function moveLeads(
  trx: Transaction<Database>,
  send: Send,
  to: 'replied' | 'bounced' | 'unsubscribed',
): Promise<void> {
  const { user_id: userId, campaign_id: campaignId, email_key: email } = send;
  const concerned =
    to === 'replied'
      ? sql`id in (select ${send.lead_id}::bigint union
          select twin.id from leads as twin join recipients on recipients.lead_id = twin.id
            and recipients.campaign_id = ${campaignId}
          where twin.user_id = ${userId} and twin.email_key = ${email})`
      : sql`email_key = ${email}`;
  await sql`
    with locked as (
      select id from leads
      where user_id = ${userId} and status = any (${[...FROM[to]]}) and ${concerned}
        and ${isKeptLead('leads', userId)}
      order by id for no key update
    )
    update leads set status = ${to}, updated_at = now() from locked where leads.id = locked.id`.execute(
    trx,
  );
}

/** The address that the message went to, also when its lead is gone; not that of an erased person. */
async function suppress(
  trx: Transaction<Database>,
  send: Send,
  reason: SuppressionReason,
): Promise<void> {
  await moveLeads(trx, send, reason === 'bounce' ? 'bounced' : 'unsubscribed');
  if (send.email_key === null) return;
  const note = `campaign ${send.campaign_id}`;
  const entry = { kind: 'email' as const, value: send.email_key, reason, note };
  await insertSuppressions(trx, send.user_id, [entry]);
  await suppressLeads(trx, send.user_id, [entry]);
}
