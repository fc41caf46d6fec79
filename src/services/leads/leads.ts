/** Leads: adding people by hand, and reading them. Spec: Leads; choices 18, 52, 53. */
import type { Context } from '../../context.ts';
import {
  importGroupRows,
  type ImportedGroup,
  type ImportedLead,
} from '../../db/leads/lead-groups.ts';
import { listCustomFields } from '../../db/leads/custom-fields.ts';
import { createLeadIntake } from '../../db/leads/lead-intake.ts';
import { findUserLeadList } from '../../db/leads/lead-lists.ts';
import {
  findUserLead,
  type LeadFilter,
  type LeadRow,
  type RowOrder,
  type RowPosition,
} from '../../db/leads/lead-queries.ts';
import {
  allLeads,
  listLeads as listLeadRows,
  searchLeads,
} from '../../db/leads/pages/lead-pages.ts';
import { countLeads } from '../../db/leads/lead-totals.ts';
import type { Total } from '../../db/search-pages.ts';
import { currentEntry, noteChange, skipEntry } from '../../db/accounts/audit-log.ts';
import { commitOnce, isRemembered } from '../../db/accounts/request-effects.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { TypedValue } from '../../domain/leads/custom-fields.ts';
import type { LeadGroup } from '../../domain/leads/leads.ts';
import {
  readConditions,
  readNewValues,
  type CustomQuery,
  type CustomRequest,
} from './custom-values.ts';

export type { LeadFilter, LeadRow, RowOrder, RowPosition } from '../../db/leads/lead-queries.ts';

type Needs = Pick<Context, 'db'>;

export interface NewLeads {
  leadListId: number | null;
  source: string | null;
  group: LeadGroup;
  /** What the request says of custom fields, for each of the people; absent: of none. */
  custom?: readonly (CustomRequest | undefined)[] | undefined;
}

export interface AddedLeads {
  group: ImportedGroup;
  /** Each person once, in the order of the request; `kept`: fields that keep their earlier value. */
  leads: (Omit<ImportedLead, 'custom'> & { custom: TypedValue[]; kept: string[] })[];
  /** One line for people: what was created, what existed, and where it is. */
  message: string;
}

/**
 * Spec: Leads, rules 2 and 3. All or nothing: no company without a lead is left behind.
 * 400 `PEOPLE_ERASED` when every person was erased from this account.
 */
export function createLeadAdder(
  context: Needs,
): (userId: string, people: NewLeads) => Promise<AddedLeads> {
  const takeIn = createLeadIntake(context.db);
  return async (userId, { leadListId, source, group, custom = [] }) => {
    const values = await readNewValues(context.db, userId, custom);
    values.forEach((each, at) => {
      if (each.length > 0) group.people[at]!.custom = each;
    });
    const input = { userId, leadListId, source, groups: [group] };
    // Requests that are batched with others have no transaction of their own.
    noteChange({ after: { people: group.people.length, leadListId } });
    const [added] = isRemembered()
      ? await commitOnce(context.db, async (trx) => {
          const groups = await importGroupRows(trx, input);
          assertSomebody(eachOnce(groups[0]!));
          return groups;
        })
      : await takeIn(input, currentEntry());
    const known = eachOnce(added!);
    assertSomebody(known);
    skipEntry();
    const leads = await withCustom(context, userId, known);
    return { group: added!, leads, message: messageOf(added!, leads) };
  };
}

function assertSomebody(leads: readonly unknown[]): void {
  if (leads.length > 0) return;
  throw invalid('PEOPLE_ERASED', 'These people were erased from this account');
}

type Kept = ImportedLead & { kept: string[] };

function eachOnce({ leads, people }: ImportedGroup): Kept[] {
  const kept = new Map<ImportedLead, Set<string>>();
  leads.forEach((lead, at) => {
    if (lead === null) return;
    kept.set(lead, new Set([...(kept.get(lead) ?? []), ...(people[at]!.kept ?? [])]));
  });
  return [...kept].map(([lead, fields]) => Object.assign(lead, { kept: [...fields] }));
}

/** The values of custom fields by their names; those of deleted fields are hidden. */
async function withCustom(
  { db }: Needs,
  userId: string,
  leads: readonly Kept[],
): Promise<AddedLeads['leads']> {
  const hasAny = leads.some(({ custom }) => custom !== null);
  const fields = hasAny ? await listCustomFields(db, userId) : [];
  return leads.map(({ custom, ...lead }) => ({
    ...lead,
    custom: fields.flatMap(({ id, name, type }) => {
      const value = custom?.[id];
      return value === undefined ? [] : [{ name, type, value }];
    }),
  }));
}

function messageOf({ people }: ImportedGroup, leads: AddedLeads['leads']): string {
  const count = (outcome: string) => people.filter((person) => person.outcome === outcome).length;
  const parts = [`${count('created')} created`, `${count('found')} found`];
  if (count('erased') > 0) parts.push(`${count('erased')} left out because they were erased`);
  const words = `Leads: ${parts.join(', ')}`;
  const keeping = leads.filter(({ kept }) => kept.length > 0).length;
  return keeping === 0
    ? words
    : `${words}. ${keeping} of those found keep what was stored; \`kept\` of each tells which fields`;
}

export async function getUserLead(context: Needs, userId: string, id: number): Promise<LeadRow> {
  const lead = await findUserLead(context.db, userId, id);
  if (!lead) throw notFound('lead');
  return lead;
}

/** A filter as a request has it. */
export type LeadQuery = Omit<LeadFilter, 'custom'> & { custom?: CustomQuery | undefined };

/**
 * 404 for a list that the user does not have, as in the export: a missing list is not an empty one. 400 for
 * custom fields that there are not.
 */
export async function readLeadFilter(
  context: Needs,
  userId: string,
  { custom, ...filter }: LeadQuery,
): Promise<LeadFilter> {
  const { leadListId } = filter;
  if (leadListId !== undefined && !(await findUserLeadList(context.db, userId, leadListId))) {
    throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
  }
  return { ...filter, custom: await readConditions(context.db, userId, custom) };
}

export interface LeadPage {
  filter: LeadFilter;
  order: RowOrder;
  limit: number;
  offset: number;
}

export async function listLeads(
  context: Needs,
  userId: string,
  page: LeadPage,
): Promise<Total & { rows: LeadRow[]; hasNext: boolean }> {
  const { filter, limit } = page;
  if (filter.search && filter.companyId === undefined) {
    const { rows, ...total } = await searchLeads(context.db, userId, { ...page, limit: limit + 1 });
    return { ...upTo(limit, rows), ...total };
  }
  const [part, total] = await Promise.all([
    listLeadsBehind(context, userId, page),
    countLeads(context.db, userId, filter),
  ]);
  return { ...part, ...total };
}

const upTo = (limit: number, rows: LeadRow[]) => ({
  rows: rows.slice(0, limit),
  hasNext: rows.length > limit,
});

/** Leads after a row: no count, and as fast at the end as at the start. */
export async function listLeadsBehind(
  context: Needs,
  userId: string,
  page: { filter: LeadFilter; order: RowOrder; limit: number } & (
    { offset: number } | { after: RowPosition }
  ),
): Promise<{ rows: LeadRow[]; hasNext: boolean }> {
  const rows = await listLeadRows(context.db, userId, { ...page, limit: page.limit + 1 });
  return upTo(page.limit, rows);
}

/** Spec: GET /v1/leads. Returns all leads of the account. */
export const readAllLeads = (
  context: Needs,
  userId: string,
  which: { filter: LeadFilter; order: RowOrder },
): AsyncIterable<LeadRow[]> => allLeads(context.db, userId, which);
