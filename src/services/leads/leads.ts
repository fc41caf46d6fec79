/** Leads: adding people by hand, and reading them. Spec: Leads; choices 18, 52, 53. */
import type { Context } from '../../context.ts';
import {
  importGroupRows,
  type ImportedGroup,
  type ImportedLead,
} from '../../db/leads/lead-groups.ts';
import { createLeadIntake } from '../../db/leads/lead-intake.ts';
import {
  findUserLead,
  type LeadFilter,
  type LeadRow,
  type RowOrder,
  type RowPosition,
} from '../../db/leads/lead-queries.ts';
import { allLeads, listLeads as listLeadRows, searchLeads } from '../../db/leads/lead-pages.ts';
import { countLeads } from '../../db/leads/lead-totals.ts';
import type { Total } from '../../db/search-pages.ts';
import { currentEntry, noteChange, skipEntry } from '../../db/accounts/audit-log.ts';
import { commitOnce, isRemembered } from '../../db/accounts/request-effects.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { LeadGroup } from '../../domain/leads/leads.ts';
import { assertUserLeadList } from './lead-lists.ts';

export type { LeadFilter, LeadRow, RowOrder, RowPosition } from '../../db/leads/lead-queries.ts';

type Needs = Pick<Context, 'db'>;

export interface NewLeads {
  leadListId: number | null;
  source: string | null;
  group: LeadGroup;
}

export interface AddedLeads {
  group: ImportedGroup;
  /** Each person once, in the order of the request; `kept`: fields that keep their earlier value. */
  leads: (ImportedLead & { kept: string[] })[];
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
  return async (userId, { leadListId, source, group }) => {
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
    const leads = eachOnce(added!);
    assertSomebody(leads);
    skipEntry();
    return { group: added!, leads, message: messageOf(added!, leads) };
  };
}

function assertSomebody(leads: readonly unknown[]): void {
  if (leads.length > 0) return;
  throw invalid('PEOPLE_ERASED', 'These people were erased from this account');
}

function eachOnce({ leads, people }: ImportedGroup): AddedLeads['leads'] {
  const kept = new Map<ImportedLead, Set<string>>();
  leads.forEach((lead, at) => {
    if (lead === null) return;
    kept.set(lead, new Set([...(kept.get(lead) ?? []), ...(people[at]!.kept ?? [])]));
  });
  return [...kept].map(([lead, fields]) => Object.assign(lead, { kept: [...fields] }));
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

/** 404 for a list that the user does not have, as in the export: a missing list is not an empty one. */
export async function assertLeadFilter(
  context: Needs,
  userId: string,
  { leadListId }: LeadFilter,
): Promise<void> {
  if (leadListId !== undefined) await assertUserLeadList(context, userId, leadListId);
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
