/** Which lead of the account a new person is: by e-mail, profile, phone, then name and company. */
import type { KeyedPerson } from './lead-groups.ts';
import type { PersonKeys } from './lead-keys.ts';
import { isPersonalProfile, isSharedPageKey } from './profile-keys.ts';
import {
  addProvenance,
  addToIndex,
  fill,
  noteOrigin,
  set,
  type Origin,
  type PlannedCompany,
  type PlannedLead,
} from './lead-rows.ts';

/** Leads by what they are recognised by; the oldest first, new ones last. */
export interface LeadIndex {
  byEmail: Map<string, PlannedLead>;
  byProfile: Map<string, PlannedLead[]>;
  byPhone: Map<string, PlannedLead[]>;
  byName: Map<string, PlannedLead[]>;
}

export function indexLeads(leads: readonly PlannedLead[]): LeadIndex {
  const index: LeadIndex = {
    byEmail: new Map(),
    byProfile: new Map(),
    byPhone: new Map(),
    byName: new Map(),
  };
  for (const lead of leads) addLead(index, lead);
  return index;
}

/** Safe to repeat for a lead that has got more keys. */
export function addLead(index: LeadIndex, lead: PlannedLead): void {
  if (lead.emailKey !== null) index.byEmail.set(lead.emailKey, lead);
  if (lead.profileKey !== null) addToIndex(index.byProfile, lead.profileKey, lead);
  if (lead.phoneKey !== null) addToIndex(index.byPhone, lead.phoneKey, lead);
  if (lead.nameKey !== '') addToIndex(index.byName, lead.nameKey, lead);
}

/**
 * The strongest key that is known decides. A weaker one says nothing where a stronger one
 * contradicts: both sides have it and it differs.
 */
export function matchPerson(
  index: LeadIndex,
  person: PersonKeys,
  company: PlannedCompany | null,
): PlannedLead | undefined {
  const byEmail = person.emailKey === null ? undefined : index.byEmail.get(person.emailKey);
  if (byEmail) return byEmail;
  // Most people of a file are new: nothing else has to be looked at.
  if (!mayBeKnown(index, person)) return undefined;
  const fits = (lead: PlannedLead) => !differ(lead.emailKey, person.emailKey);
  const byProfile = matchProfile(index, person, fits);
  if (byProfile) return byProfile;
  const fitsToo = (lead: PlannedLead) =>
    fits(lead) && !differ(ownProfile(lead.profileKey), ownProfile(person.profileKey));
  return matchPhone(index, person, company, fitsToo) ?? matchName(index, person, company, fitsToo);
}

const mayBeKnown = (index: LeadIndex, { profileKey, phoneKey, nameKey }: PersonKeys): boolean =>
  (profileKey !== null && index.byProfile.has(profileKey)) ||
  (phoneKey !== null && index.byPhone.has(phoneKey)) ||
  index.byName.has(nameKey);

/**
 * A profile that is one human's says who it is, whatever the name: he may have got a title or
 * married. A page may have many people behind it: the name must be the same, or one not be known.
 */
function matchProfile(
  index: LeadIndex,
  { profileKey, nameKey }: PersonKeys,
  fits: (lead: PlannedLead) => boolean,
): PlannedLead | undefined {
  const leads = profileKey === null ? undefined : index.byProfile.get(profileKey)?.filter(fits);
  if (profileKey === null || !leads || leads.length === 0) return undefined;
  const isPersonal = isPersonalProfile(profileKey);
  const mayBe = (lead: PlannedLead) => isPersonal || lead.nameKey === '' || nameKey === '';
  return leads.find((lead) => lead.nameKey === nameKey) ?? leads.find(mayBe);
}

const ownProfile = (key: string | null): string | null =>
  key === null || isSharedPageKey(key) ? null : key;

/**
 * A switchboard has many people behind it: the name must be the same. Of a contact without a name
 * the company must be, and it may get a name later.
 */
function matchPhone(
  index: LeadIndex,
  person: PersonKeys,
  company: PlannedCompany | null,
  fits: (lead: PlannedLead) => boolean,
): PlannedLead | undefined {
  const leads = person.phoneKey === null ? undefined : index.byPhone.get(person.phoneKey);
  const sameName = leads?.find(
    (lead) =>
      lead.nameKey === person.nameKey &&
      (person.nameKey !== '' || company === null || isIn(lead, company)) &&
      fits(lead),
  );
  if (sameName) return sameName;
  return leads?.find(
    (lead) =>
      (lead.nameKey === '' || person.nameKey === '') &&
      (company === null || isIn(lead, company)) &&
      fits(lead),
  );
}

const matchName = (
  index: LeadIndex,
  person: PersonKeys,
  company: PlannedCompany | null,
  fits: (lead: PlannedLead) => boolean,
): PlannedLead | undefined =>
  person.nameKey === '' || company === null
    ? undefined
    : index.byName
        .get(person.nameKey)
        ?.find(
          (lead) => isIn(lead, company) && !differ(lead.phoneKey, person.phoneKey) && fits(lead),
        );

/** Fills in what is missing of a lead that was found; a newer validation result is taken. */
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
  const keysBefore = `${lead.emailKey}|${lead.profileKey}|${lead.phoneKey}|${lead.nameKey}`;
  fillName(lead, person, origin);
  if (fill(lead, 'role', given.role)) noteOrigin(lead, 'personRole', origin);
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
  if (company !== null && lead.company === null && lead.companyId === null) {
    lead.company = company;
    lead.companyId = company.id;
    if (lead.id !== null) lead.fills ??= {};
    noteOrigin(lead, 'companyId', origin);
  }
  if (lead.emailKey === person.emailKey) takeValidation(lead, person);
  addProvenance(lead, given.provenance?.import && { import: given.provenance.import });
  const keysAfter = `${lead.emailKey}|${lead.profileKey}|${lead.phoneKey}|${lead.nameKey}`;
  if (keysAfter !== keysBefore) addLead(index, lead);
}

/** Choice 29: an address is good from 70 points on. */
const GOOD_SCORE = 70;

export function plannedLead(
  person: KeyedPerson,
  company: PlannedCompany | null,
  { index, source }: { index: number; source: string | null },
): PlannedLead {
  const { given, emailKey, phoneKey, profileKey, nameKey } = person;
  const lead: PlannedLead = {
    id: null,
    index,
    fills: null,
    company,
    companyId: company?.id ?? null,
    firstName: given.firstName,
    lastName: given.lastName,
    nameKey,
    role: given.role || null,
    // What is no address would be written to all the same.
    email: emailKey === null ? null : (given.email ?? null),
    emailKey,
    phone: given.phone || null,
    phoneKey,
    socialProfileUrl: given.socialProfileUrl || null,
    profileKey,
    source,
    validationScore: null,
    emailValid: null,
    validationStatus: null,
    validatedAt: null,
    status: null,
    createdAt: null,
    provenance: given.provenance ?? {},
  };
  takeValidation(lead, person);
  return lead;
}

function takeValidation(lead: PlannedLead, { given: { validation }, emailKey }: KeyedPerson): void {
  if (!validation || emailKey === null) return;
  if (lead.validatedAt !== null && Date.parse(lead.validatedAt) >= Date.parse(validation.at))
    return;
  set(lead, 'validationScore', validation.score);
  set(lead, 'validationStatus', validation.status);
  set(lead, 'emailValid', validation.score >= GOOD_SCORE && validation.status !== 'invalid');
  set(lead, 'validatedAt', validation.at);
}

/** A name is taken whole, and only by somebody who has none: it is what phones are matched with. */
function fillName(lead: PlannedLead, { given, nameKey }: KeyedPerson, origin: Origin): void {
  if (nameKey === '' || lead.nameKey !== '') return;
  set(lead, 'firstName', given.firstName);
  set(lead, 'lastName', given.lastName);
  set(lead, 'nameKey', nameKey);
  for (const field of ['personFirstName', 'personLastName']) noteOrigin(lead, field, origin);
}

const isIn = (lead: PlannedLead, company: PlannedCompany | null): boolean =>
  company !== null &&
  (lead.company === company || (lead.companyId !== null && lead.companyId === company.id));

const differ = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;
