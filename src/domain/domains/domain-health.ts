/** Checks of a domain's public DNS against what its mail needs. Choice 25. */
import { DAY_MS } from '../day.ts';
import {
  fullName,
  policyOf,
  vitalRecords,
  type MailDomain,
  type PlannedRecord,
} from './dns-plan.ts';
import { checkAuthority, type CertifiedMailDomain } from './caa-health.ts';
import type { CaaLookups } from './caa.ts';
import { ProviderError } from '../errors.ts';
import { extendedPolicy, spfVerdict } from './spf.ts';

/** `unknown`: no resolver answered. `not_applicable`: no cluster needs it. */
export type CheckState = 'ok' | 'warning' | 'failing' | 'unknown' | 'not_applicable';

export interface DomainCheck {
  name: 'delegation' | MailCheck | 'expiry' | 'alignment';
  state: CheckState;
  /** For people: what is there, and what is missing. */
  message: string;
}

/** The required DNS lookups; an absent name is an empty answer. */
export interface DomainLookups extends CaaLookups {
  resolveA(name: string): Promise<string[]>;
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
  resolveNs(name: string): Promise<string[]>;
  resolveTxt(name: string): Promise<string[]>;
}

/** Checks of mail, in the order in which they are shown. */
export const MAIL_CHECKS = ['address', 'mx', 'spf', 'dkim', 'dmarc', 'caa'] as const;
type MailCheck = (typeof MAIL_CHECKS)[number];
/** Of one record each. */
type RecordCheck = Exclude<MailCheck, 'caa'>;

/** Whether the records of a live cluster are visible; the address of a shared host is in its own domain. */
export async function checkMailRecords(
  dns: DomainLookups,
  mail: CertifiedMailDomain,
): Promise<DomainCheck[]> {
  const planned = vitalRecords(mail);
  return Promise.all(
    MAIL_CHECKS.map(async (name) => {
      if (name === 'caa') {
        return known(name, async () => ({ name, ...(await checkAuthority(dns, mail)) }));
      }
      const record = planned.find((one) => checkOf(one) === name) ?? hostAddress(mail);
      return known(name, () => checkRecord(dns, { name, record, mail }));
    }),
  );
}

/** Whether any name server answers for the domain. */
export const checkDelegation = (dns: DomainLookups, domain: string): Promise<DomainCheck> =>
  known('delegation', async () => {
    const servers = await dns.resolveNs(domain);
    if (servers.length > 0) {
      return ok('delegation', `Its name servers are ${servers.toSorted().join(', ')}.`);
    }
    // Some resolvers do not return the name servers of a zone.
    const [texts, exchanges] = await Promise.all([dns.resolveTxt(domain), dns.resolveMx(domain)]);
    if (texts.length + exchanges.length > 0) {
      return ok('delegation', 'Its records can be seen.');
    }
    return failing('delegation', `Nobody answers for ${domain}: it has no name servers.`);
  });

/** The state of the newest renewal of this term, where it did not succeed. */
export interface RenewalTrouble {
  state: 'failed' | 'blocked';
  code: string;
}

/**
 * Whether the registration lasts. A failed or blocked renewal is a warning; otherwise there is one `warnDays`
 * before the expiry, if the domain does not renew by itself.
 */
export function checkExpiry(
  domain: { expiresAt: Date | null; autoRenew: boolean; trouble?: RenewalTrouble | undefined },
  { now, warnDays }: { now: Date; warnDays: number },
): DomainCheck {
  const { expiresAt, autoRenew, trouble } = domain;
  if (expiresAt === null) {
    const message = 'It is registered elsewhere; its end is not known here.';
    return { name: 'expiry', state: 'not_applicable', message };
  }
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const day = expiresAt.toISOString().slice(0, 10);
  if (days < 0) return failing('expiry', `It expired on ${day}.`);
  const how = trouble
    ? troubleWords(trouble, autoRenew)
    : autoRenew
      ? 'it renews by itself'
      : 'it does not renew by itself';
  const message = `It ends on ${day}; ${how}.`;
  const isEndingSoon = days < warnDays && !autoRenew;
  return { name: 'expiry', state: isEndingSoon || trouble ? 'warning' : 'ok', message };
}

function troubleWords({ state, code }: RenewalTrouble, autoRenew: boolean): string {
  if (state === 'blocked') return `its renewal waits for an operator (${code})`;
  const next = autoRenew ? 'it is tried again every day' : 'it does not renew by itself';
  return `its last renewal failed (${code}); ${next}`;
}

/** The checks of a domain without a cluster. */
export const notNeeded = (): DomainCheck[] =>
  MAIL_CHECKS.map((name) => ({
    name,
    state: 'not_applicable',
    message: 'No cluster is on this domain.',
  }));

/** The worst of all; an unknown state is worse than a warning. */
export function overallState(
  checks: readonly DomainCheck[],
): 'ok' | 'warning' | 'failing' | 'unknown' {
  const worst = (['failing', 'unknown', 'warning'] as const).find((state) =>
    checks.some((check) => check.state === state),
  );
  return worst ?? 'ok';
}

function checkOf(record: PlannedRecord): RecordCheck {
  if (record.type === 'MX') return 'mx';
  if (record.type === 'A') return 'address';
  const policy = policyOf(record);
  if (policy === 'SPF') return 'spf';
  return policy === 'DMARC' ? 'dmarc' : 'dkim';
}

const hostAddress = ({ hostName, ipv4 }: MailDomain): PlannedRecord => ({
  type: 'A',
  name: hostName,
  value: ipv4,
});

interface Question {
  name: RecordCheck;
  record: PlannedRecord;
  mail: MailDomain;
}

async function checkRecord(dns: DomainLookups, question: Question): Promise<DomainCheck> {
  const { name, record, mail } = question;
  const { domain } = mail;
  // The address of a shared host is looked up by its full name.
  const full =
    record.name.includes('.') && name === 'address' ? record.name : fullName(record.name, domain);
  if (name === 'address') {
    return compared(name, { full, wanted: record.value, seen: await dns.resolveA(full) });
  }
  if (name === 'mx') {
    const seen = (await dns.resolveMx(full)).map(({ exchange }) => exchange.toLowerCase());
    return compared(name, { full, wanted: record.value, seen });
  }
  const texts = await dns.resolveTxt(full);
  if (name === 'dkim') return compared(name, { full, wanted: record.value, seen: texts });
  const policy = checkPolicy(name, { full, record, texts });
  return name === 'spf' && policy.state === 'ok' ? checkSpf(dns, mail, texts) : policy;
}

/** One policy has to exist, whatever it says: its owner may extend it. */
function checkPolicy(
  name: 'spf' | 'dmarc',
  { full, record, texts }: { full: string; record: PlannedRecord; texts: string[] },
): DomainCheck {
  const policies = texts.filter((value) => policyOf({ ...record, value }) === policyOf(record));
  const [policy] = policies;
  if (policy === undefined) return failing(name, `TXT ${full} is missing: ${record.value}`);
  if (policies.length > 1) {
    return failing(name, `TXT ${full} is there ${policies.length} times, which makes all invalid.`);
  }
  return ok(name, `TXT ${full} says ${policy}`);
}

/** A policy of the owner's own counts only where it lets our messages leave. */
async function checkSpf(
  dns: DomainLookups,
  mail: MailDomain,
  texts: readonly string[],
): Promise<DomainCheck> {
  const { domain, hostName, ipv4, smarthost } = mail;
  const policy = texts.find((value) => /^v=spf1(\s|$)/i.test(value))!;
  const way = { ipv4, smarthost };
  const says = `TXT ${domain} says ${policy}`;
  const verdict = await spfVerdict(dns, { domain, policy, way });
  if (verdict === 'pass') return ok('spf', says);
  if (verdict === 'unclear') {
    const message = `${says}; whether that allows ${hostName} (${ipv4}) only receivers can tell.`;
    return { name: 'spf', state: 'warning', message };
  }
  if (verdict === 'invalid') {
    return failing('spf', `${says}, which is invalid (RFC 7208): it cannot be evaluated.`);
  }
  const who = smarthost ? 'the smarthost' : `${hostName} (${ipv4})`;
  const wanted =
    smarthost && smarthost.include === undefined
      ? policy.replace(/-all(?=\s|$)/i, '~all')
      : extendedPolicy(policy, way);
  return failing('spf', `${says}, which does not allow ${who}; it has to be ${wanted}`);
}

function compared(
  name: RecordCheck,
  { full, wanted, seen }: { full: string; wanted: string; seen: readonly string[] },
): DomainCheck {
  const type = { address: 'A', mx: 'MX', dkim: 'TXT', spf: 'TXT', dmarc: 'TXT' }[name];
  if (seen.includes(wanted)) return ok(name, `${type} ${full} is as it must be.`);
  const instead = seen.length === 0 ? 'is missing' : `says ${seen.join(', ')}`;
  return failing(name, `${type} ${full} ${instead}; it has to be ${wanted}`);
}

const ok = (name: DomainCheck['name'], message: string): DomainCheck => ({
  name,
  state: 'ok',
  message,
});
const failing = (name: DomainCheck['name'], message: string): DomainCheck => ({
  name,
  state: 'failing',
  message,
});

async function known(
  name: DomainCheck['name'],
  check: () => Promise<DomainCheck>,
): Promise<DomainCheck> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { name, state: 'unknown', message: 'The resolver did not answer; try again shortly.' };
  }
}
