/** Changing leads. Choice 18. */
import type { Transaction, Updateable } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, difference, namesBeside } from '../../domain/accounts/audited-values.ts';
import { listHoldersOf } from '../../db/campaigns/held-addresses.ts';
import { lockUserCompany } from '../../db/leads/companies.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { lockAccountLeads, recheckLeads, suppressionsKnown } from '../../db/leads/lead-locks.ts';
import type { LeadsTable } from '../../db/leads/lead-tables.ts';
import type { LeadRow } from '../../db/leads/lead-queries.ts';
import { findColleague } from '../../db/leads/lead-twins.ts';
import {
  isErased,
  isSuppressed,
  listLeadsByEmail,
  lockUserLead,
  updateLead,
  VERDICT_COLUMNS,
} from '../../db/leads/leads.ts';
import { followAddress, lockRecipientsOfPerson } from '../../db/sending/changed-addresses.ts';
import { awaitAnswers, followReviewHolds } from '../../db/sending/review-holds.ts';
import { isWishOfPerson } from '../../db/suppressions/suppressions.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound, validationError } from '../../domain/errors.ts';
import {
  emailKey,
  personNameKey,
  phoneKey,
  profileKey,
  withSharedPage,
  type PersonKeys,
} from '../../domain/leads/lead-keys.ts';
import { customVariable } from '../../domain/leads/custom-fields.ts';
import { stateOfAddress } from '../../domain/leads/known-address.ts';
import type { FieldSource, LeadStatus } from '../../domain/leads/leads.ts';
import {
  byPlainColumn,
  LEAD_FIELDS,
  type LeadField,
  type LeadFields,
} from '../../domain/leads/lead-fields.ts';
import { hintCampaigns } from '../campaigns/campaign-wakes.ts';
import { nextValues } from './custom-values.ts';
import { getUserLead } from './leads.ts';

type Changing = Pick<Context, 'db' | 'clock' | 'temporal'>;

type ChangedFields = {
  [Field in LeadField as LeadFields[Field]['wire']]?:
    (LeadFields[Field]['kind'] extends 'name' ? string : string | null) | undefined;
};

/** Fields that are not given stay; null clears one. */
export interface LeadChanges extends ChangedFields {
  companyId?: number | null | undefined;
  /** By name; null takes a value away. */
  custom?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Changes the given fields and records the user as their source. A new address gets what is known about
 * it: its verdict, and whether it may be written to. 400 `LEAD_EXISTS` when another lead of the company
 * has it, or is the same person in the target company, `PERSON_ERASED` when the person was erased.
 */
export async function changeLead(
  context: Changing,
  { userId, id }: { userId: string; id: number },
  changes: LeadChanges,
): Promise<LeadRow> {
  const change = async (trx: Transaction<Database>) => {
    // Lock before reading the row: an import must not store the same person meanwhile.
    await lockAccountLeads(trx, userId);
    if (changes.personEmail !== undefined) await awaitAnswers(trx, userId);
    // Lock order: recipients before leads, as where delivery results are written.
    await lockRecipientsOfPerson(trx, id);
    const lead = await lockUserLead(trx, userId, id);
    if (!lead) throw notFound('lead');
    const { companyId = lead.company_id } = changes;
    const company = companyId === null ? undefined : await lockUserCompany(trx, userId, companyId);
    if (companyId !== null && !company) {
      throw notFound('company', { field: 'companyId', ids: [companyId] });
    }
    const next = nextColumns(lead, changes, company?.country_code);
    if (next.email === null && next.phone === null && next.social_profile_url === null) {
      // Spec: Leads, rule 1.
      const message = 'a lead needs at least one of personEmail, personPhone, socialProfileUrl';
      throw validationError([{ field: '', message }]);
    }
    if (hasNewKeys(lead, next) && (await isErased(trx, userId, keysOf(next)))) {
      throw invalid('PERSON_ERASED', 'This person was erased from this account');
    }
    if (company && company.id !== lead.company_id) {
      const same = await findColleague(trx, company, { ...keysOf(next), id });
      if (same) throw invalid('LEAD_EXISTS', `Lead ${same} of the company is the same person`);
    }
    Object.assign(next, await addressColumns(trx, lead, next));
    const holders = next.email_key === lead.email_key ? [] : await listHoldersOf(trx, id);
    await updateLead(trx, id, {
      ...next,
      ...(changes.custom && { custom: await nextValues(trx, lead, changes.custom) }),
      provenance: provenanceOf(lead.provenance, changes),
    });
    noteChange(
      difference(AUDITED_FIELDS.lead, lead, next, namesBeside(AUDITED_FIELDS.lead, changes)),
    );
    if (next.email_key === lead.email_key) return [];
    const now = context.clock.now();
    const keys = { before: lead.email_key, after: next.email_key };
    const again = await followAddress(trx, { userId, leadId: id, now }, keys);
    return [...new Set([...holders, ...again, ...(await followReviewHolds(trx, id, now))])];
  };
  const campaignIds = await despiteDeadlocks(() => commitOnce(context.db, change));
  await hintCampaigns(context, campaignIds, userId);
  return getUserLead(context, userId, id);
}

const withoutVerdict = {
  validation_score: null,
  email_valid: null,
  validation_status: null,
  validation_reason: null,
  validated_at: null,
};

/** Choice 53: an address is one lead of a company, and what is known about it is copied to the lead. */
async function addressColumns(
  trx: Transaction<Database>,
  lead: Locked,
  next: ReturnType<typeof nextColumns>,
): Promise<Updateable<LeadsTable>> {
  const { email_key: key, company_id: companyId } = next;
  const others =
    key === null
      ? []
      : (await listLeadsByEmail(trx, lead.user_id, key)).filter(({ id }) => id !== lead.id);
  const twin = others.find(({ company_id: of }) => of === companyId);
  if (twin) {
    const where = companyId === null ? 'without a company' : 'of the company';
    throw invalid('LEAD_EXISTS', `Lead ${twin.id} ${where} has this e-mail address already`);
  }
  if (key === lead.email_key) return {};
  const before = await statusWithoutAddress(trx, lead);
  const [known] = others;
  const since = await suppressionsKnown(trx);
  const isListed = key !== null && (await isSuppressed(trx, lead.user_id, key));
  if (key !== null) await recheckLeads(trx, { userId: lead.user_id, leadIds: [lead.id], since });
  const status = stateOfAddress(others) ?? (isListed ? 'suppressed' : before);
  const verdict = known && Object.fromEntries(VERDICT_COLUMNS.map((name) => [name, known[name]]));
  return { ...withoutVerdict, ...verdict, status };
}

/** `suppressed` and `bounced` are about the address; that somebody wants no more mail is about the person. */
async function statusWithoutAddress(
  trx: Transaction<Database>,
  { status, status_before: before, user_id: userId, email_key: key }: Locked,
): Promise<LeadStatus> {
  if (status !== 'suppressed' && status !== 'bounced') return status;
  const isWish = key !== null && (await isWishOfPerson(trx, userId, key));
  return isWish ? 'unsubscribed' : (before ?? 'pending');
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockUserLead>>>;

function nextColumns(lead: Locked, changes: LeadChanges, country: string | null | undefined) {
  const { personFirstName = lead.first_name, personLastName = lead.last_name } = changes;
  const chosen = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given);
  const email = chosen(changes.personEmail, lead.email);
  const phone = chosen(changes.personPhone, lead.phone);
  const profile = chosen(changes.socialProfileUrl, lead.social_profile_url);
  const keys = {
    emailKey: emailKey(email),
    profileKey: profileKey(profile),
    phoneKey: changes.personPhone === undefined ? lead.phone_key : phoneKey(phone, country),
    nameKey: personNameKey(personFirstName, personLastName),
  };
  return {
    first_name: personFirstName,
    last_name: personLastName,
    name_key: keys.nameKey,
    ...byPlainColumn((field) => {
      const { wire, column } = LEAD_FIELDS[field];
      return chosen(changes[wire], lead[column]);
    }),
    email,
    email_key: keys.emailKey,
    phone,
    phone_key: keys.phoneKey,
    social_profile_url: profile,
    profile_key: withSharedPage(keys, profile).profileKey,
    company_id: chosen(changes.companyId, lead.company_id),
    status: lead.status,
  } satisfies Updateable<LeadsTable>;
}

type KeyColumns = Pick<Locked, 'email_key' | 'profile_key' | 'phone_key' | 'name_key'>;

const keysOf = (row: KeyColumns): PersonKeys => ({
  emailKey: row.email_key,
  profileKey: row.profile_key,
  phoneKey: row.phone_key,
  nameKey: row.name_key,
});

const hasNewKeys = (before: KeyColumns, next: KeyColumns): boolean =>
  JSON.stringify(keysOf(before)) !== JSON.stringify(keysOf(next));

function provenanceOf(before: Locked['provenance'], given: LeadChanges): string {
  const { custom = {}, ...others } = given;
  const by: FieldSource = { source: 'user', at: new Date().toISOString() };
  const ofCustom = Object.entries(custom).map(([name, value]) => [customVariable(name), value]);
  const changed = [...Object.entries(others), ...ofCustom]
    .filter(([, value]) => value !== undefined)
    .map(([field]) => [field, by]);
  const fields = {
    ...before.fields,
    ...(Object.fromEntries(changed) as Record<string, FieldSource>),
  };
  return JSON.stringify({ ...before, fields });
}
