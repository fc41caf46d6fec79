/** Claims the messages of a campaign that may be sent now: the intent to send, before any SMTP session. Tells when the next are due. */
import { sql, type Transaction } from 'kysely';
import { missingSenderFields } from '../db/accounts/accounts.ts';
import { lastChange } from '../db/campaigns/campaign-waits.ts';
import { campaignWindowOf } from '../db/campaigns/campaigns.ts';
import { findNewLeadQuota, lockNewLeadQuota } from '../db/campaigns/new-leads.ts';
import { together } from '../db/round-trips.ts';
import { candidatesOf } from '../db/sending/mailbox-candidates.ts';
import { lockCapacity, type Unneeded } from '../db/sending/mailbox-capacity.ts';
import { dueMailboxesOf } from '../db/sending/needed-mailboxes.ts';
import type { EarliestDue } from '../db/sending/due-recipients.ts';
import { placesLeft, type NewLeadQuota } from '../domain/campaigns/new-leads.ts';
import { isOpenForAnybody } from '../domain/sending/recipient-window.ts';
import { jobStateOf } from './campaign-states.ts';
import { claimRecipients } from './claim-recipients.ts';
import { CAMPAIGN_COLUMNS, type Claim, type ClaimRequest, type ClaimSettings } from './claims.ts';
import { nextMessageTime } from './next-message-time.ts';
import type { Database } from '../db/tables.ts';

/**
 * One transaction; once a request to pause has returned, nothing more is claimed. Suppression and every limit
 * are checked under its locks. docs/sending-rules.md#the-claim-checks-everything. Choices 7, 9.
 */
export async function claimMessages(
  trx: Transaction<Database>,
  settings: ClaimSettings,
  request: ClaimRequest,
): Promise<Claim> {
  const { now, most } = request;
  const { claim, sender, candidates, due } = await beginClaim(trx, request);
  const { campaign } = claim;
  if (claim.state !== 'active') return claim;
  const isClosed = !isOpenForAnybody(campaignWindowOf(campaign), now);
  const { open, waiting, unneeded, capacity, hasThreads } = isClosed
    ? { open: [], waiting: [], unneeded: [], capacity: 0, hasThreads: false }
    : await lockCapacity(trx, settings, { candidates, due, now, most });
  if (open.length + unneeded.length > 0) {
    claim.missing = missingSenderFields(sender);
    if (claim.missing.length > 0) return claim;
    claim.sender = { name: sender.sender_name!, postalAddress: sender.postal_address! };
  }
  const ofNewLeads = { campaign, capacity, now, daySeconds: settings.DAY_SECONDS };
  let [quota, mayStill]: [NewLeadQuota | undefined, Unneeded[]] = [undefined, open];
  let seenAt: EarliestDue | undefined;
  if (open.length > 0) {
    quota = await lockNewLeadQuota(trx, ofNewLeads);
    const found = await claimRecipients(trx, settings, { request, claim, open, quota, hasThreads });
    seenAt = found.due;
    const { spent } = found;
    const isHeld = claim.messages.length > 0 && waiting.some((one) => one.isHeld === true);
    if (claim.dropped > 0 || isHeld) return { ...claim, nextAt: now };
    const isSpent = ({ mailboxId }: Unneeded) => (spent.get(mailboxId) ?? now) > now;
    mayStill = open.filter((mailbox) => !isSpent(mailbox));
    waiting.push(...open.filter(isSpent).map((one) => ({ ...one, at: spent.get(one.mailboxId)! })));
    // Counted anew with what was claimed.
    if (claim.messages.length > 0) quota = await findNewLeadQuota(trx, ofNewLeads);
  } else if (waiting.length > 0) {
    // A campaign that has used up today's new leads must not reserve slots for them.
    quota = await findNewLeadQuota(trx, ofNewLeads);
  }
  return {
    ...claim,
    why: whyNothing({
      isClosed,
      // Those that are free while nobody is due for them are not locked.
      free: mayStill.length + unneeded.length,
      waiting: waiting.length,
      quota,
    }),
    ...(await nextMessageTime(trx, {
      claim,
      request,
      due: seenAt,
      open: [...mayStill, ...unneeded],
      waiting,
      quota,
    })),
  };
}

/** Locks the campaign against changes, and reads its mailboxes and what is due. Nothing is claimed yet. */
async function beginClaim(trx: Transaction<Database>, { campaignId, now, most }: ClaimRequest) {
  const [[locked], candidates, due] = await together(trx, [
    trx
      .selectFrom('campaigns')
      .leftJoin('users', 'users.user_id', 'campaigns.user_id')
      .modifyFront(sql`/*claim-campaign*/`)
      .select(CAMPAIGN_COLUMNS.map((column) => `campaigns.${column}` as const))
      .select([lastChange.as('change'), 'sender_name', 'postal_address'])
      .where('id', '=', campaignId)
      .forShare('campaigns'),
    candidatesOf(campaignId, now),
    dueMailboxesOf({ campaignId, now, most }),
  ]);
  if (!locked) throw new Error(`campaign ${campaignId} is gone`);
  const { change, sender_name, postal_address, ...campaign } = locked;
  const claim: Claim = {
    state: campaign.deleted_at ? 'over' : jobStateOf(campaign.status),
    campaign,
    seen: { change, due: null },
    sequence: [],
    sender: { name: '', postalAddress: '' },
    missing: [],
    messages: [],
    nextAt: null,
    dropped: 0,
    why: '',
    isShared: false,
  };
  return { claim, sender: { sender_name, postal_address }, candidates, due };
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
