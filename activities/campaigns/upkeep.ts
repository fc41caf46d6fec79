/**
 * What a session checks beside its messages: rates, texts that win, mailboxes that fail or recover, no
 * mailbox left to send.
 */
import { checkHealth, pauseFor } from '../../src/transactions/campaign-health.ts';
import { lookForWinners } from '../../src/transactions/campaigns/variant-winners.ts';
import { hasRecipientsDue, lockCampaign } from '../../src/db/campaigns/campaigns.ts';
import {
  listCampaignMailboxes,
  type CampaignMailbox,
} from '../../src/db/sending/sending-mailboxes.ts';
import {
  areFirstMessagesDue,
  releaseRecipients,
} from '../../src/db/sending/unassigned-recipients.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { createMailboxChecks } from './mailbox-checks.ts';
import type { SessionTools } from './tools.ts';

/** Seconds of sending between two looks at texts that are compared. */
const WINNER_SECONDS = 3_600;

export interface Upkeep {
  /** Safe to run at any time. True when the campaign was paused. `tools` are those of the session. */
  (tools: SessionTools): Promise<boolean>;
  /** Checks of mailboxes are under way: it is to go on soon. */
  isOpen(): boolean;
}

export function createUpkeep({ config }: Pick<SessionTools, 'config'>, campaignId: number): Upkeep {
  const scaled = (seconds: number) => sendingMs(seconds, config.DAY_SECONDS);
  const checks = createMailboxChecks(config, campaignId);
  let winnerAt = 0;
  const upkeep = async (tools: SessionTools): Promise<boolean> => {
    const { db, clock } = tools;
    const now = clock.now();
    if (await checkHealth(db, config, campaignId, now)) return true;
    if (now.getTime() >= winnerAt) {
      winnerAt = now.getTime() + scaled(WINNER_SECONDS);
      await lookForWinners(db, config, campaignId, now);
    }
    await checks.goOn(tools);
    const mailboxes = await listCampaignMailboxes(db, campaignId);
    const isGone = ({ status }: CampaignMailbox) => status !== 'active' && status !== 'pending';
    const gone = mailboxes.filter(isGone);
    const failing = mailboxes.filter((one) => !isGone(one) && one.failing_reason !== null);
    // A held server sends again by itself: its mailboxes are waited for.
    const isHeld = (one: CampaignMailbox) =>
      !isGone(one) && one.failing_reason === null && one.is_held;
    const held = mailboxes.filter(isHeld);
    const usable = mailboxes.length - gone.length - failing.length;
    // Mailboxes that were removed from the campaign only continue their threads.
    const takesFirst = mailboxes.some(
      (one) => !isGone(one) && one.failing_reason === null && one.out_reason === null,
    );
    const isStuck =
      usable === 0 || (!takesFirst && (await areFirstMessagesDue(db, campaignId, now)));
    if (!isStuck && gone.length + failing.length + held.length === 0) return false;
    return db.transaction().execute(async (trx) => {
      // Lock order: the campaign's row first.
      await lockCampaign(trx, campaignId);
      const waiting = idsOf([...failing, ...held]);
      await releaseRecipients(trx, campaignId, { failing: waiting, gone: idsOf(gone), now });
      // One that is yet to be checked may send.
      if (checks.isOpen()) return false;
      // Where the last threads have ended with their mailbox, the campaign ends too.
      if (!isStuck || !(await hasRecipientsDue(trx, campaignId))) return false;
      const reason = whyNone(failing);
      return pauseFor(trx, campaignId, { reason, warning: wordsFor(mailboxes), now });
    });
  };
  return Object.assign(upkeep, { isOpen: () => checks.isOpen() });
}

const idsOf = (some: readonly CampaignMailbox[]) => some.map(({ id }) => id);

const MAX_NAMED = 3;

/** Which mailboxes were lost, why, and what helps. */
function wordsFor(mailboxes: readonly CampaignMailbox[]): string {
  const lost = mailboxes.map(({ email, status, failing_reason: failing, out_reason: out }) => {
    if (status !== 'active' && status !== 'pending') return `${email} was deleted`;
    return failing === null ? `${email} was ${out}` : `${email} fails (${failing})`;
  });
  const more = lost.length - MAX_NAMED;
  const named = [...lost.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const why = named === '' ? 'it has none' : named;
  return `No mailbox of the campaign can send: ${why}. Assign others or mend these, and resume`;
}

const whyNone = (failing: readonly CampaignMailbox[]) =>
  failing.length > 0 && failing.every(({ failing_reason }) => failing_reason === 'dns_failing')
    ? ('dns_failing' as const)
    : ('no_mailbox' as const);
