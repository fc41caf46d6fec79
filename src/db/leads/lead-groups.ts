/** Finds or creates companies and their people, the one way in for routes, files and workflows. */
import { sql, type Kysely } from 'kysely';
import type { AuditEntry } from '../../domain/accounts/audit-log.ts';
import { keyGroups, noCompany, noList, type KeyedGroup } from '../../domain/leads/lead-groups.ts';
import { planImport, type ImportPlan } from '../../domain/leads/lead-plan.ts';
import type { PlannedLead } from '../../domain/leads/lead-rows.ts';
import type { GroupOutcome, LeadGroup } from '../../domain/leads/leads.ts';
import { insertAuditEntries } from '../accounts/audit-log.ts';
import { lookUpInBulk } from './lead-bulk-lookup.ts';
import { writeInBulk } from './lead-bulk-write.ts';
import { newImportMemory, remember, type ImportMemory } from './lead-import-memory.ts';
import { importLeads, NOTHING_KNOWN, type Applied, type Seen } from './lead-import-statement.ts';
import { lockAccountLeads } from './lead-locks.ts';
import type { Database } from '../tables.ts';

export interface GroupImport {
  userId: string;
  /** The list of the import: new companies and those without a list are put into it (choice 53). */
  leadListId: number | null;
  /** `leadSource` of new leads, `source` of new companies. */
  source: string | null;
  groups: readonly LeadGroup[];
}

/** One lead of a group as it is stored now. */
export interface ImportedLead extends PlannedLead {
  id: number;
  status: string;
  createdAt: string;
}

/** The result of `importGroups`, with the leads themselves (null where erased). */
export interface ImportedGroup extends GroupOutcome {
  leads: (ImportedLead | null)[];
}

/**
 * All or nothing, alone or within the caller's transaction (then once per transaction: the locks last until
 * it ends). Returns results in the order of the input. Concurrent imports of the same people create no
 * duplicates; suppressed addresses become leads with status `suppressed`; erased people are not stored, nor
 * is a new company that would have no leads. Spec: Leads, rules 2, 3.
 *
 * Throws 404 for a list or a `companyId` that the user does not have.
 */
export async function importGroups(
  db: Kysely<Database>,
  input: GroupImport,
): Promise<GroupOutcome[]> {
  const groups = await importGroupRows(db, input);
  return groups.map(({ leads: _leads, ...outcome }) => outcome);
}

/** As `importGroups`, with the rows. */
export async function importGroupRows(
  db: Kysely<Database>,
  input: GroupImport,
): Promise<ImportedGroup[]> {
  return importKeyedGroups(db, input.userId, keyGroups(input.groups, input));
}

export interface BulkOptions {
  /** Called while very many people are being stored, for work that can run meanwhile. */
  whileWriting?: () => void;
  /** For an import that takes several transactions. */
  memory?: ImportMemory;
  /** For the audit log, by group; written where somebody of the group is. */
  entries?: readonly (AuditEntry | undefined)[];
}

/** As `importGroups`, for groups that may go into several lists. */
export async function importKeyedGroups(
  db: Kysely<Database>,
  userId: string,
  groups: readonly KeyedGroup[],
  options: BulkOptions = {},
): Promise<ImportedGroup[]> {
  const people = groups.reduce((sum, group) => sum + group.people.length, 0);
  if (people >= MANY_PEOPLE) {
    const inBulk = async (trx: Kysely<Database>) => {
      const imported = await importInBulk(trx, { userId, groups }, options);
      await insertAuditEntries(trx, entriesOf(imported, options));
      return imported;
    };
    return db.isTransaction ? inBulk(db) : db.transaction().execute(inBulk);
  }
  const first = await attempt(db, { userId, groups, options, seen: NOTHING_KNOWN });
  if (!('known' in first)) return first.done;
  // Within one transaction the locks of the first read last until the rows are written.
  const again = (trx: Kysely<Database>) =>
    attemptUntilDone(trx, { userId, groups, options, seen: first });
  return db.isTransaction ? again(db) : db.transaction().execute(again);
}

/** From this many people on, an optimistic attempt costs more than locking, since all is sent twice. */
const MANY_PEOPLE = 100;

/** Reads with the account locked, so that nothing has to be checked again when it writes. */
async function importInBulk(
  trx: Kysely<Database>,
  { userId, groups }: { userId: string; groups: readonly KeyedGroup[] },
  { whileWriting, memory = newImportMemory() }: BulkOptions,
): Promise<ImportedGroup[]> {
  await lockAccountLeads(trx, userId);
  const known = await lookUpInBulk(trx, { userId, groups, memory });
  const plan = planImport(groups, known, new Date().toISOString());
  if (!plan) throw noCompany(groups);
  const written = await writeInBulk(trx, { userId, groups, plan }, whileWriting);
  await readStatuses(trx, plan);
  const imported = outcomes(plan, written);
  await remember(trx, memory, plan);
  return imported;
}

interface Attempt {
  userId: string;
  groups: readonly KeyedGroup[];
  options: BulkOptions;
  /** What the account has, as far as known. */
  seen: Seen;
}

/** Only concurrent edits of the same leads by users can cause another attempt. */
const MAX_ATTEMPTS = 10;

async function attemptUntilDone(db: Kysely<Database>, start: Attempt): Promise<ImportedGroup[]> {
  let { seen } = start;
  for (let i = 0; i < MAX_ATTEMPTS; i++) {
    const result = await attempt(db, { ...start, seen });
    if (!('known' in result)) return result.done;
    seen = result;
  }
  throw new Error('the leads of this import kept changing');
}

async function attempt(
  db: Kysely<Database>,
  { userId, groups, options, seen }: Attempt,
): Promise<{ done: ImportedGroup[] } | Seen> {
  const plan = planImport(groups, seen.known(), new Date().toISOString());
  const entries = plan
    ? entriesOf(
        plan.groups.map(({ people }) => ({ leads: people.map(({ lead }) => lead) })),
        options,
      )
    : [];
  const result = await importLeads(db, { userId, groups, plan, seen }, entries);
  if (result.outcome === 'no_list') throw noList(groups);
  if (result.outcome === 'unknown') return result.seen;
  if (!plan) throw noCompany(groups);
  await readStatuses(db, plan);
  return { done: outcomes(plan, result) };
}

/** An address that was filled in may be suppressed: only the statement that stored it knows. */
async function readStatuses(db: Kysely<Database>, { filledLeads }: ImportPlan): Promise<void> {
  const addressed = filledLeads.filter(({ fills }) => Object.hasOwn(fills!, 'emailKey'));
  if (addressed.length === 0) return;
  const { rows } = await sql<{ id: number; status: string }>`
    select id, status from leads
    where id = any(${addressed.map(({ id }) => id)}::bigint[])`.execute(db);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  for (const lead of addressed) lead.status = statuses.get(lead.id!) ?? lead.status;
}

/** Those of groups that have brought somebody: not of people who were all erased. */
const entriesOf = (
  groups: readonly { leads: readonly unknown[] }[],
  { entries = [] }: BulkOptions,
): AuditEntry[] =>
  groups.flatMap(({ leads }, at) => {
    const isSomebody = leads.some((lead) => lead !== null && lead !== undefined);
    return isSomebody ? (entries[at] ?? []) : [];
  });

function outcomes(plan: ImportPlan, applied: Applied): ImportedGroup[] {
  plan.newCompanies.forEach((company, i) => (company.id = applied.companyIds[i]!));
  plan.newLeads.forEach((lead, i) => {
    lead.id = applied.leadIds[i]!;
    lead.status ??= applied.suppressed.has(lead.id) ? 'suppressed' : 'pending';
    lead.createdAt = applied.at;
    lead.companyId = lead.company?.id ?? null;
  });
  for (const lead of plan.filledLeads) lead.companyId ??= lead.company?.id ?? null;
  return plan.groups.map(({ company, companyCreated, companyFound, people }) => ({
    companyId: company?.id ?? null,
    companyName: company?.name ?? null,
    leadListId: company?.leadListId ?? null,
    companyCreated,
    companyFound,
    people: people.map(({ lead, ...outcome }) => ({ leadId: lead?.id ?? null, ...outcome })),
    leads: people.map(({ lead }) => lead as ImportedLead | null),
  }));
}
