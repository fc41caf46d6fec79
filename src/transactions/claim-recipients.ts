/** Chooses recipients for a claim's open mailboxes, and writes the intents to send. */
import type { Transaction } from 'kysely';
import type { CampaignStep } from '../domain/campaigns/campaigns.ts';
import { chooseVariant } from '../domain/sending/message-content.ts';
import { numberOf } from '../domain/campaigns/step-texts.ts';
import { createWindows, withinWindow } from '../domain/sending/recipient-window.ts';
import { addressPolicyOf, campaignWindowOf } from '../db/campaigns/campaigns.ts';
import { withoutContacted } from '../db/campaigns/contacted-addresses.ts';
import { sequenceFrom, stepRows, type StepRow } from '../db/campaigns/campaign-steps.ts';
import { together } from '../db/round-trips.ts';
import {
  dueLocks,
  readRecipients,
  type EarliestDue,
  type LockedRow,
} from '../db/sending/due-recipients.ts';
import {
  type DueRecipient,
  recipientDomainOf,
  threadFrom,
  type Dropped,
} from '../domain/sending/due-recipients.ts';
import type { MailboxCapacity } from '../db/sending/mailbox-capacity.ts';
import {
  placesLeft,
  withinNewLeadQuota,
  type NewLeadQuota,
} from '../domain/campaigns/new-leads.ts';
import { assignMailboxes } from '../domain/sending/mailbox-assignment.ts';
import { withoutPostponed } from './campaigns/campaign-portions.ts';
import { createFitness } from '../domain/sending/recipient-fitness.ts';
import type { Claim, ClaimRequest, ClaimSettings } from './claims.ts';
import { messageIdOf, type MessageIdSettings } from './message-ids.ts';
import { insertClaims, type PlannedMessage } from '../db/sending/send-claim-rows.ts';
import { dropRecipients, removeRecipients } from '../db/campaigns/recipient-drops.ts';
import { pausedProviders, withoutPausedProviders } from '../db/sending/paused-providers.ts';
import { recentTimes, withinRecipientDomainLimit } from '../db/sending/recipient-domain-limit.ts';
import type { Database } from '../db/tables.ts';

export interface ClaimedRecipients {
  /** When the gap of each mailbox ends that sends, by mailbox. */
  spent: Map<number, Date>;
  /** When the others are due, where it was asked together with the claims. */
  due?: EarliestDue | undefined;
}

/** Writes the claims into `claim`, and the sequence. */
export async function claimRecipients(
  trx: Transaction<Database>,
  settings: ClaimSettings,
  {
    request,
    claim,
    open,
    quota,
    hasThreads,
  }: {
    request: ClaimRequest;
    claim: Claim;
    open: readonly MailboxCapacity[];
    quota: NewLeadQuota | undefined;
    hasThreads: boolean;
  },
): Promise<ClaimedRecipients> {
  const { campaignId, now, most, further = 0, inFlight = [], chance = Math.random } = request;
  const slots = Math.min(
    most,
    open.reduce((sum, { slots: left, takesFirst }) => sum + (takesFirst ? left : 0), 0),
  );
  const sought = (firsts: number) => (firsts === 0 ? 0 : firsts + further);
  const locks = dueLocks({
    campaignId,
    now,
    mailboxes: open,
    hasThreads,
    firsts: sought(Math.min(slots, placesLeft(quota))),
    ...(quota?.retryAt &&
      quota.retryAt <= now && { putOff: { since: quota.dayFrom, most: sought(slots) } }),
  });
  const [steps, ...locked] = await together<[StepRow, ...LockedRow[]]>(trx, [
    stepRows(trx, [campaignId]),
    ...locks,
  ]);
  claim.sequence = sequenceFrom(claim.campaign, steps);
  const found = await readRecipients(trx, campaignId, locked.flat());
  const times = { now, daySeconds: settings.DAY_SECONDS };
  const due = await withoutPostponed(trx, claim.campaign, found, times);
  const dropped: Dropped[] = [];
  const fitness = createFitness(addressPolicyOf(claim.campaign), claim.sequence);
  const gone = due.filter(({ isGone }) => isGone).map(({ leadId }) => leadId);
  await removeRecipients(trx, campaignId, gone);
  const kept = due.filter(({ isGone }) => !isGone);
  const fit = kept.filter((recipient) => {
    const drop = fitness(recipient);
    if (drop) dropped.push({ leadId: recipient.leadId, ...drop });
    return !drop;
  });
  const windows = createWindows(campaignWindowOf(claim.campaign), now);
  const never = await withoutContacted(trx, {
    campaign: claim.campaign,
    recipients: withinWindow(windows, fit, { dropped, now }),
    dropped,
    now,
  });
  const { user_id: userId } = claim.campaign;
  const [recent, paused] = await together(trx, [
    recentTimes(settings, { campaignId, now, recipients: never }),
    pausedProviders(userId, now),
  ]);
  const toWhom = { now, recipients: never, dropped };
  const within = withinRecipientDomainLimit(settings, recent, toWhom);
  const free = await withoutPausedProviders(trx, paused, { recipients: within, dropped });
  const allowed = withinNewLeadQuota(quota, free, dropped);
  const planned = assignMailboxes(allowed, open, most).map(({ recipient, mailbox }) =>
    plan(settings, { campaignId, sequence: claim.sequence, windows }, recipient, mailbox),
  );
  const { messages, ...rest } = await insertClaims(trx, planned, {
    userId,
    campaignId,
    inFlight,
    claimedBy: request.claimedBy,
    now,
    open,
    chance,
  });
  await dropRecipients(trx, campaignId, dropped, now);
  claim.messages = messages;
  claim.dropped = dropped.length + gone.length + found.length - due.length;
  return rest;
}

function plan(
  settings: MessageIdSettings,
  {
    campaignId,
    sequence,
    windows,
  }: {
    campaignId: number;
    sequence: readonly CampaignStep[];
    windows: ReturnType<typeof createWindows>;
  },
  due: DueRecipient,
  mailboxCapacity: MailboxCapacity,
): PlannedMessage {
  const step = sequence[due.step]!;
  const seed = { campaignId, leadId: due.leadId, position: due.step };
  return {
    leadId: due.leadId,
    mailboxId: mailboxCapacity.mailboxId,
    mailboxEmail: mailboxCapacity.email,
    isConnected: mailboxCapacity.isConnected,
    sender: mailboxCapacity.sender,
    step,
    variant: numberOf(step, chooseVariant(step, seed)),
    messageId: messageIdOf(
      settings,
      { ...seed, again: due.again },
      {
        email: mailboxCapacity.email,
        emailKey: due.emailKey,
      },
    ),
    recipientDomain: recipientDomainOf(due),
    emailKey: due.emailKey,
    recipient: due.recipient,
    windowUntil: windows(due.whereabouts).until,
    thread: threadFrom(due, mailboxCapacity.mailboxId),
  };
}
