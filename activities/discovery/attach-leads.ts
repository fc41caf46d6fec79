/** Step `attach_leads`: validated contacts become leads of the list, with the counters. */
import type { Transaction } from 'kysely';
import {
  listAttachable,
  markAttached,
  type AttachableContact,
} from '../../src/db/discovery/lead-process-contacts.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { updateLeadProcess, type LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import type { Database } from '../../src/db/tables.ts';
import type { LeadGroup, NewPerson, PersonOutcome } from '../../src/domain/leads/leads.ts';
import {
  closePage,
  currentRun,
  enterStep,
  whileActive,
  type DiscoveryContext,
  type DiscoveryInput,
  type DiscoveryPage,
} from './process.ts';

/** Leads of one transaction. */
const BATCH = 250;

/** `leadSource` of the leads, `source` of new companies. */
const SOURCE = 'discovery';

export async function attachLeads(
  context: DiscoveryContext,
  { processId }: DiscoveryInput,
): Promise<DiscoveryPage> {
  const run = currentRun(context);
  let hasMore = (await enterStep(context, processId, 'attach_leads')) !== undefined;
  while (hasMore && !run.isOver()) {
    run.signal.throwIfAborted();
    const attached = await whileActive(context, processId, attachBatch);
    hasMore = attached !== undefined && attached > 0;
  }
  return closePage(context, processId, 'attach_leads');
}

/**
 * Leads, contacts and counters in one transaction under the row's lock: the counters always equal what
 * is stored, and never more leads are stored than were wanted.
 */
async function attachBatch(trx: Transaction<Database>, process: LeadProcess): Promise<number> {
  const missing = process.lead_count - process.found_leads;
  if (missing <= 0) return 0;
  const contacts = await listAttachable(trx, process.id, Math.min(BATCH, missing));
  if (contacts.length === 0) return 0;
  const companies = byCompany(contacts);
  const outcomes = await importGroups(trx, {
    userId: process.user_id,
    leadListId: process.lead_list_id,
    source: SOURCE,
    groups: companies.map((people) => groupOf(process, people)),
  });
  const people = outcomes.flatMap((outcome) => outcome.people);
  await markAttached(
    trx,
    companies.flat().map(({ id }, at) => ({ id, outcome: people[at]!.outcome })),
  );
  const count = (outcome: PersonOutcome['outcome']) =>
    people.filter((person) => person.outcome === outcome).length;
  await updateLeadProcess(trx, process.id, {
    processed_leads: process.processed_leads + people.length,
    found_leads: process.found_leads + count('created'),
    duplicate_leads: process.duplicate_leads + count('found'),
  });
  return contacts.length;
}

/** Groups contacts, which come ordered by company. */
function byCompany(contacts: readonly AttachableContact[]): AttachableContact[][] {
  const groups = new Map<number, AttachableContact[]>();
  for (const contact of contacts) {
    const group = groups.get(contact.company_id);
    if (group) group.push(contact);
    else groups.set(contact.company_id, [contact]);
  }
  return [...groups.values()];
}

/** Where each field came from is kept with it. Spec: Provenance. */
function groupOf(process: LeadProcess, people: readonly AttachableContact[]): LeadGroup {
  const { company } = people[0]!;
  const at = process.created_at.toISOString();
  const source = { source: company.vendor, at, ...(company.adUrl && { url: company.adUrl }) };
  return {
    company: {
      name: company.name,
      website: company.website,
      phone: company.phone,
      countryCode: company.countryCode,
    },
    people: people.map((person) => personOf(process, person)),
    provenance: {
      fields: { name: source, ...(company.website && { website: source }) },
      import: { processId: process.id },
    },
  };
}

function personOf(process: LeadProcess, contact: AttachableContact): NewPerson {
  const { source, page, found_at } = contact;
  const from = { source, at: found_at.toISOString(), ...(page && { url: page }) };
  const fields: Record<string, typeof from> = { personEmail: from };
  if (contact.first_name) fields['personFirstName'] = from;
  if (contact.last_name) fields['personLastName'] = from;
  if (contact.position) fields['personRole'] = from;
  if (contact.phone) fields['personPhone'] = from;
  if (contact.profile_url) fields['socialProfileUrl'] = from;
  return {
    firstName: contact.first_name,
    lastName: contact.last_name,
    role: contact.position,
    email: contact.email,
    phone: contact.phone,
    socialProfileUrl: contact.profile_url,
    ...(contact.score !== null &&
      contact.status !== null && {
        validation: {
          score: contact.score,
          status: contact.status,
          reason: contact.reason,
          at: (contact.checked_at ?? found_at).toISOString(),
        },
      }),
    provenance: { fields, import: { processId: process.id, contactSource: page ?? source } },
  };
}
