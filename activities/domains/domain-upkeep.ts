/** Daily upkeep of domains: due renewals, and checks of their mail records. */
import { DAY_MS } from '../../src/domain/day.ts';
import type { Context } from '../../src/context.ts';
import { certificateNeeds } from '../../src/domain/domains/caa.ts';
import { smarthostPolicy } from '../../src/domain/domains/spf.ts';
import { listServedDomains } from '../../src/db/domains/domain-mail.ts';
import { listExpiringDomains, tellExpiring } from '../../src/db/domains/domain-expiry.ts';
import {
  failureOf,
  findBlock,
  findLatestRenewals,
  insertRefusedRenewal,
  setExpiry,
  type ExpirySnapshot,
} from '../../src/db/domains/domain-renewals.ts';
import { insertRenewal, type RenewalOrder } from '../../src/transactions/renew-domain.ts';
import { getDomain, type Domain } from '../../src/db/domains/domains.ts';
import { recordDomainDns } from '../../src/db/sending/failing-domains.ts';
import { checkMailRecords } from '../../src/domain/domains/domain-health.ts';
import { GRACE_DAYS } from '../../src/domain/domains/domain-renewals.ts';
import { OutreachError, ProviderError } from '../../src/domain/errors.ts';
import { isRateLimited, waitOutLimit } from '../../src/domain/accounts/vendor-limits.ts';

type UpkeepContext = Pick<
  Context,
  'db' | 'registrars' | 'config' | 'clock' | 'logger' | 'dns' | 'startOperation'
>;

/** Domains per activity; the workflow asks for the next page. */
const BATCH = 100;
/**
 * Domains in sequence may exceed a registrar's rate limit: each waits this long for it here, or the page
 * would start over with its first domain.
 */
const LIMIT_PATIENCE_MS = 30_000;

/** One page of work: `nextId` null = there is no more. */
export interface UpkeepPage {
  nextId: number | null;
  /** Renewals begun, or domains whose records fail. */
  found: number;
}

/** `isNoted`: nobody could be asked, or the registrar does not have it; the next day's run asks again. */
interface RenewalLook {
  begun: boolean;
  isNoted?: boolean;
}

export const domainUpkeepActivities = (context: UpkeepContext) => ({
  /**
   * A page of domains that expire soon, with the registrars on whose queues they are renewed; `unconfigured`: how many
   * have none.
   */
  async listDueDomains({ afterId }: { afterId: number }): Promise<{
    due: { domainId: number; registrar: string }[];
    unconfigured: number;
    nextId: number | null;
  }> {
    const { due, nextId } = await listDue(context, afterId);
    const known = due.filter(({ id: domainId, provider }) => {
      const isKnown = context.registrars[provider] !== undefined;
      if (!isKnown) context.logger.warn({ domainId, provider }, 'its registrar is not configured');
      return isKnown;
    });
    return {
      due: known.map(({ id, provider }) => ({ domainId: id, registrar: provider })),
      unconfigured: due.length - known.length,
      nextId,
    };
  },

  /**
   * Reports a domain that expires soon, and begins its renewal where `autoRenew` is on. Safe to repeat:
   * an expiry is reported once and renewed once. A registrar's refusal is noted and retried the next
   * day.
   */
  async renewDueDomain({ domainId }: { domainId: number }): Promise<RenewalLook> {
    const domain = await getDomain(context.db, domainId);
    try {
      return await renewIfDue(context, domain);
    } catch (error) {
      return notedFor(context, domain)(error);
    }
  },

  /** The same for a page; for runs that began before domains were renewed on their registrar's queue. */
  async renewDueDomains({ afterId }: { afterId: number }): Promise<UpkeepPage> {
    const { due, nextId } = await listDue(context, afterId);
    let found = 0;
    for (const domain of due) {
      const { begun } = await renewIfDue(context, domain).catch(notedFor(context, domain));
      if (begun) found += 1;
    }
    return { nextId, found };
  },

  /**
   * Checks whether the public DNS has the mail records of active clusters, and tells clients when that
   * changes. Safe to repeat. No answer proves nothing.
   */
  async watchDomains({ afterId }: { afterId: number }): Promise<UpkeepPage> {
    const { db, dns, clock, config } = context;
    const served = await listServedDomains(db, { afterId, limit: BATCH });
    let found = 0;
    for (const mail of served) {
      const checks = await checkMailRecords(dns, {
        ...mail,
        ...certificateNeeds(config),
        smarthost: smarthostPolicy(config),
      });
      if (checks.some(({ state }) => state === 'unknown')) continue;
      const failing = checks.filter(({ state }) => state === 'failing').map(({ name }) => name);
      await recordDomainDns(db, mail.domainId, { failing, now: clock.now() });
      if (failing.length > 0) found += 1;
    }
    return { nextId: served.length < BATCH ? null : served.at(-1)!.domainId, found };
  },
});

async function listDue(
  { db, clock, config }: UpkeepContext,
  afterId: number,
): Promise<{ due: Domain[]; nextId: number | null }> {
  const from = new Date(clock.now().getTime() - GRACE_DAYS * DAY_MS);
  const to = endOfWindow({ clock, config });
  const due = await listExpiringDomains(db, { from, to, afterId, limit: BATCH });
  return { due, nextId: due.length < BATCH ? null : due.at(-1)!.id };
}

/** What expires before this is due. */
const endOfWindow = ({ clock, config }: Pick<UpkeepContext, 'clock' | 'config'>): Date =>
  new Date(clock.now().getTime() + config.DOMAIN_RENEW_DAYS * DAY_MS);

async function renewIfDue(context: UpkeepContext, domain: Domain): Promise<RenewalLook> {
  const { db, clock, registrars } = context;
  const registrar = registrars[domain.provider];
  const deadline = Date.now() + LIMIT_PATIENCE_MS;
  const found = registrar && (await waitOutLimit(() => registrar.find(domain.name), deadline));
  if (!found) {
    context.logger.warn({ domainId: domain.id }, 'a domain that ends soon is not at its registrar');
    return { begun: false, isNoted: true };
  }
  const expiresAt = new Date(found.expiresAt);
  const now = clock.now();
  const isCurrent = await setExpiry(db, { domainId: domain.id, expiresAt, now });
  if (!isCurrent || expiresAt >= endOfWindow(context)) return { begun: false };
  const { begun, renewalError } = domain.auto_renew
    ? await tryRenewal(context, { domainId: domain.id, expiresAt, now })
    : { begun: false, renewalError: null };
  await tellExpiring(db, domain.id, { expiresAt, now, renewalError });
  return { begun };
}

/**
 * `renewalError`: the code with which the last attempt failed or is blocked, so that it can be fixed in
 * time.
 */
async function tryRenewal(
  context: UpkeepContext,
  look: ExpirySnapshot,
): Promise<{ begun: boolean; renewalError: string | null }> {
  const { db, config, logger } = context;
  const { domainId, expiresAt } = look;
  const earlier = (await findLatestRenewals(db, [domainId])).get(domainId);
  const blockedBy = earlier?.state === 'pending' ? await findBlock(db, earlier.id) : null;
  const order: RenewalOrder = {
    ...look,
    priceCents: config.DOMAIN_RENEWAL_PRICE_CENTS,
    pace: {
      retryPace: config.RETRY_PACE,
      heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
      blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
    },
    spending: config,
    requested: { actor: 'system', reason: `it ends on ${expiresAt.toISOString()}` },
  };
  try {
    const operation = await db.transaction().execute((trx) => insertRenewal(trx, order));
    if (operation) await context.startOperation(operation);
    const renewalError = blockedBy ?? failureOf(earlier, expiresAt);
    return { begun: operation !== undefined, renewalError };
  } catch (err) {
    if (!isRefusal(err)) throw err;
    logger.warn(
      { domainId, err },
      'a domain was not renewed: its owner has too little money or limit',
    );
    await insertRefusedRenewal(db, look, err);
    return { begun: false, renewalError: err.code };
  }
}

/** What the owner has to know of: too little money, or the limit of a day (choice 69). */
const isRefusal = (err: unknown): err is OutreachError =>
  err instanceof OutreachError &&
  (err.kind === 'payment_required' || err.code === 'DOMAIN_SPENDING_LIMIT');

/** A registrar that is down: noted, and tried again tomorrow. */
const notedFor =
  ({ logger }: UpkeepContext, { id: domainId }: Domain) =>
  (err: unknown): RenewalLook => {
    const isExpected = err instanceof ProviderError || err instanceof OutreachError;
    if (!isExpected || isRateLimited(err)) throw err;
    logger.warn({ domainId, err }, 'a domain was not renewed');
    return { begun: false, isNoted: true };
  };
