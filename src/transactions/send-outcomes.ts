/** Outcomes of sent messages: answers, bounces, complaints, unsubscriptions, opens. */
import { sql, type Transaction } from 'kysely';
import { DAY_SECONDS } from '../domain/day.ts';
import type { SendFacts } from '../domain/webhooks/event-payloads.ts';
import type { SuppressionReason } from '../domain/suppressions/suppressions.ts';
import {
  addToCounters,
  type Counted,
  type CountedOutcome,
} from '../db/campaigns/campaign-counters.ts';
import { holdForAnswer } from '../db/campaigns/answer-locks.ts';
import { stopCompanies } from '../db/campaigns/company-replies.ts';
import { isKeptLead } from '../db/leads/deleted-lists.ts';
import { insertEvents } from '../db/webhooks/events.ts';
import { restartCorrected } from '../db/sending/corrected-addresses.ts';
import { outcomeEvent, type SendOutcome } from '../db/sending/outcome-events.ts';
import { proveMessage } from '../db/sending/proven-messages.ts';
import { findSendOfLink } from '../db/sending/recipient-links.ts';
import { suppressLeads } from '../db/suppressions/suppressed-leads.ts';
import { insertSuppressions, type Suppression } from '../db/suppressions/suppressions.ts';
import type { Database } from '../db/tables.ts';
import { leadOf, moveRecipient, ownAddress, reachedLead, type Send } from './recipient-outcomes.ts';

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
    suppresses?: SuppressionReason;
  }
> = {
  replied: { column: 'replied_at', counter: 'replied' },
  auto_replied: { column: 'auto_replied_at', counter: 'auto_replied' },
  bounced: { column: 'bounced_at', counter: 'bounced', suppresses: 'bounce' },
  rejected: { column: 'rejected_at', counter: 'rejected' },
  complained: { column: 'complained_at', counter: 'complained', suppresses: 'complaint' },
  unsubscribed: { column: 'unsubscribed_at', counter: 'unsubscribed', suppresses: 'unsubscribe' },
  opened: { column: 'opened_at', counter: 'opened' },
  clicked: { column: 'clicked_at', counter: 'clicked' },
  machine_opened: { column: 'machine_opened_at', counter: 'machine_opened' },
  machine_clicked: { column: 'machine_clicked_at', counter: 'machine_clicked' },
};

/**
 * Records the outcome on the send, its recipient, its lead, the campaign's counters, the suppressions and the
 * events, once per kind: a repeat changes nothing, but that a wish to get no more is heard each time (`repeatWish`). A reply ends the sequence of its own campaign, for every
 * lead with the address, and where the campaign says so for their company; other campaigns continue (to avoid that, enrol with `skipIfInOtherCampaign`). A
 * suppression ends them all. An outcome proves the delivery of a message in an unknown state, and its
 * recipient continues. `DAY_SECONDS` scales the days of sending. It only waits for transactions that write
 * the same rows: campaign (of a reply, which looks at its settings), message, recipients, leads, in this order,
 * which all writers use.
 * Returns the entry that it has made. docs/sending-rules.md#what-an-outcome-changes. Choices 9, 17, 155.
 */
export async function recordSendOutcome(
  trx: Transaction<Database>,
  sendId: number,
  outcome: SendOutcome,
  { DAY_SECONDS: daySeconds }: { DAY_SECONDS: number } = { DAY_SECONDS },
): Promise<Suppression | undefined> {
  const { kind, at, isPermanent = true, hasExpired = false } = outcome;
  const isSoft = kind === 'bounced' && !isPermanent;
  const { column, counter, suppresses } = OUTCOMES[kind];
  if (kind === 'replied') await holdForAnswer(trx, sendId);
  const send = await noteOnce(trx, sendId, isSoft ? 'soft_bounced_at' : column, at);
  if (send && isSoft && hasExpired) await noteExpiry(trx, sendId, at);
  if (!send) return WISHES.has(kind) ? repeatWish(trx, sendId, outcome) : undefined;
  const counted: Counted[] = isSoft && !hasExpired ? [] : [{ send, outcome: counter, by: 1 }];
  const event = outcomeEvent(outcome, factsOf(send, at));
  // A gateway may have fetched a link of a message that it did not deliver.
  if (event === undefined) {
    await addToCounters(trx, at, counted);
    return undefined;
  }
  if (send.state === 'uncertain') {
    await proveMessage(trx, send, { at, daySeconds });
    // On the day on which it was counted as uncertain: no day's count may become negative.
    const { claimed_at: claimedAt } = send;
    counted.push({ send, outcome: 'uncertain', by: -1, at: claimedAt });
    counted.push({ send, outcome: 'sent', by: 1, at: claimedAt });
  }
  await addToCounters(trx, at, counted);
  if (kind === 'rejected') await noteWords(trx, sendId, outcome.words);
  const { campaign_id: campaignId, lead_id: leadId } = send;
  const corrected = { campaignId, leadIds: [leadId], now: at };
  // Of who begins anew at another address it is no message any more.
  const again = isSoft && hasExpired ? await restartCorrected(trx, corrected) : [];
  const moved = { ...send, lead_id: again.includes(leadId) ? -send.id : leadId };
  await moveRecipient(trx, moved, { ...outcome, isPermanent, hasExpired, daySeconds });
  if (kind === 'bounced' && !isSoft) await restartCorrected(trx, corrected);
  if (kind === 'replied') {
    await stopCompanies(trx, answererOf(send), at);
    await moveLeads(trx, send, 'replied');
  }
  const entry = suppresses && !isSoft ? await suppress(trx, send, outcome) : undefined;
  const resource = `lead/${leadOf(send)}`;
  await insertEvents(trx, [{ userId: send.user_id, resource, ...event }]);
  return entry;
}

const WISHES: ReadonlySet<SendOutcome['kind']> = new Set(['unsubscribed', 'complained']);

/**
 * The message has brought such a wish before. The entry may have been lifted since, and the person be back in the
 * campaign; or it was the link, and now it is words. Where there was no entry, who has heard of the first hears of this;
 * nothing is counted.
 */
async function repeatWish(
  trx: Transaction<Database>,
  sendId: number,
  outcome: SendOutcome,
): Promise<Suppression | undefined> {
  const send = await findSendOfLink(trx, sendId);
  if (!send) return undefined;
  // The same message, read again: in another mailbox, or where a process died before it was stored.
  const noted = send[OUTCOMES[outcome.kind].column];
  if (!outcome.isByLink && noted?.getTime() === outcome.at.getTime()) return undefined;
  await moveRecipient(trx, send, {
    ...outcome,
    isPermanent: true,
    hasExpired: false,
    daySeconds: DAY_SECONDS,
  });
  const entry = await suppress(trx, send, outcome);
  const event = outcomeEvent(outcome, factsOf(send, outcome.at));
  if (!entry || !event) return entry;
  const resource = `lead/${leadOf(send)}`;
  await insertEvents(trx, [{ userId: send.user_id, resource, ...event }]);
  return entry;
}

const answererOf = (send: Send) => ({
  userId: send.user_id,
  campaignId: send.campaign_id,
  leadId: reachedLead(send),
  emailKey: send.email_key,
});

export const factsOf = (send: Send, at: Date): SendFacts => ({
  campaignId: send.campaign_id,
  leadId: leadOf(send),
  mailboxId: send.mailbox_id,
  sendId: send.id,
  step: send.step,
  messageId: send.message_id,
  at: at.toISOString(),
});

/** The send, locked; undefined when the outcome was recorded before or the send is deleted. */
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

/** That nobody got it outlasts what becomes of the recipient. */
const noteExpiry = (trx: Transaction<Database>, sendId: number, at: Date) =>
  trx.updateTable('sends').set({ expired_at: at }).where('id', '=', sendId).execute();

const noteWords = (trx: Transaction<Database>, sendId: number, words: string | undefined) =>
  trx
    .updateTable('sends')
    .set({ rejection: words ?? '' })
    .where('id', '=', sendId)
    .execute();

const FROM = {
  replied: ['pending', 'active', 'contacted', 'completed'],
  bounced: ['pending', 'active', 'contacted', 'completed', 'replied', 'suppressed'],
  unsubscribed: ['pending', 'active', 'contacted', 'completed', 'replied', 'suppressed', 'bounced'],
} as const;

/**
 * Choice 17. An answer concerns the leads of its campaign. Other outcomes concern the address: all leads that
 * have it, without a lead whose address has changed since.
 */
async function moveLeads(
  trx: Transaction<Database>,
  send: Send,
  to: 'replied' | 'bounced' | 'unsubscribed',
  emails: readonly (string | null)[] = [send.email_key],
): Promise<void> {
  const { user_id: userId, campaign_id: campaignId } = send;
  const isConcerned = sql`email_key = any (${[...emails]}::text[])`;
  const concerned =
    to === 'replied'
      ? sql`id in (select ${reachedLead(send)}::bigint union
          select twin.id from leads as twin join recipients on recipients.lead_id = twin.id
            and recipients.campaign_id = ${campaignId}
          where twin.user_id = ${userId} and twin.${isConcerned})`
      : isConcerned;
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

/**
 * The address that the message went to, even when its lead is deleted, unless it was erased, and the one that the lead has
 * and the person wrote from. Returns a new entry.
 */
async function suppress(
  trx: Transaction<Database>,
  send: Send,
  { kind, isByLink = false, writtenFrom }: SendOutcome,
): Promise<Suppression | undefined> {
  const reason = OUTCOMES[kind].suppresses!;
  const emails = [send.email_key, await ownAddress(trx, send, writtenFrom)].filter(
    (email) => email !== null,
  );
  await moveLeads(trx, send, reason === 'bounce' ? 'bounced' : 'unsubscribed', emails);
  if (emails.length === 0) return undefined;
  const note = `campaign ${send.campaign_id}`;
  const entries = emails.map((value) => ({
    kind: 'email' as const,
    value,
    reason,
    note,
    byLink: isByLink,
  }));
  const added = await insertSuppressions(trx, send.user_id, entries);
  await suppressLeads(trx, send.user_id, entries);
  return added.find(({ value }) => value === send.email_key) ?? added[0];
}
