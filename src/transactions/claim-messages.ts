/** Claims the messages of a campaign that may be sent now: the intent to send, before any SMTP session. */
import type { Transaction } from 'kysely';
import type { CampaignStep } from '../domain/campaigns/campaigns.ts';
import { chooseVariant } from '../domain/sending/message-content.ts';
import { numberOf } from '../domain/campaigns/step-texts.ts';
import {
  createWindows,
  isOpenForAnybody,
  withinWindow,
} from '../domain/sending/recipient-window.ts';
import { findUser, missingSenderFields } from '../db/accounts/accounts.ts';
import { jobStateOf } from './campaign-states.ts';
import { addressPolicyOf, campaignWindowOf } from '../db/campaigns/campaigns.ts';
import { firstDue, lastChange } from '../db/campaigns/campaign-waits.ts';
import { loadSequence } from '../db/campaigns/campaign-steps.ts';
import { withoutContacted } from '../db/campaigns/contacted-addresses.ts';
import { lockDueRecipients } from '../db/sending/due-recipients.ts';
import {
  type DueRecipient,
  recipientDomainOf,
  threadFrom,
  type Dropped,
} from '../domain/sending/due-recipients.ts';
import {
  lockCapacity,
  type MailboxCapacity,
  type CapacitySettings,
} from '../db/sending/mailbox-capacity.ts';
import { findNewLeadQuota, lockNewLeadQuota } from '../db/campaigns/new-leads.ts';
import {
  placesLeft,
  withinNewLeadQuota,
  type NewLeadQuota,
} from '../domain/campaigns/new-leads.ts';
import { assignMailboxes } from '../domain/sending/mailbox-assignment.ts';
import { withoutPostponed } from './campaigns/campaign-portions.ts';
import { createFitness } from '../domain/sending/recipient-fitness.ts';
import type { Claim, ClaimRequest } from './claims.ts';
import { messageIdOf, type MessageIdSettings } from './message-ids.ts';
import { nextMessageTime } from './next-message-time.ts';
import { insertClaims, spendSlots, type PlannedMessage } from '../db/sending/send-claim-rows.ts';
import { dropRecipients, removeRecipients } from '../db/campaigns/recipient-drops.ts';
import { withoutPausedProviders } from '../db/sending/paused-providers.ts';
import {
  withinRecipientDomainLimit,
  type RecipientDomainSettings,
} from '../db/sending/recipient-domain-limit.ts';
import type { Database } from '../db/tables.ts';

export type ClaimSettings = CapacitySettings & RecipientDomainSettings & MessageIdSettings;

/**
 * One transaction; once a request to pause has returned, nothing more is claimed. Suppression and every limit
 * are checked under its locks. docs/sending-rules.md#the-claim-checks-everything. Choices 7, 9.
 */
export async function claimMessages(
  trx: Transaction<Database>,
  settings: ClaimSettings,
  request: ClaimRequest,
): Promise<Claim> {
  const { campaignId, now } = request;
  const { change, due, ...campaign } = await trx
    .selectFrom('campaigns')
    .selectAll()
    .select([lastChange.as('change'), firstDue.as('due')])
    .where('id', '=', campaignId)
    .forShare()
    .executeTakeFirstOrThrow();
  const claim: Claim = {
    state: campaign.deleted_at ? 'over' : jobStateOf(campaign.status),
    campaign,
    seen: { change, due },
    sequence: [],
    sender: { name: '', postalAddress: '' },
    missing: [],
    messages: [],
    nextAt: null,
    dropped: 0,
    why: '',
    isShared: false,
  };
  if (claim.state !== 'active') return claim;
  const isClosed = !isOpenForAnybody(campaignWindowOf(campaign), now);
  const { open, waiting, unneeded, capacity } = isClosed
    ? { open: [], waiting: [], unneeded: [], capacity: 0 }
    : await lockCapacity(trx, settings, { campaignId, now, most: request.most });
  let quota: NewLeadQuota | undefined;
  if (open.length + unneeded.length > 0) {
    const user = await findUser(trx, campaign.user_id);
    claim.missing = missingSenderFields(user);
    if (claim.missing.length > 0) return claim;
    claim.sender = { name: user!.sender_name!, postalAddress: user!.postal_address! };
    claim.sequence = await loadSequence(trx, campaignId);
  }
  const ofNewLeads = { campaign, capacity, now, daySeconds: settings.DAY_SECONDS };
  if (open.length > 0) {
    quota = await lockNewLeadQuota(trx, ofNewLeads);
    await fill(trx, settings, { request, claim, open, quota });
  } else if (waiting.length > 0) {
    // A campaign that has used up today's new leads must not reserve slots for them.
    quota = await findNewLeadQuota(trx, ofNewLeads);
  }
  if (claim.messages.length > 0 || claim.dropped > 0) return { ...claim, nextAt: now };
  const mayStill = [...open, ...unneeded];
  return {
    ...claim,
    why: whyNothing({
      isClosed,
      // Those that are free while nobody is due for them are not locked.
      free: open.length + unneeded.length,
      waiting: waiting.length,
      quota,
    }),
    ...(await nextMessageTime(trx, { claim, request, open: mayStill, waiting, quota })),
  };
}

function whyNothing(of: {
  isClosed: boolean;
  free: number;
  waiting: number;
  quota: NewLeadQuota | undefined;
}): string {
  if (of.isClosed) return 'Outside its sending window';
  if (of.free === 0 && of.waiting === 0) return 'None of its mailboxes may send';
  if (of.free === 0) return 'Its mailboxes are at a limit, in a gap, or resting';
  if (placesLeft(of.quota) === 0) return "Today's new leads are used up";
  return 'Nobody is due: follow-ups wait for their day, held leads for a validation';
}

/** Selects recipients for the open mailboxes and writes the claims. */
async function fill(
  trx: Transaction<Database>,
  settings: ClaimSettings,
  {
    request,
    claim,
    open,
    quota,
  }: {
    request: ClaimRequest;
    claim: Claim;
    open: readonly MailboxCapacity[];
    quota: NewLeadQuota | undefined;
  },
): Promise<void> {
  const { campaignId, now, most, further = 0, chance = Math.random } = request;
  const slots = Math.min(
    most,
    open.reduce((sum, { slots: left, takesFirst }) => sum + (takesFirst ? left : 0), 0),
  );
  const sought = (firsts: number) => (firsts === 0 ? 0 : firsts + further);
  const found = await lockDueRecipients(trx, {
    campaignId,
    now,
    mailboxes: open,
    firsts: sought(Math.min(slots, placesLeft(quota))),
    ...(quota?.retryAt &&
      quota.retryAt <= now && { putOff: { since: quota.dayFrom, most: sought(slots) } }),
  });
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
  const within = await withinRecipientDomainLimit(trx, settings, {
    campaignId,
    now,
    recipients: never,
    dropped,
  });
  const free = await withoutPausedProviders(trx, {
    userId: claim.campaign.user_id,
    now,
    recipients: within,
    dropped,
  });
  const allowed = withinNewLeadQuota(quota, free, dropped);
  const planned = assignMailboxes(allowed, open, most).map(({ recipient, mailbox }) =>
    plan(settings, { campaignId, sequence: claim.sequence, windows }, recipient, mailbox),
  );
  const claimed = await insertClaims(trx, planned, {
    userId: claim.campaign.user_id,
    campaignId,
    claimedBy: request.claimedBy,
    now,
  });
  await spendSlots(trx, { campaignId, now, open, messages: claimed, chance });
  await dropRecipients(trx, campaignId, dropped, now);
  claim.messages = claimed;
  claim.dropped = dropped.length + gone.length + found.length - due.length;
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
