/** The DNS records that a mail domain needs, and their merge into the existing ones. */

import { normalCaa } from './caa-value.ts';
import { spfPolicy } from './spf.ts';

/** Record types that the API knows; a registrar may have fewer. Spec: Domains; choice 24. */
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'NS', 'CAA'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];

/**
 * A record in the internal form: `name` is the label, `@` for the apex; TXT is one joined string; the value
 * of an SRV is `weight port target`, its priority is separate; that of a CAA `flags tag "value"`.
 */
export interface PlannedRecord {
  type: DnsRecordType;
  name: string;
  value: string;
  priority?: number;
}

/** The host name of a domain's own server, within the domain. */
export const MAIL_LABEL = 'mail';

/** The input of a domain's plan. */
export interface MailDomain {
  domain: string;
  /** The host that receives its mail: `mail.<domain>`, or the first host name of a shared server. */
  hostName: string;
  /** Address of the host; only a host name inside the domain gets an A record. */
  ipv4: string;
  dkimSelector: string;
  /** Base64 of the SubjectPublicKeyInfo (RFC 6376, 3.6.1). */
  dkimPublicKey: string;
  /** Set where mail hosts send by a relay: the SPF policy has to allow that one. */
  smarthost?: { include: string | undefined } | undefined;
}

/**
 * Records required before the host is installed: its address, the records that receivers check (SPF, DKIM,
 * DMARC), and those by which mail programs find it (RFC 6186, RFC 8314).
 */
export function hostRecords(mail: MailDomain): PlannedRecord[] {
  const label = labelOf(mail.hostName, mail.domain);
  const address: PlannedRecord[] =
    label === undefined ? [] : [{ type: 'A', name: label, value: mail.ipv4 }];
  return [
    ...address,
    { type: 'TXT', name: '@', value: spfPolicy(mail) },
    dkimRecord(mail.dkimSelector, mail.dkimPublicKey),
    {
      type: 'TXT',
      name: '_dmarc',
      value: `v=DMARC1; p=none; rua=mailto:postmaster@${mail.domain}`,
    },
    tlsReportsRecord(mail.domain),
    { type: 'SRV', name: '_imaps._tcp', value: `1 993 ${mail.hostName}`, priority: 0 },
    { type: 'SRV', name: '_submissions._tcp', value: `1 465 ${mail.hostName}`, priority: 0 },
  ];
}

/** Others report there when they could not deliver to us by TLS (RFC 8460). */
export const tlsReportsRecord = (domain: string): PlannedRecord => ({
  type: 'TXT',
  name: '_smtp._tls',
  value: `v=TLSRPTv1; rua=mailto:postmaster@${domain}`,
});

/** The public key by which receivers verify what was signed under the selector (RFC 6376, 3.6.1). */
export const dkimRecord = (selector: string, publicKey: string): PlannedRecord => ({
  type: 'TXT',
  name: `${selector}._domainkey`,
  value: `v=DKIM1; k=rsa; p=${publicKey}`,
});

/** The one after `last`, or the first one, that no record holds. A selector that is not ours begins anew. */
export function freeDkimSelector(
  last: string | null,
  existing: readonly Pick<PlannedRecord, 'name'>[],
): string {
  const [, number] = last === null ? [undefined, '0'] : (/^s(\d+)$/.exec(last) ?? []);
  const taken = new Set(existing.map(({ name }) => name.toLowerCase()));
  for (let next = Number(number ?? 1) + 1; ; next += 1) {
    if (!taken.has(`s${next}._domainkey`)) return `s${next}`;
  }
}

/** The MX comes last, so that no mail arrives at a host that is not ready. */
export const mxRecords = (mail: MailDomain): PlannedRecord[] => [
  { type: 'MX', name: '@', value: mail.hostName, priority: 10 },
];

/** The records that mail of the domain requires; SRV and TLS reports only help others. */
export const vitalRecords = (mail: MailDomain): PlannedRecord[] =>
  [...hostRecords(mail), ...mxRecords(mail)].filter(
    (record) => record.type !== 'SRV' && policyOf(record) !== 'TLSRPT',
  );

/** Whether a record serves the purpose of the planned one: the owner may extend SPF and DMARC. */
export function servesAs(planned: PlannedRecord, record: PlannedRecord): boolean {
  if (planned.type !== record.type) return false;
  if (planned.name.toLowerCase() !== record.name.toLowerCase()) return false;
  const policy = policyOf(planned);
  return policy ? policyOf(record) === policy : normalValue(planned) === normalValue(record);
}

/** Planned records that were served before a change, and are not after it. */
export const lostRecords = (
  planned: readonly PlannedRecord[],
  { before, after }: { before: readonly PlannedRecord[]; after: readonly PlannedRecord[] },
): PlannedRecord[] =>
  planned.filter(
    (record) =>
      before.some((other) => servesAs(record, other)) &&
      !after.some((other) => servesAs(record, other)),
  );

/**
 * Which planned records have to be created. Nothing that exists is changed or removed; a second
 * SPF, DMARC or TLS-RPT record is never made (RFC 7208 3.2, RFC 7489 6.6.3, RFC 8460 3: two make both invalid), and
 * no CAA record where the owner's say who may give certificates: ours would take their place.
 * `conflicts` are records of others that make the plan impossible: another address under our host
 * name, a CNAME there, or a foreign MX.
 */
export function mergeRecords(
  planned: readonly PlannedRecord[],
  existing: readonly PlannedRecord[],
): { missing: PlannedRecord[]; conflicts: PlannedRecord[] } {
  const missing: PlannedRecord[] = [];
  const conflicts: PlannedRecord[] = [];
  for (const record of planned) {
    if (existing.some((other) => sameRecord(record, other))) continue;
    const namesakes = existing.filter(
      ({ name }) => name.toLowerCase() === record.name.toLowerCase(),
    );
    const rivals = namesakes.filter((other) => excludes(record, other));
    const policy = policyOf(record);
    // The owner's own SPF or DMARC policy stays: only the owner may extend it.
    const isPolicySet = namesakes.some((other) => policy && policyOf(other) === policy);
    if (rivals.length > 0) conflicts.push(...rivals);
    else if (!isPolicySet && !hasAuthority(record, existing)) missing.push(record);
  }
  return { missing, conflicts };
}

/** Whether CAA records stand at the name of a planned one or above it (RFC 8659, 3). */
const hasAuthority = (planned: PlannedRecord, existing: readonly PlannedRecord[]): boolean =>
  planned.type === 'CAA' &&
  existing.some(({ type, name }) => {
    const other = name.toLowerCase();
    const label = planned.name.toLowerCase();
    return type === 'CAA' && (other === '@' || label === other || label.endsWith(`.${other}`));
  });

/** Whether only one of two records of a name may exist: an alias, the address, MX, a DKIM key. */
function excludes(record: PlannedRecord, other: PlannedRecord): boolean {
  if (other.type === 'CNAME') return true;
  if (record.type !== other.type) return false;
  // Two keys under one selector: what a receiver does is undefined (RFC 6376, 3.6.2.2).
  if (record.type === 'TXT') return isDkimKey(record) && isDkimKey(other);
  return ['A', 'CNAME', 'MX'].includes(record.type);
}

const isDkimKey = ({ value }: PlannedRecord) => /^v=DKIM1\s*;/i.test(value);

/** Equal in DNS: names and hosts ignoring case and trailing dot, priority where it counts. */
export function sameRecord(a: PlannedRecord, b: PlannedRecord): boolean {
  return (
    a.type === b.type &&
    a.name.toLowerCase() === b.name.toLowerCase() &&
    normalValue(a) === normalValue(b) &&
    (a.type !== 'MX' || (a.priority ?? 10) === (b.priority ?? 10)) &&
    (a.type !== 'SRV' || (a.priority ?? 0) === (b.priority ?? 0))
  );
}

/** `SPF`, `DMARC`, `TLSRPT` or `STS` (MTA-STS) where the record is such a policy (only one may exist at a name). */
export function policyOf(record: PlannedRecord): 'SPF' | 'DMARC' | 'TLSRPT' | 'STS' | undefined {
  if (record.type !== 'TXT') return undefined;
  if (/^v=spf1(\s|$)/i.test(record.value)) return 'SPF';
  if (/^v=DMARC1\s*(;|$)/i.test(record.value)) return 'DMARC';
  if (/^v=TLSRPTv1\s*(;|$)/i.test(record.value)) return 'TLSRPT';
  if (/^v=STSv1\s*(;|$)/i.test(record.value)) return 'STS';
  return undefined;
}

/** `mail.acme.com` in `acme.com` -> `mail`; a name outside the domain -> undefined. */
export function labelOf(hostName: string, domain: string): string | undefined {
  if (hostName === domain) return '@';
  return hostName.endsWith(`.${domain}`) ? hostName.slice(0, -domain.length - 1) : undefined;
}

/** Full name of a label: `@` -> the domain itself. */
export const fullName = (label: string, domain: string) =>
  label === '@' ? domain : `${label}.${domain}`;

function normalValue(record: PlannedRecord): string {
  if (record.type === 'TXT') return record.value;
  if (record.type === 'CAA') return normalCaa(record.value);
  return record.value.toLowerCase().replace(/\.$/, '');
}
