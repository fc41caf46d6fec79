/** What a campaign that sends nothing now waits for: its next message, or a slot of a shared mailbox. */
import type { Transaction } from 'kysely';
import { isOpenForAnybody, nextOpenTime } from '../domain/sending/recipient-window.ts';
import { campaignWindowOf } from '../db/campaigns/campaigns.ts';
import { earliestDueOf, earliestRows, type EarliestDue } from '../db/sending/due-recipients.ts';
import { earliest } from '../domain/sending/sending-time.ts';
import type { Unneeded, Waiting } from '../db/sending/mailbox-capacity.ts';
import { placesLeft, type NewLeadQuota } from '../domain/campaigns/new-leads.ts';
import type { Claim, ClaimRequest } from './claims.ts';
import type { Database } from '../db/tables.ts';

/** A campaign that waits for a slot of a shared mailbox renews its request within this time. */
const WANT_MS = 15_000;

/** How often failing mailboxes are checked again. */
const HEAL_MS = 10 * 60_000;

/** A decision about an answer wakes the campaign; this covers a lost signal. */
const HELD_MS = 60 * 60_000;

/** The time of the next message besides those that are claimed; also requests slots of shared mailboxes. */
export async function nextMessageTime(
  trx: Transaction<Database>,
  {
    claim,
    request: { campaignId, now, inFlight = [] },
    due: known,
    open,
    waiting,
    quota,
  }: {
    claim: Claim;
    request: ClaimRequest;
    /** Where it was asked with the claims. */
    due: EarliestDue | undefined;
    /** Mailboxes that could send now, if a recipient were due. */
    open: readonly Unneeded[];
    waiting: readonly Waiting[];
    /** Of new leads; undefined: no limit, or not read. */
    quota: NewLeadQuota | undefined;
  },
): Promise<Pick<Claim, 'nextAt' | 'isShared' | 'seen'>> {
  const underWay = [...inFlight, ...claim.messages.map(({ leadId }) => leadId)];
  const due = known ?? earliestDueOf((await earliestRows(campaignId, underWay).execute(trx)).rows);
  // Today's new leads are used up: all but these wait for the next day of the campaign.
  if (due.first && quota && placesLeft(quota) === 0) {
    due.first = earliest(quota.retryAt, latest(due.first, quota.nextDayAt));
  }
  const dueOf = (mailboxId: number, takesFirst: boolean): Date | null =>
    earliest(due.byMailbox.get(mailboxId), takesFirst ? due.first : null);
  const times: Date[] = [];
  const wanted: number[] = [];
  for (const { mailboxId, takesFirst } of open) {
    const dueAt = dueOf(mailboxId, takesFirst);
    if (dueAt) times.push(latest(dueAt, now));
  }
  for (const { mailboxId, takesFirst, at, isShared } of waiting) {
    const dueAt = dueOf(mailboxId, takesFirst);
    if (!dueAt) continue;
    times.push(latest(at ?? new Date(now.getTime() + HEAL_MS), dueAt));
    if (isShared && dueAt <= now) wanted.push(mailboxId);
  }
  if (wanted.length > 0) await want(trx, { campaignId, now, wanted });
  const window = campaignWindowOf(claim.campaign);
  // Outside of the window mailboxes are not checked; without a usable one, polling is all that can be done.
  const isClosed = !isOpenForAnybody(window, now);
  const any = earliest(due.first, ...due.byMailbox.values());
  if (any && isClosed) times.push(latest(any, now));
  else if (any && times.length === 0) times.push(new Date(now.getTime() + HEAL_MS));
  // Those in flight may be due again.
  if (!any && underWay.length === 0 && (await areAllHeld(trx, campaignId)))
    times.push(new Date(now.getTime() + HELD_MS));
  const next = earliest(...times);
  return {
    nextAt: next && nextOpenTime(window, next),
    isShared: wanted.length > 0,
    // Of the same moment: what the campaign's row is, nobody has changed since the claim began.
    seen: { ...claim.seen, due: due.seen },
  };
}

/** Whether all remaining recipients wait for a person. */
const areAllHeld = async (trx: Transaction<Database>, campaignId: number): Promise<boolean> =>
  (await trx
    .selectFrom('recipients')
    .select('lead_id')
    .where('campaign_id', '=', campaignId)
    .where('due_at', 'is not', null)
    .where('hold_reason', '=', 'needs_review')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Requests the next slot, rarely enough to cost nothing. */
async function want(
  trx: Transaction<Database>,
  { campaignId, now, wanted }: { campaignId: number; now: Date; wanted: number[] },
): Promise<void> {
  await trx
    .updateTable('campaign_mailboxes')
    .set({ wants_until: new Date(now.getTime() + WANT_MS) })
    .where('campaign_id', '=', campaignId)
    .where('mailbox_id', 'in', wanted)
    .where((eb) =>
      eb.or([
        eb('wants_until', 'is', null),
        eb('wants_until', '<', new Date(now.getTime() + WANT_MS / 2)),
      ]),
    )
    .execute();
}

const latest = (a: Date, b: Date): Date => (a > b ? a : b);
