/** Claims the messages of a campaign that may go now: the intent to send, before any SMTP talk. */
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import type { JobState } from '../../domain/operations/jobs.ts';
import {
  chooseVariant,
  type MessageRecipient,
  type MessageThread,
} from '../../domain/sending/message-content.ts';
import { numberOf } from '../../domain/campaigns/step-texts.ts';
import { windowAt } from '../../domain/sending/send-window.ts';
import { findUser, missingSenderFields } from '../accounts/accounts.ts';
import { jobStateOf } from '../campaigns/campaign-states.ts';
import { windowOf, type Campaign } from '../campaigns/campaigns.ts';
import { loadSequence } from '../campaigns/campaign-steps.ts';
import { withoutContacted } from '../campaigns/contacted-addresses.ts';
import { lockDueRecipients, type DueRecipient } from './due-recipients.ts';
import { lockCapacity, type MailboxCapacity, type CapacitySettings } from './mailbox-capacity.ts';
import {
  lockNewLeadQuota,
  placesLeft,
  withinNewLeadQuota,
  type NewLeadQuota,
} from '../campaigns/new-leads.ts';
import { nextMessageTime } from './next-message-time.ts';
import { insertClaims, spendSlots, type PlannedMessage } from './send-claim-rows.ts';
import { dropRecipients, removeRecipients, type Dropped } from '../campaigns/recipient-drops.ts';
import { createFitness, withoutPausedProviders } from './recipient-fitness.ts';
import {
  recipientDomainOf,
  withinRecipientDomainLimit,
  type RecipientDomainSettings,
} from './recipient-domain-limit.ts';
import type { Database } from '../tables.ts';

export type ClaimSettings = CapacitySettings & RecipientDomainSettings;

export interface ClaimRequest {
  campaignId: number;
  /** Who claims (uuid): nobody else may go on with these messages. */
  claimedBy: string;
  now: Date;
  /** Messages at most. */
  most: number;
  /** So many more recipients are looked at, when the last look found some that are held back. */
  further?: number;
  /** In [0, 1): places the gaps in their jitter. */
  chance?: () => number;
}

/** A message that is this attempt's to send. */
export interface ClaimedMessage {
  sendId: number;
  leadId: number;
  mailboxId: number;
  mailboxEmail: string;
  step: CampaignStep;
  /** The number of its text (`numberOf`). */
  variant: number;
  messageId: string;
  /** SMTP talks before this one. */
  attempts: number;
  recipient: MessageRecipient;
  thread: MessageThread | null;
}

export interface Claim {
  state: JobState;
  campaign: Campaign;
  sequence: readonly CampaignStep[];
  /** The account that messages go out for, as it was at the claim. */
  sender: { name: string; postalAddress: string };
  /** What of it is missing: nothing is claimed. */
  missing: ReturnType<typeof missingSenderFields>;
  messages: ClaimedMessage[];
  /** When the window that is open now closes. */
  windowUntil: Date | null;
  /** When the next message can go at the earliest; null: nobody has a message to come. */
  nextAt: Date | null;
  /** Recipients that were found held back. */
  dropped: number;
  /** Others wait for the same mailboxes: look again soon, and say that this campaign waits. */
  isShared: boolean;
}

/**
 * One transaction; a pause that has returned means that nothing is claimed any more. Suppression
 * and every limit are checked under its locks. Mail: rules of sending. Choices 7, 9.
 */
export async function claimMessages(
  trx: Transaction<Database>,
  settings: ClaimSettings,
  request: ClaimRequest,
): Promise<Claim> {
  const { campaignId, now } = request;
  const campaign = await trx
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .forShare()
    .executeTakeFirstOrThrow();
  const claim: Claim = {
    state: campaign.deleted_at ? 'over' : jobStateOf(campaign.status),
    campaign,
    sequence: [],
    sender: { name: '', postalAddress: '' },
    missing: [],
    messages: [],
    windowUntil: null,
    nextAt: null,
    dropped: 0,
    isShared: false,
  };
  if (claim.state !== 'active') return claim;
  const window = windowAt(windowOf(campaign), now);
  claim.windowUntil = window.until;
  const { open, waiting, unneeded, capacity } =
    window.from > now
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
  if (open.length > 0) {
    const { DAY_SECONDS: daySeconds } = settings;
    quota = await lockNewLeadQuota(trx, { campaign, capacity, now, daySeconds });
    await fill(trx, settings, { request, claim, open, quota });
  }
  if (claim.messages.length > 0 || claim.dropped > 0) return { ...claim, nextAt: now };
  const mayStill = [...open, ...unneeded];
  return {
    ...claim,
    ...(await nextMessageTime(trx, { claim, request, open: mayStill, waiting, quota })),
  };
}

/** Chooses recipients for the open mailboxes and writes the claims. */
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
    placesLeft(quota),
    open.reduce((sum, { slots: left, takesFirst }) => sum + (takesFirst ? left : 0), 0),
  );
  const due = await lockDueRecipients(trx, {
    campaignId,
    now,
    mailboxes: open,
    firsts: slots === 0 ? 0 : slots + further,
  });
  const dropped: Dropped[] = [];
  const fitness = createFitness(claim.campaign, claim.sequence);
  const gone = due.filter(({ isGone }) => isGone).map(({ leadId }) => leadId);
  await removeRecipients(trx, campaignId, gone);
  const kept = due.filter(({ isGone }) => !isGone);
  const fit = kept.filter((recipient) => {
    const drop = fitness(recipient);
    if (drop) dropped.push({ leadId: recipient.leadId, ...drop });
    return !drop;
  });
  const never = await withoutContacted(trx, {
    campaign: claim.campaign,
    recipients: fit,
    dropped,
    now: request.now,
  });
  const within = await withinRecipientDomainLimit(trx, settings, {
    request,
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
  const planned = assign(allowed, open, most).map(({ recipient, mailboxCapacity }) =>
    plan(campaignId, claim.sequence, recipient, mailboxCapacity),
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
  claim.dropped = dropped.length + gone.length;
}

/** Threads go from their own mailbox, first messages from those that have slots left, in turns. */
function assign(
  recipients: readonly DueRecipient[],
  open: readonly MailboxCapacity[],
  most: number,
): { recipient: DueRecipient; mailboxCapacity: MailboxCapacity }[] {
  const left = new Map(
    open.map((mailboxCapacity) => [mailboxCapacity.mailboxId, mailboxCapacity.slots]),
  );
  const byId = new Map(open.map((mailboxCapacity) => [mailboxCapacity.mailboxId, mailboxCapacity]));
  const pairs: { recipient: DueRecipient; mailboxCapacity: MailboxCapacity }[] = [];
  const give = (recipient: DueRecipient, mailboxCapacity: MailboxCapacity) => {
    left.set(mailboxCapacity.mailboxId, left.get(mailboxCapacity.mailboxId)! - 1);
    pairs.push({ recipient, mailboxCapacity });
  };
  for (const recipient of recipients) {
    if (recipient.mailboxId !== null && pairs.length < most) {
      give(recipient, byId.get(recipient.mailboxId)!);
    }
  }
  let turns = open.filter(({ takesFirst }) => takesFirst);
  let turn = 0;
  for (const recipient of recipients) {
    if (recipient.mailboxId !== null) continue;
    turns = turns.filter(({ mailboxId }) => left.get(mailboxId)! > 0);
    if (turns.length === 0 || pairs.length >= most) break;
    give(recipient, turns[turn % turns.length]!);
    turn += 1;
  }
  return pairs;
}

function plan(
  campaignId: number,
  sequence: readonly CampaignStep[],
  due: DueRecipient,
  mailboxCapacity: MailboxCapacity,
): PlannedMessage {
  const step = sequence[due.step]!;
  const seed = { campaignId, leadId: due.leadId, position: due.step };
  return {
    leadId: due.leadId,
    mailboxId: mailboxCapacity.mailboxId,
    mailboxEmail: mailboxCapacity.email,
    step,
    variant: numberOf(step, chooseVariant(step, seed)),
    messageId: messageIdOf(seed, mailboxCapacity.email, due.emailKey),
    recipientDomain: recipientDomainOf(due),
    emailKey: due.emailKey,
    recipient: due.recipient,
    thread: due.thread,
  };
}

/** The same at every attempt from the same mailbox to the same address; says nothing of the campaign. RFC 5322, 3.6.4. */
function messageIdOf(
  { campaignId, leadId, position }: { campaignId: number; leadId: number; position: number },
  email: string,
  emailKey: string | null,
): string {
  const message = `letter/${campaignId}/${leadId}/${position}/${emailKey}`;
  const hash = createHash('sha256').update(message);
  return `<${hash.digest('base64url').slice(0, 27)}@${email.slice(email.lastIndexOf('@') + 1)}>`;
}
