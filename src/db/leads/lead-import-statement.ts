/**
 * The statement that looks up what an account has of an import's people and writes its plan.
 *
 * Why a way of its own: fewer than a hundred people, as requests and small pages of discovery and maps
 * bring them, are planned as if all were new, and searched and written in one round trip; what is known
 * after all comes back with a fingerprint, and a second plan is sent. Few of them lock their keys
 * alone, so that such imports of one account run side by side. Of more people it would look for and
 * send everybody twice: see lead-bulk-write.ts.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AuditEntry } from '../../domain/accounts/audit-log.ts';
import type { KeyedGroup } from '../../domain/leads/lead-groups.ts';
import { forbiddenBy } from '../../domain/leads/lead-keys.ts';
import type { PlannedCompany, PlannedLead } from '../../domain/leads/lead-rows.ts';
import type { ImportPlan, Known } from '../../domain/leads/lead-plan.ts';
import type { Provenance } from '../../domain/leads/leads.ts';
import { insertion } from '../accounts/audit-log.ts';
import { arrayLiteral } from '../array-literal.ts';
import { FILLABLE_COLUMNS, WRITTEN_COLUMNS } from './lead-columns.ts';
import { knownOf, type StoredRows } from './lead-import-rows.ts';
import type { Database } from '../tables.ts';

/** What the account already has of an import's companies and people, and its fingerprint. */
export interface Seen {
  /** Built anew each time: planning changes it. */
  known: () => Known;
  fingerprint: string;
}

export const NOTHING_KNOWN: Seen = { known: () => knownOf(null), fingerprint: '' };

export interface Applied {
  outcome: 'done';
  /** In the order of the plan. */
  companyIds: number[];
  leadIds: number[];
  /** Ids of the new leads that must not be written to. */
  suppressed: ReadonlySet<number>;
  at: string;
}

/** The parts of a plan that a statement writes. */
type Written = Pick<ImportPlan, 'newCompanies' | 'newLeads' | 'filledCompanies' | 'filledLeads'>;

export interface ImportStatement {
  userId: string;
  groups: readonly KeyedGroup[];
  /** The account is locked and `plan` is based on its current data: nothing is checked again. */
  isLocked?: boolean;
  /** Undefined: only read. */
  plan: Written | undefined;
  seen: Seen;
}

interface Row {
  outcome: 'done' | 'no_list' | 'unknown';
  known: StoredRows | null;
  seen: string;
  company_ids: string[] | null;
  lead_ids: string[] | null;
  suppressed: string[] | null;
  at: Date;
}

/**
 * Writes the plan, unless the account's data differs from `seen`: then nothing is written, and the result has
 * the current data.
 */
export const importLeads = (
  db: Kysely<Database>,
  statement: ImportStatement,
  entries: readonly AuditEntry[] = [],
) => runImport(db, statementOf(statement), entries);

/** The parameters of the statement, which take time to build. */
export function statementOf(statement: ImportStatement): unknown[] {
  const { userId, groups, plan, seen } = statement;
  return [
    userId,
    known(groups.map((group) => group.leadListId)),
    seen.fingerprint,
    ...searchOf(statement.isLocked ? [] : groups),
    ...newCompanies(plan),
    ...fillsOf(plan),
    ...newLeads(plan),
  ];
}

/** `values`: from `statementOf`. `entries` go into the audit log where the plan was written, in the same round trip. */
export async function runImport(
  db: Kysely<Database>,
  values: readonly unknown[],
  entries: readonly AuditEntry[] = [],
): Promise<Applied | { outcome: 'no_list' } | { outcome: 'unknown'; seen: Seen }> {
  const parameters = sql.join(values.map((value) => sql`${value}`));
  const call = sql<Row>`select * from import_lead_groups(${parameters})`;
  const { rows } = await (entries.length === 0 ? call : audited(call, entries)).execute(db);
  const row = rows[0]!;
  if (row.outcome === 'no_list') return { outcome: 'no_list' };
  if (row.outcome === 'unknown') {
    const stored = row.known;
    return {
      outcome: 'unknown',
      seen: { known: () => knownOf(stored), fingerprint: row.seen },
    };
  }
  return {
    outcome: 'done',
    companyIds: row.company_ids?.map(Number) ?? [],
    leadIds: row.lead_ids?.map(Number) ?? [],
    suppressed: new Set(row.suppressed?.map(Number)),
    at: row.at.toISOString(),
  };
}

const audited = (
  call: RawBuilder<Row>,
  entries: readonly AuditEntry[],
): RawBuilder<Row> => sql<Row>`
  with imported as (${call}),
  log as (${insertion(entries)} where exists (select from imported where outcome = 'done'))
  select * from imported`;

/** Small calls lock their keys, so that calls for different people run concurrently. */
const MOST_KEY_LOCKS = 60;

function searchOf(groups: readonly KeyedGroup[]): unknown[] {
  const companies = groups.flatMap(({ company }) => company ?? []);
  const people = groups.flatMap((group) => group.people);
  const companyIds = known(groups.map((group) => group.companyId));
  const companyNames = known(companies.map((company) => company.nameKey));
  const domains = known(companies.map((company) => company.domainKey));
  const emails = known(people.map((person) => person.emailKey));
  const profiles = known(people.map((person) => person.profileKey));
  const phones = known(people.map((person) => person.phoneKey));
  const names = known(people.map((person) => person.nameKey));
  const tombstones = people.flatMap(forbiddenBy);
  const locks = [companyNames, domains, emails, profiles, phones, names].flatMap((keys, kind) =>
    keys.filter((key) => key !== '').map((key) => `${kind} ${key}`),
  );
  return [
    locks.length > MOST_KEY_LOCKS ? null : locks,
    companyIds,
    companyNames,
    domains,
    emails,
    profiles,
    phones,
    names,
    tombstones,
    // Without a list or a company, all are candidates; otherwise other lists need not be read.
    groups.some(({ company, leadListId }) => company !== null && leadListId === null),
    groups.some(({ company, companyId }) => company === null && companyId === null),
  ];
}

const known = <Value>(values: readonly (Value | null)[]): Value[] => [
  ...new Set(values.filter((value) => value !== null)),
];

function newCompanies(plan: Written | undefined): unknown[] {
  const companies = plan?.newCompanies ?? [];
  const column = (itemOf: (company: PlannedCompany) => string | number | null) =>
    arrayLiteral(companies, itemOf);
  return [
    column((company) => company.leadListId),
    column((company) => company.source),
    column((company) => company.name),
    column((company) => company.nameKey),
    column((company) => company.domainKey),
    column((company) => company.website),
    column((company) => company.phone),
    column((company) => company.address),
    column((company) => company.city),
    column((company) => company.state),
    column((company) => company.countryCode),
    column((company) => company.category),
    column((company) => company.rating),
    column((company) => company.reviewsCount),
    column((company) => company.mapsUrl),
    column((company) => company.placeId),
    column(provenanceText),
  ];
}

/** The values of the written columns come last: the function takes as many as there are. */
function newLeads(plan: Written | undefined): unknown[] {
  const leads = plan?.newLeads ?? [];
  const column = (itemOf: (lead: PlannedLead) => string | number | boolean | null) =>
    arrayLiteral(leads, itemOf);
  const hasCustom = leads.some(({ custom }) => custom !== null);
  return [
    column(({ company }) => company?.id ?? null),
    column(({ company }) => (company?.id === null ? company.index + 1 : null)),
    column((lead) => lead.status),
    column(provenanceText),
    FILLABLE_COLUMNS,
    leads.length === 0 ? null : hasCustom ? [...COLUMN_NAMES, 'custom'] : COLUMN_NAMES,
    ...WRITTEN_COLUMNS.map(([key]) => column((lead) => lead[key])),
    ...(hasCustom ? [column(({ custom }) => custom && JSON.stringify(custom))] : []),
  ];
}

const COLUMN_NAMES = WRITTEN_COLUMNS.map(([, column]) => column);

/** Most rows have none of their own: their source and time apply to all their fields. */
function provenanceText({ provenance }: { provenance: Provenance }): string | null {
  const { fields, import: found } = provenance;
  return fields || found ? JSON.stringify({ fields, import: found }) : null;
}

function fillsOf(plan: Written | undefined): (string | null)[] {
  const companies = plan?.filledCompanies ?? [];
  const leads = plan?.filledLeads ?? [];
  return [
    toJson(companies.map(({ id, fills }) => ({ id, ...columnNames(fills!) }))),
    toJson(
      leads.map(({ id, fills, company }) => ({
        id,
        ...columnNames(fills!),
        ...(company &&
          (company.id === null
            ? { company_index: company.index + 1 }
            : { company_id: company.id })),
      })),
    ),
  ];
}

const toJson = (fills: readonly object[]) => (fills.length === 0 ? null : JSON.stringify(fills));

const columnNames = (fills: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fills).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
