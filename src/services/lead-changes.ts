/** Changing, moving and deleting leads. Choice 18. */
import type { Updateable } from 'kysely';
import type { Context } from '../context.ts';
import { lockUserCompany, moveCompanies } from '../db/companies.ts';
import { findUserLeadList } from '../db/lead-lists.ts';
import { lockAccountLeads } from '../db/lead-locks.ts';
import type { LeadsTable } from '../db/lead-tables.ts';
import type { LeadRow } from '../db/lead-queries.ts';
import {
  deleteLeads as deleteLeadRows,
  findLeadByEmail,
  findLeadCompanies,
  isErased,
  isSuppressed,
  lockUserLead,
  updateLead,
} from '../db/leads.ts';
import { commitOnce } from '../db/request-effects.ts';
import { invalid, notFound, validationError } from '../domain/errors.ts';
import {
  emailKey,
  personNameKey,
  phoneKey,
  profileKey,
  withSharedPage,
  type PersonKeys,
} from '../domain/lead-keys.ts';
import type { FieldSource } from '../domain/leads.ts';
import { getUserLead } from './leads.ts';

type Needs = Pick<Context, 'db'>;

/** Fields that are not given stay; null takes one away. */
export interface LeadChanges {
  personFirstName?: string | undefined;
  personLastName?: string | undefined;
  personRole?: string | null | undefined;
  personEmail?: string | null | undefined;
  personPhone?: string | null | undefined;
  socialProfileUrl?: string | null | undefined;
  companyId?: number | null | undefined;
}

/**
 * Changes what is given and notes that the user did. A new address has no validation result and is
 * checked against the suppressions. 400 `LEAD_EXISTS` when another lead has it, `PERSON_ERASED` when
 * it was erased.
 */
export async function changeLead(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  changes: LeadChanges,
): Promise<LeadRow> {
  await context.db.transaction().execute(async (trx) => {
    // Before the row: an import must not store the same person meanwhile.
    await lockAccountLeads(trx, userId);
    const lead = await lockUserLead(trx, userId, id);
    if (!lead) throw notFound('lead');
    const { companyId = lead.company_id } = changes;
    const company = companyId === null ? undefined : await lockUserCompany(trx, userId, companyId);
    if (companyId !== null && !company) throw notFound('company');
    const next = nextColumns(lead, changes, company?.country_code);
    if (next.email === null && next.phone === null && next.social_profile_url === null) {
      // Spec: Leads, rule 1.
      const message = 'a lead needs at least one of personEmail, personPhone, socialProfileUrl';
      throw validationError([{ field: '', message }]);
    }
    if (hasNewKeys(lead, next) && (await isErased(trx, userId, keysOf(next)))) {
      throw invalid('PERSON_ERASED', 'This person was erased from this account');
    }
    if (next.email_key !== lead.email_key) {
      const other =
        next.email_key === null ? undefined : await findLeadByEmail(trx, userId, next.email_key);
      if (other) throw invalid('LEAD_EXISTS', `Lead ${other.id} has this e-mail address already`);
      const suppressed =
        next.email_key !== null && (await isSuppressed(trx, userId, next.email_key));
      Object.assign(next, withoutValidation);
      if (suppressed) next.status = 'suppressed';
      else if (lead.status === 'suppressed') next.status = lead.status_before ?? 'pending';
    }
    await updateLead(trx, id, { ...next, provenance: provenanceOf(lead.provenance, changes) });
  });
  return getUserLead(context, userId, id);
}

const withoutValidation = {
  validation_score: null,
  email_valid: null,
  validation_status: null,
  validated_at: null,
};

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
    role: chosen(changes.personRole, lead.role),
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

function provenanceOf(before: Locked['provenance'], changes: LeadChanges): string {
  const by: FieldSource = { source: 'user', at: new Date().toISOString() };
  const changed = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => [field, by]);
  const fields = {
    ...before.fields,
    ...(Object.fromEntries(changed) as Record<string, FieldSource>),
  };
  return JSON.stringify({ ...before, fields });
}

export async function deleteLead(context: Needs, userId: string, id: number): Promise<void> {
  const deleted = await deleteLeadRows(context.db, userId, [id]);
  if (deleted.length === 0) throw notFound('lead');
}

/** Deletes the user's leads among the ids; the others are reported, whatever they are. */
export async function deleteLeads(
  context: Needs,
  userId: string,
  ids: readonly number[],
): Promise<{ deletedLeads: number; missingIds: number[] }> {
  const deleted = new Set(await commitOnce(context.db, (trx) => deleteLeadRows(trx, userId, ids)));
  return {
    deletedLeads: deleted.size,
    missingIds: unique(ids).filter((id) => !deleted.has(id)),
  };
}

export interface LeadMove {
  movedCompanies: number;
  /** All leads under the moved companies, those that were not asked for as well. */
  movedLeads: number;
  /** Leads without a company: nothing can put them into a list. */
  withoutCompanyIds: number[];
  missingIds: number[];
}

/**
 * A lead is in the list of its company, so its company moves, and the colleagues go along: splitting
 * a company would make a twin of it. 404 for a list of another user.
 */
export const moveLeads = (
  context: Needs,
  userId: string,
  { ids, leadListId }: { ids: readonly number[]; leadListId: number },
): Promise<LeadMove> =>
  commitOnce(context.db, async (trx) => {
    await lockAccountLeads(trx, userId);
    if (!(await findUserLeadList(trx, userId, leadListId))) throw notFound('lead list');
    const leads = await findLeadCompanies(trx, userId, ids);
    const found = new Set(leads.map((lead) => lead.id));
    const companies = unique(leads.flatMap((lead) => lead.company_id ?? []));
    return {
      movedCompanies: companies.length,
      movedLeads: await moveCompanies(trx, companies, leadListId),
      withoutCompanyIds: leads.filter((lead) => lead.company_id === null).map((lead) => lead.id),
      missingIds: unique(ids).filter((id) => !found.has(id)),
    };
  });

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
