/**
 * What a session checks beside its messages: rates, texts that win, mailboxes that fail or recover, no
 * mailbox left to send.
 */
import { DAY_SECONDS } from '../../src/domain/day.ts';
import { checkHealth, pauseFor } from '../../src/transactions/campaign-health.ts';
import { lookForWinners } from '../../src/transactions/campaigns/variant-winners.ts';
import { hasRecipientsDue, lockCampaign } from '../../src/db/campaigns/campaigns.ts';
import { markDnsFailing } from '../../src/db/sending/failing-domains.ts';
import { listPausedMailboxes } from '../../src/db/sending/rejections.ts';
import {
  listCampaignMailboxes,
  markMailboxes,
  type CampaignMailbox,
} from '../../src/db/sending/sending-mailboxes.ts';
import {
  areFirstMessagesDue,
  releaseRecipients,
} from '../../src/db/sending/unassigned-recipients.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { accessOf } from './mailbox-connections.ts';
import type { SessionTools } from './tools.ts';

/** Seconds of sending between two checks of failing mailboxes and DNS. */
const HEAL_SECONDS = 600;
const DNS_SECONDS = 3_600;
/** And between two looks at texts that are compared. */
const WINNER_SECONDS = 3_600;
/** A refusal of our address or host is forgotten after a day: blocklist entries expire, too. */
const REFUSED_SECONDS = DAY_SECONDS;

/** Safe to run at any time. True when the campaign was paused. `tools` are those of the session. */
export type Upkeep = (tools: SessionTools) => Promise<boolean>;

export function createUpkeep({ config }: Pick<SessionTools, 'config'>, campaignId: number): Upkeep {
  const scaled = (seconds: number) => sendingMs(seconds, config.DAY_SECONDS);
  let healAt = 0;
  let dnsAt = 0;
  let winnerAt = 0;
  return async (tools) => {
    const { db, clock } = tools;
    const now = clock.now();
    if (await checkHealth(db, config, campaignId, now)) return true;
    if (now.getTime() >= winnerAt) {
      winnerAt = now.getTime() + scaled(WINNER_SECONDS);
      await lookForWinners(db, config, campaignId, now);
    }
    if (now.getTime() >= healAt) {
      healAt = now.getTime() + scaled(HEAL_SECONDS);
      await heal(tools, await listCampaignMailboxes(db, campaignId), scaled(REFUSED_SECONDS));
    }
    if (now.getTime() >= dnsAt) {
      dnsAt = now.getTime() + scaled(DNS_SECONDS);
      await checkDns(tools, await listCampaignMailboxes(db, campaignId));
    }
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
      // Where the last threads have ended with their mailbox, the campaign ends too.
      if (!isStuck || !(await hasRecipientsDue(trx, campaignId))) return false;
      const reason = whyNone(failing);
      return pauseFor(trx, campaignId, { reason, warning: wordsFor(mailboxes), now });
    });
  };
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

/** Restores mailboxes whose login works again, or whose refusal is old. */
async function heal(
  tools: SessionTools,
  mailboxes: readonly CampaignMailbox[],
  refusedMs: number,
): Promise<void> {
  const { db, clock, mailTransport } = tools;
  const paused = new Set(await listPausedMailboxes(db, idsOf(mailboxes), clock.now()));
  const healed: number[] = [];
  for (const { id, failing_reason: reason, failing_since: since } of mailboxes) {
    if (reason === 'policy_rejections') {
      if (!paused.has(id)) healed.push(id);
    } else if (reason === 'sender_refused') {
      if (since && clock.now().getTime() - since.getTime() >= refusedMs) healed.push(id);
    } else if (reason === 'login_refused') {
      const isFine = await accessOf(tools, id)
        .then((access) => mailTransport.checkSubmission(access))
        .then(() => true)
        .catch(ignoreProvider);
      if (isFine) healed.push(id);
    }
  }
  await db.transaction().execute(async (trx) => {
    await markMailboxes(trx, healed, null, clock.now());
    const still = healed.filter((id) => paused.has(id));
    await markMailboxes(trx, still, 'policy_rejections', clock.now());
  });
}

/**
 * Takes out a sending domain that lacks SPF, or the DKIM key that its messages are signed with, until it
 * has them; no answer proves nothing. Domains without a selector were never set up by us.
 */
async function checkDns(tools: SessionTools, mailboxes: readonly CampaignMailbox[]): Promise<void> {
  const { db, dns, clock } = tools;
  const broken: number[] = [];
  const healed: number[] = [];
  for (const domain of new Set(mailboxes.map((mailbox) => mailbox.domain))) {
    if (domain === null) continue;
    const members = mailboxes.filter((mailbox) => mailbox.domain === domain);
    const selector = members[0]!.dkim_selector;
    if (selector === null) continue;
    const isFine = await Promise.all([
      dns.resolveTxt(domain),
      dns.resolveTxt(`${selector}._domainkey.${domain}`),
    ])
      .then(([spf, dkim]) => spf.some((text) => /^v=spf1\b/i.test(text)) && dkim.length > 0)
      .catch(ignoreProvider);
    if (isFine === undefined) continue;
    for (const { id, failing_reason: reason } of members) {
      if (!isFine && reason === null) broken.push(id);
      if (isFine && reason === 'dns_failing') healed.push(id);
    }
  }
  await db.transaction().execute(async (trx) => {
    await markDnsFailing(trx, broken, clock.now());
    await markMailboxes(trx, healed, null, clock.now());
  });
}

/** Undefined: the check gave no result. */
function ignoreProvider(error: unknown): undefined {
  if (error instanceof ProviderError) return undefined;
  throw error;
}
