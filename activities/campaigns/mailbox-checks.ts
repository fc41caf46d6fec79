/** Whether mailboxes of a campaign that failed work again, and whether the records of its domains are there. */
import { DAY_SECONDS } from '../../src/domain/day.ts';
import { markDnsFailing } from '../../src/db/sending/failing-domains.ts';
import { listPausedMailboxes } from '../../src/db/sending/rejections.ts';
import {
  listCampaignMailboxes,
  lockFailing,
  markMailboxes,
  type CampaignMailbox,
  type FailingReason,
} from '../../src/db/sending/sending-mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import { createCheckRound, type CheckResult, type CheckRound } from './check-round.ts';
import { accessOf } from './mailbox-connections.ts';
import type { SessionTools } from './tools.ts';

/** Seconds of sending between two checks of failing mailboxes and DNS. */
const HEAL_SECONDS = 600;
const DNS_SECONDS = 3_600;
/** A refusal of our address or host is forgotten after a day: blocklist entries expire, too. */
const REFUSED_SECONDS = DAY_SECONDS;
/** For so long at once the session waits for answers and begins nothing else. */
const LOGINS_MS = 2_000;
const DNS_MS = 5_000;

export interface MailboxChecks {
  /** Begins what is due and goes on with what is not through, for some seconds at most. */
  goOn(tools: SessionTools): Promise<void>;
  /** Some mailboxes or domains are still to be checked. */
  isOpen(): boolean;
}

export function createMailboxChecks(
  { DAY_SECONDS: daySeconds }: Pick<SessionTools['config'], 'DAY_SECONDS'>,
  campaignId: number,
): MailboxChecks {
  const scaled = (seconds: number) => sendingMs(seconds, daySeconds);
  const logins = createCheckRound<Login>();
  const records = createCheckRound<SendingDomain>();
  let healAt = 0;
  let dnsAt = 0;
  return {
    isOpen: () => logins.isOpen() || records.isOpen(),
    async goOn(tools) {
      const now = tools.clock.now().getTime();
      const isHealDue = now >= healAt && !logins.isOpen();
      const isDnsDue = now >= dnsAt && !records.isOpen();
      if (isHealDue) {
        healAt = now + scaled(HEAL_SECONDS);
        const mailboxes = await listCampaignMailboxes(tools.db, campaignId);
        await forgetRefusals(tools, mailboxes, scaled(REFUSED_SECONDS));
        logins.begin(refusedLogins(mailboxes), () => tools.chance());
      }
      await checkLogins(tools, logins);
      if (isDnsDue) {
        dnsAt = now + scaled(DNS_SECONDS);
        const mailboxes = await listCampaignMailboxes(tools.db, campaignId);
        records.begin(sendingDomains(mailboxes), () => tools.chance());
      }
      await checkDns(tools, campaignId, records);
    },
  };
}

interface Login {
  id: number;
  host: string;
}

const refusedLogins = (mailboxes: readonly CampaignMailbox[]): Login[] =>
  mailboxes
    .filter(({ failing_reason: reason }) => reason === 'login_refused')
    // Connected mailboxes of one domain are at one host, too.
    .map(({ id, domain, email }) => ({ id, host: domain ?? email.split('@').at(-1)! }));

/** Restores mailboxes whose refusal is old. */
async function forgetRefusals(
  tools: SessionTools,
  mailboxes: readonly CampaignMailbox[],
  refusedMs: number,
): Promise<void> {
  const { db, clock } = tools;
  const now = clock.now().getTime();
  const paused = new Set(await listPausedMailboxes(db, idsOf(mailboxes), clock.now()));
  const isOver = ({ id, failing_reason: reason, failing_since: since }: CampaignMailbox) =>
    reason === 'policy_rejections'
      ? !paused.has(id)
      : reason === 'sender_refused' && since !== null && now - since.getTime() >= refusedMs;
  await restore(tools, idsOf(mailboxes.filter(isOver)));
}

/** Restores mailboxes whose login works again. */
async function checkLogins(tools: SessionTools, logins: CheckRound<Login>): Promise<void> {
  const check = async ({ id }: Login): Promise<CheckResult> => {
    const access = await accessOf(tools, id).catch(ignoreProvider);
    if (access === undefined) return undefined;
    return tools.mailTransport.checkSubmission(access).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        if (error.kind === 'unavailable') return 'unreached';
        return error.kind === 'rejected' ? false : undefined;
      },
    );
  };
  const limits = { signal: tools.signal, budgetMs: LOGINS_MS };
  const fine = (await logins.goOn(check, limits)).filter(({ isFine }) => isFine);
  await restore(
    tools,
    fine.map(({ item }) => item.id),
    'login_refused',
  );
}

/**
 * Those that fail for the `reason`: they may fail for another one meanwhile. Their sending may be paused for what is
 * refused: then that is why they fail from now on.
 */
async function restore(
  { db, clock }: SessionTools,
  ids: readonly number[],
  reason?: FailingReason,
): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const healed = await lockFailing(trx, ids, reason);
    if (healed.length === 0) return;
    const still = await listPausedMailboxes(trx, healed, clock.now());
    await markMailboxes(trx, healed, null, clock.now());
    await markMailboxes(trx, still, 'policy_rejections', clock.now());
  });
}

interface SendingDomain {
  id: string;
  host: string;
  selector: string;
}

/** Domains without a selector were never set up by us. */
function sendingDomains(mailboxes: readonly CampaignMailbox[]): SendingDomain[] {
  const selectors = new Map<string, string>();
  for (const { domain, dkim_selector: selector } of mailboxes) {
    if (domain !== null && selector !== null) selectors.set(domain, selector);
  }
  // Resolvers answer for each by itself.
  return [...selectors].map(([domain, selector]) => ({ id: domain, host: domain, selector }));
}

/**
 * Takes out a sending domain that lacks SPF, or the DKIM key that its messages are signed with, until it
 * has them; no answer proves nothing.
 */
async function checkDns(
  tools: SessionTools,
  campaignId: number,
  records: CheckRound<SendingDomain>,
): Promise<void> {
  const { db, dns, clock } = tools;
  const check = ({ id: domain, selector }: SendingDomain): Promise<CheckResult> =>
    Promise.all([dns.resolveTxt(domain), dns.resolveTxt(`${selector}._domainkey.${domain}`)])
      .then(([spf, dkim]) => spf.some((text) => /^v=spf1\b/i.test(text)) && dkim.length > 0)
      .catch(ignoreProvider);
  const results = await records.goOn(check, { signal: tools.signal, budgetMs: DNS_MS });
  if (results.length === 0) return;
  const isFine = new Map(results.map(({ item, isFine: fine }) => [item.id, fine]));
  const mailboxes = await listCampaignMailboxes(db, campaignId);
  const fineOf = ({ domain }: CampaignMailbox) =>
    domain === null ? undefined : isFine.get(domain);
  const broken = mailboxes.filter((one) => fineOf(one) === false && one.failing_reason === null);
  const healed = mailboxes.filter((one) => fineOf(one) && one.failing_reason === 'dns_failing');
  await db.transaction().execute(async (trx) => {
    await markDnsFailing(trx, idsOf(broken), clock.now());
    await markMailboxes(trx, idsOf(healed), null, clock.now());
  });
}

const idsOf = (some: readonly CampaignMailbox[]) => some.map(({ id }) => id);

/** Undefined: the check gave no result. */
function ignoreProvider(error: unknown): undefined {
  if (error instanceof ProviderError) return undefined;
  throw error;
}
