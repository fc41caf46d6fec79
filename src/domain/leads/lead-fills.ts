/** What an existing lead takes from a matching person, and a new lead from one without a match. */
import { foldCase } from './company-keys.ts';
import { customFits, customValuesOf, customVariable, type GivenValue } from './custom-fields.ts';
import { shareVerdict, takeAddress } from './known-address.ts';
import { LEAD_FIELDS, byPlainName, PLAIN_FIELDS } from './lead-fields.ts';
import { addLead, type LeadIndex } from './lead-index.ts';
import type { KeyedPerson } from './lead-groups.ts';
import {
  addProvenance,
  fill,
  noteOrigin,
  set,
  type Origin,
  type PlannedCompany,
  type PlannedLead,
} from './lead-rows.ts';

/** Fills in the empty fields of a lead that was found; a newer validation result is taken. */
export function fillLead(
  index: LeadIndex,
  lead: PlannedLead,
  {
    person,
    company,
    origin,
  }: { person: KeyedPerson; company: PlannedCompany | null; origin: Origin },
): void {
  const { given } = person;
  const hadAddress = lead.emailKey !== null;
  const keysBefore = `${lead.emailKey}|${lead.profileKey}|${lead.phoneKey}|${lead.nameKey}`;
  fillName(lead, person, origin);
  for (const field of PLAIN_FIELDS) {
    if (fill(lead, field, given[field])) noteOrigin(lead, LEAD_FIELDS[field].wire, origin);
  }
  if (person.emailKey !== null && fill(lead, 'email', given.email)) {
    fill(lead, 'emailKey', person.emailKey);
    noteOrigin(lead, 'personEmail', origin);
  }
  if (fill(lead, 'phone', given.phone)) {
    fill(lead, 'phoneKey', person.phoneKey);
    noteOrigin(lead, 'personPhone', origin);
  }
  if (fill(lead, 'socialProfileUrl', given.socialProfileUrl)) {
    fill(lead, 'profileKey', person.profileKey);
    noteOrigin(lead, 'socialProfileUrl', origin);
  }
  if (given.custom) fillCustom(lead, given.custom, origin);
  if (company !== null && lead.company === null && lead.companyId === null) {
    lead.company = company;
    lead.companyId = company.id;
    if (lead.id !== null) lead.fills ??= {};
    noteOrigin(lead, 'companyId', origin);
  }
  addProvenance(lead, given.provenance?.import && { import: given.provenance.import });
  const keysAfter = `${lead.emailKey}|${lead.profileKey}|${lead.phoneKey}|${lead.nameKey}`;
  if (keysAfter !== keysBefore) addLead(index, lead);
  if (!hadAddress) takeAddress(index, lead);
  shareVerdict(index, lead, person);
}

/** A lead for a person who is not in the company yet, with what is known of the address. */
export function newLead(
  index: LeadIndex,
  person: KeyedPerson,
  of: { company: PlannedCompany | null; source: string | null; position: number },
): PlannedLead {
  const lead = plannedLead(person, of);
  addLead(index, lead);
  takeAddress(index, lead);
  shareVerdict(index, lead, person);
  return lead;
}

/** Fields, as on the wire, in which a lead keeps another value than it was given. */
export function keptFields(lead: PlannedLead, { given, ...keys }: KeyedPerson): string[] {
  // A name is kept whole: without a last name, too.
  const hasOtherName = keys.nameKey !== '' && keys.nameKey !== lead.nameKey;
  const isKept: Record<string, boolean> = {
    personFirstName: hasOtherName && foldCase(lead.firstName) !== foldCase(given.firstName),
    personLastName: hasOtherName && foldCase(lead.lastName) !== foldCase(given.lastName),
    ...Object.fromEntries(
      PLAIN_FIELDS.map((field) => [LEAD_FIELDS[field].wire, differ(lead[field], given[field])]),
    ),
    personPhone: keys.phoneKey !== lead.phoneKey && differ(lead.phone, given.phone),
    socialProfileUrl:
      keys.profileKey !== lead.profileKey && differ(lead.socialProfileUrl, given.socialProfileUrl),
  };
  return [
    ...Object.keys(isKept).filter((field) => isKept[field]),
    ...(given.custom ?? [])
      .filter(({ id, value }) => lead.custom?.[id] !== value)
      .map(({ name }) => customVariable(name)),
  ];
}

/** Both are known, and differ in more than case and spaces. */
const differ = (stored: string | null, given: string | null | undefined): boolean =>
  !!stored && !!given && foldCase(stored) !== foldCase(given);

function plannedLead(
  { given, emailKey, phoneKey, profileKey, nameKey }: KeyedPerson,
  {
    company,
    source,
    position,
  }: { company: PlannedCompany | null; source: string | null; position: number },
): PlannedLead {
  return {
    id: null,
    index: position,
    fills: null,
    company,
    companyId: company?.id ?? null,
    firstName: given.firstName,
    lastName: given.lastName,
    nameKey,
    ...byPlainName((field) => given[field] || null),
    // A malformed address would be written to otherwise.
    email: emailKey === null ? null : (given.email ?? null),
    emailKey,
    phone: given.phone || null,
    phoneKey,
    socialProfileUrl: given.socialProfileUrl || null,
    profileKey,
    custom: given.custom ? customValuesOf(given.custom) : null,
    source,
    validationScore: null,
    emailValid: null,
    validationStatus: null,
    validationReason: null,
    validatedAt: null,
    status: null,
    createdAt: null,
    provenance: given.provenance ?? {},
  };
}

/** Values that the lead lacks, as long as there is room for them. */
function fillCustom(lead: PlannedLead, given: readonly GivenValue[], origin: Origin): void {
  let values = lead.custom ?? {};
  const taken: string[] = [];
  for (const { id, name, value } of given) {
    if (Object.hasOwn(values, id)) continue;
    const more = { ...values, [id]: value };
    if (!customFits(more)) continue;
    values = more;
    taken.push(customVariable(name));
  }
  if (taken.length === 0) return;
  set(lead, 'custom', values);
  for (const field of taken) noteOrigin(lead, field, origin);
}

/** A name is taken as a whole, and only by a lead without one: phones are matched together with it. */
function fillName(lead: PlannedLead, { given, nameKey }: KeyedPerson, origin: Origin): void {
  if (nameKey === '' || lead.nameKey !== '') return;
  set(lead, 'firstName', given.firstName);
  set(lead, 'lastName', given.lastName);
  set(lead, 'nameKey', nameKey);
  for (const field of ['personFirstName', 'personLastName']) noteOrigin(lead, field, origin);
}
