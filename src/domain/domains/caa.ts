/** CAA (RFC 8659): whether a name lets our certificate authority give it a certificate. Choice 85. */
import { caaText, type CaaProperty } from './caa-value.ts';
import { labelOf, type PlannedRecord } from './dns-plan.ts';
import { policyHost, type MtaStsMode } from './mta-sts.ts';

/** The name of Let's Encrypt in CAA records. */
const LETS_ENCRYPT = 'letsencrypt.org';

/**
 * The name of our authority in CAA records. Where the directory is not Let's Encrypt's and no name is set, nobody
 * knows it: records that name another one would forbid ours.
 */
export function caaIssuer(settings: {
  ACME_CAA_ISSUER?: string | undefined;
  ACME_DIRECTORY_URL: string;
}): string | undefined {
  if (settings.ACME_CAA_ISSUER !== undefined) return settings.ACME_CAA_ISSUER.toLowerCase();
  const host = URL.parse(settings.ACME_DIRECTORY_URL)?.hostname ?? '';
  return host === LETS_ENCRYPT || host.endsWith(`.${LETS_ENCRYPT}`) ? LETS_ENCRYPT : undefined;
}

/** What certificates a mail domain's host has, by the settings. */
export const certificateNeeds = (settings: {
  ACME_CAA_ISSUER?: string | undefined;
  ACME_DIRECTORY_URL: string;
  MTA_STS_MODE: MtaStsMode | 'off';
}): { issuer: string | undefined; hasPolicy: boolean } => ({
  issuer: caaIssuer(settings),
  hasPolicy: settings.MTA_STS_MODE !== 'off',
});

/** Lets the authority, and no other, give certificates to the name and those below it. */
export const caaRecord = (name: string, issuer: string): PlannedRecord => ({
  type: 'CAA',
  name,
  value: caaText({ flags: 0, tag: 'issue', value: issuer }),
});

/**
 * The records of a mail domain: at the names of ours alone, so that a website of the owner's keeps the authority
 * that it has. A shared host is named in another domain.
 */
export function authorityRecords(
  mail: { domain: string; hostName: string },
  { issuer, hasPolicy }: { issuer: string | undefined; hasPolicy: boolean },
): PlannedRecord[] {
  if (issuer === undefined) return [];
  const label = labelOf(mail.hostName, mail.domain);
  const names = [
    ...(label === undefined ? [] : [label]),
    ...(hasPolicy ? [policyHost('').name] : []),
  ];
  return names.map((name) => caaRecord(name, issuer));
}

/** The look-up of an evaluation; an absent name is an empty answer. */
export interface CaaLookups {
  resolveCaa(name: string): Promise<CaaProperty[]>;
}

/** A name whose CAA records keep our authority out. */
export interface ForbiddenName {
  name: string;
  /** In words: which records do, and what has to be set. */
  message: string;
  /** The record that cures it, by its full name. */
  cure: PlannedRecord;
}

/** Those of the names that may not have a certificate of the authority. */
export async function listForbidden(
  dns: CaaLookups,
  { names, issuer }: { names: readonly string[]; issuer: string | undefined },
): Promise<ForbiddenName[]> {
  if (issuer === undefined) return [];
  const found = await Promise.all(names.map((name) => judge(dns, name, issuer)));
  return found.filter((one) => one !== undefined);
}

/** RFC 8659, 3: the closest name that has CAA records decides, whatever stands above it. */
async function judge(
  dns: CaaLookups,
  name: string,
  issuer: string,
): Promise<ForbiddenName | undefined> {
  const labels = name.split('.');
  for (let at = 0; at < labels.length; at += 1) {
    const place = labels.slice(at).join('.');
    const properties = await dns.resolveCaa(place);
    if (properties.length === 0) continue;
    return isAllowed(properties, issuer)
      ? undefined
      : forbidden({ name, place, properties, issuer });
  }
  return undefined;
}

/** The property tags that authorities act on or may pass over: these forbid nothing by being critical. */
const KNOWN_TAGS = new Set(['issue', 'issuewild', 'iodef', 'issuemail']);

const isUnknownCritical = ({ flags, tag }: CaaProperty) =>
  flags >= 128 && !KNOWN_TAGS.has(tag.toLowerCase());

/** Names are no wildcards: `issue` decides, and where there is none everybody may (RFC 8659, 4.2). */
function isAllowed(properties: readonly CaaProperty[], issuer: string): boolean {
  if (properties.some(isUnknownCritical)) return false;
  const issuers = properties.filter(({ tag }) => tag.toLowerCase() === 'issue');
  return issuers.length === 0 || issuers.some(({ value }) => lets(value, issuer));
}

/**
 * Mail hosts have accounts of their own at the authority, and prove a name by HTTP: a record that asks for
 * another account, or another proof, is none for them (RFC 8657).
 */
function lets(value: string, issuer: string): boolean {
  const [domain = '', ...parameters] = value.split(';').map((part) => part.trim().toLowerCase());
  if (domain.replace(/\.$/, '') !== issuer) return false;
  return parameters.filter(Boolean).every((parameter) => {
    const [tag = '', given = ''] = parameter.split('=').map((part) => part.trim());
    if (tag === 'accounturi') return false;
    return tag !== 'validationmethods' || given.split(',').some((one) => one.trim() === 'http-01');
  });
}

function forbidden(found: {
  name: string;
  place: string;
  properties: readonly CaaProperty[];
  issuer: string;
}): ForbiddenName {
  const { name, place, properties, issuer } = found;
  const cure = caaRecord(name, issuer);
  const says = properties.map(caaText).join(', ');
  // A record at the name itself ends the walk there; beside one that nobody may ignore it helps nothing.
  const isOwn = place === name && properties.some(isUnknownCritical);
  const what = isOwn
    ? `it has to be CAA ${name} ${cure.value} alone`
    : `set CAA ${name} ${cure.value}`;
  const message = `CAA ${place} says ${says}, which forbids ${issuer} to give ${name} a certificate; ${what}`;
  return { name, message, cure };
}
