/**
 * Which existing lead of a company a new person is: by e-mail, profile, phone with a name, then name. A
 * person may be a lead of several companies, one of each. Spec: Leads, rules 2, 3; choice 53.
 */
import type { LeadIndex } from './lead-index.ts';
import type { PersonKeys } from './lead-keys.ts';
import type { PlannedCompany, PlannedLead } from './lead-rows.ts';
import { isPersonalProfile, isSharedPageKey } from './profile-keys.ts';

/**
 * Among the leads of the company, then among those without a company, who then get it. Without a company:
 * among all, preferring leads without a company.
 */
export function matchPerson(
  index: LeadIndex,
  person: PersonKeys,
  company: PlannedCompany | null,
): PlannedLead | undefined {
  // Most people of a file are new: the check of the keys suffices.
  if (!mayBeKnown(index, person)) return undefined;
  if (company === null) {
    return matchWithin(index, person, { among: freeFirst, isCompany: false, takesNameless: true });
  }
  const colleagues = (leads: PlannedLead[]) => leads.filter((lead) => isIn(lead, company));
  const known = matchWithin(index, person, {
    among: colleagues,
    isCompany: true,
    takesNameless: true,
  });
  if (known) return known;
  const among = (leads: PlannedLead[]) => leads.filter(isFree);
  const free = matchWithin(index, person, { among, isCompany: false, takesNameless: false });
  // An address occurs once per company: the lead that has it there is also the person without a company. A
  // lead without a company whose address a lead of another company has stays without: their keys lead to that
  // lead.
  const sameAddress = free?.emailKey ? index.byEmail.get(free.emailKey)! : [];
  return colleagues(sameAddress)[0] ?? (sameAddress.every(isFree) ? free : undefined);
}

/** Leads that are candidates together. */
interface Circle {
  among: (leads: PlannedLead[]) => PlannedLead[];
  /** They belong to one company: a name identifies a person. */
  isCompany: boolean;
  /** A person without a name may match the lead with their number. */
  takesNameless: boolean;
}

const isFree = (lead: PlannedLead): boolean => lead.company === null && lead.companyId === null;

const freeFirst = (leads: PlannedLead[]): PlannedLead[] =>
  leads.length === 1 ? leads : leads.toSorted((one, other) => +isFree(other) - +isFree(one));

const mayBeKnown = (
  index: LeadIndex,
  { emailKey, profileKey, phoneKey, nameKey }: PersonKeys,
): boolean =>
  (emailKey !== null && index.byEmail.has(emailKey)) ||
  (profileKey !== null && index.byProfile.has(profileKey)) ||
  (phoneKey !== null && index.byPhone.has(phoneKey)) ||
  index.byName.has(nameKey);

/**
 * The strongest known key decides. A weaker one does not count where a stronger one contradicts: both sides
 * have it and it differs.
 */
function matchWithin(
  index: LeadIndex,
  person: PersonKeys,
  { among, isCompany, takesNameless }: Circle,
): PlannedLead | undefined {
  const { emailKey, profileKey, phoneKey, nameKey } = person;
  const known = (leads: PlannedLead[] | undefined) => (leads ? among(leads) : []);
  const byEmail = emailKey === null ? undefined : known(index.byEmail.get(emailKey))[0];
  if (byEmail) return byEmail;
  const fits = (lead: PlannedLead) => !differ(lead.emailKey, emailKey);
  const samePage = profileKey === null ? undefined : index.byProfile.get(profileKey);
  const byProfile = matchProfile(known(samePage).filter(fits), person);
  if (byProfile) return byProfile;
  const fitsToo = (lead: PlannedLead) =>
    fits(lead) && !differ(ownProfile(lead.profileKey), ownProfile(profileKey));
  const sameNumber = phoneKey === null ? undefined : index.byPhone.get(phoneKey);
  const byPhone = matchPhone(known(sameNumber).filter(fitsToo), person, takesNameless);
  if (byPhone || !isCompany || nameKey === '') return byPhone;
  return known(index.byName.get(nameKey)).find(
    (lead) => !differ(lead.phoneKey, phoneKey) && fitsToo(lead),
  );
}

/**
 * An individual's profile identifies the person, whatever the name: they may have got a title or married. A
 * page may belong to many people: the name must be the same, or one must be unknown.
 */
function matchProfile(
  leads: readonly PlannedLead[],
  { profileKey, nameKey }: PersonKeys,
): PlannedLead | undefined {
  const isPersonal = profileKey !== null && isPersonalProfile(profileKey);
  const mayBe = (lead: PlannedLead) => isPersonal || lead.nameKey === '' || nameKey === '';
  return leads.find((lead) => lead.nameKey === nameKey) ?? leads.find(mayBe);
}

const ownProfile = (key: string | null): string | null =>
  key === null || isSharedPageKey(key) ? null : key;

/**
 * A switchboard's number belongs to many people: the name must be the same. For a contact without a name the
 * company must be the same, and the contact may get a name later.
 */
function matchPhone(
  leads: readonly PlannedLead[],
  { nameKey }: PersonKeys,
  takesNameless: boolean,
): PlannedLead | undefined {
  if (nameKey === '' && !takesNameless) return undefined;
  const sameName = leads.find((lead) => lead.nameKey === nameKey);
  if (sameName || !takesNameless) return sameName;
  return leads.find((lead) => lead.nameKey === '' || nameKey === '');
}

const isIn = (lead: PlannedLead, company: PlannedCompany): boolean =>
  lead.company === company || (lead.companyId !== null && lead.companyId === company.id);

const differ = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;
