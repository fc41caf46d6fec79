/**
 * Facts about an address are shared by all leads that have it: its verdict, and that it bounced or
 * unsubscribed. Suppressions are looked up where a lead is written. Choice 53.
 */
import { NO_VERDICT } from '../email-validation/email-validation.ts';
import type { KeyedPerson } from './lead-groups.ts';
import type { LeadIndex } from './lead-index.ts';
import { addProvenance, set, type PlannedLead } from './lead-rows.ts';
import type { FieldSource } from './leads.ts';

/** Choice 29: an address is good from 70 points on. */
const GOOD_SCORE = 70;

const VERDICT = [
  'validationScore',
  'validationStatus',
  'validationReason',
  'emailValid',
  'validatedAt',
] as const;

const OF_THE_ADDRESS = ['unsubscribed', 'bounced'] as const;

/** The initial status of a further lead with an address: the first that another lead has; undefined: none. */
export const stateOfAddress = (
  others: readonly { status: string | null }[],
): (typeof OF_THE_ADDRESS)[number] | undefined =>
  OF_THE_ADDRESS.find((word) => others.some(({ status }) => status === word));

/** Every lead of the address takes a newer verdict; MUST be in the index. */
export function shareVerdict(index: LeadIndex, lead: PlannedLead, person: KeyedPerson): void {
  if (lead.emailKey === null) return;
  const all = index.byEmail.get(lead.emailKey)!;
  if (all.length === 1) return takeGiven(lead, person);
  for (const one of all) takeGiven(one, person);
  const [best] = all.toSorted((one, other) => (isBetter(one, other) ? -1 : 1));
  for (const one of all) if (isBetter(best!, one)) copyVerdict(best!, one);
}

/** What a lead that has just got the address takes over from the other leads with it. */
export function takeAddress(index: LeadIndex, lead: PlannedLead): void {
  const others = (lead.emailKey === null ? [] : index.byEmail.get(lead.emailKey)!).filter(
    (other) => other !== lead,
  );
  if (others.length === 0) return;
  const status = stateOfAddress(others);
  if (status) set(lead, 'status', status);
  for (const { provenance, ...other } of others) {
    const first: FieldSource | undefined = other.createdAt
      ? { source: other.source ?? 'api', at: other.createdAt }
      : undefined;
    const source = provenance.fields?.['personEmail'] ?? provenance.fields?.['*'] ?? first;
    addProvenance(lead, {
      ...(source && { fields: { personEmail: source } }),
      ...(provenance.import && { import: provenance.import }),
    });
  }
}

const timeOf = ({ validatedAt }: Told): number =>
  validatedAt === null ? -Infinity : Date.parse(validatedAt);

interface Told {
  validatedAt: string | null;
  validationReason?: string | null | undefined;
}

/** A verdict before none, then the newer one. */
function isBetter(one: Told, other: Told): boolean {
  const [said, before] = [saysNothing(one), saysNothing(other)];
  return said === before ? timeOf(one) > timeOf(other) : before;
}

const saysNothing = ({ validatedAt, validationReason }: Told): boolean =>
  validatedAt === null || NO_VERDICT.includes(validationReason ?? '');

function takeGiven(lead: PlannedLead, { given: { validation }, emailKey }: KeyedPerson): void {
  if (!validation || emailKey !== lead.emailKey) return;
  if (!isBetter({ validatedAt: validation.at, validationReason: validation.reason }, lead)) return;
  set(lead, 'validationScore', validation.score);
  set(lead, 'validationStatus', validation.status);
  set(lead, 'validationReason', validation.reason ?? null);
  set(lead, 'emailValid', validation.score >= GOOD_SCORE && validation.status !== 'invalid');
  set(lead, 'validatedAt', validation.at);
}

function copyVerdict(from: PlannedLead, to: PlannedLead): void {
  for (const key of VERDICT) set(to, key, from[key]);
}
