/**
 * Writes the plan of very many people in slices, each made ready while the one before is written.
 *
 * Why a way of its own: a hundred people and more, as parts of files and full pages of discovery and maps
 * have them, are dear to send twice. The account is locked, what it has is looked up first
 * (lead-bulk-lookup.ts), and the rows are sent once, while Postgres writes those before. For one person
 * the lock would make all imports of the account wait for each other. The plan and the statement that
 * writes it are those of lead-import-statement.ts.
 */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { noList, type KeyedGroup } from '../../domain/leads/lead-groups.ts';
import type { ImportPlan } from '../../domain/leads/lead-plan.ts';
import {
  NOTHING_KNOWN,
  runImport,
  statementOf,
  type Applied,
  type ImportStatement,
} from './lead-import-statement.ts';
import type { Database } from '../tables.ts';

/** A small first slice: Postgres starts early and is busy until the rest is ready. */
const FIRST_SLICE = 1 / 4;

/**
 * Needs `lockAccountLeads`, and a plan made from data read under it. `whileWriting`: called when the last
 * statement has been sent. Throws 404 for a list that the user does not have.
 */
export async function writeInBulk(
  trx: Kysely<Database>,
  { userId, groups, plan }: { userId: string; groups: readonly KeyedGroup[]; plan: ImportPlan },
  whileWriting?: () => void,
): Promise<Applied> {
  const { newCompanies, filledCompanies, newLeads, filledLeads } = plan;
  const base = { userId, seen: NOTHING_KNOWN, isLocked: true };
  const nothing = { newCompanies: [], filledCompanies: [], newLeads: [], filledLeads: [] };
  const companies = { ...nothing, newCompanies, filledCompanies };
  const first = await done(run(trx, { ...base, groups, plan: companies }), groups);
  newCompanies.forEach((company, at) => (company.id = first.companyIds[at]!));
  const cut = Math.ceil(newLeads.length * FIRST_SLICE);
  const slices = [
    { ...nothing, newLeads: newLeads.slice(0, cut) },
    { ...nothing, newLeads: newLeads.slice(cut), filledLeads },
  ];
  const [early, late] = slices.map((slice) => ({ ...base, groups: [], plan: slice }));
  const writing = run(trx, early!);
  await sent();
  const rest = statementOf(late!);
  const one = await done(writing);
  const writingRest = runImport(trx, rest);
  whileWriting?.();
  const other = await done(writingRest);
  return {
    ...other,
    companyIds: first.companyIds,
    leadIds: [...one.leadIds, ...other.leadIds],
    suppressed: new Set([...one.suppressed, ...other.suppressed]),
  };
}

const run = (trx: Kysely<Database>, statement: ImportStatement) =>
  runImport(trx, statementOf(statement));

/** The driver writes in a later event-loop iteration. */
const sent = (): Promise<void> => yieldToEvents();

/** `groups`: those of the statement. */
async function done(
  writing: ReturnType<typeof runImport>,
  groups: readonly KeyedGroup[] = [],
): Promise<Applied> {
  const result = await writing;
  if (result.outcome === 'no_list') throw noList(groups);
  if (result.outcome === 'unknown') throw new Error('a search for nothing has found something');
  return result;
}
