/** Suppressions as they are read, with how many leads of a large domain are still to get their status. Choice 144. */
import type { Kysely } from 'kysely';
import type { Context } from '../../context.ts';
import type { Total } from '../../db/search-pages.ts';
import { findWalks, openLeadsOf } from '../../db/suppressions/domain-walks.ts';
import {
  listLiftedSuppressions,
  type LiftedSuppression,
} from '../../db/suppressions/lifted-suppressions.ts';
import {
  countSuppressions,
  listSuppressions as listSuppressionRows,
  searchSuppressions,
  type SuppressionFilter,
} from '../../db/suppressions/suppression-pages.ts';
import { findSuppression, type Suppression } from '../../db/suppressions/suppressions.ts';
import type { Database } from '../../db/tables.ts';
import { notFound } from '../../domain/errors.ts';
import type { NewSuppression } from '../../domain/suppressions/suppressions.ts';

/** `openLeads`: see choice 144. */
export type SuppressionRow = Suppression & { openLeads: number | null };
export type { LiftedSuppression } from '../../db/suppressions/lifted-suppressions.ts';

type Needs = Pick<Context, 'db'>;
type Entry = Pick<NewSuppression, 'kind' | 'value'>;

export async function withOpenLeads(
  db: Kysely<Database>,
  userId: string,
  rows: readonly Suppression[],
): Promise<SuppressionRow[]> {
  const walks = await findWalks(db, userId, domainsOf(rows));
  const walkOf = ({ kind, value }: Entry) => (kind === 'domain' ? walks.get(value) : undefined);
  return rows.map((row) => ({ ...row, openLeads: openLeadsOf(walkOf(row)) }));
}

export const domainsOf = (entries: readonly Entry[]): string[] =>
  entries.filter(({ kind }) => kind === 'domain').map(({ value }) => value);

export async function getSuppression(
  context: Needs,
  userId: string,
  id: number,
): Promise<SuppressionRow> {
  const row = await findSuppression(context.db, userId, id);
  if (!row) throw notFound('suppression');
  return (await withOpenLeads(context.db, userId, [row]))[0]!;
}

export async function listSuppressions(
  context: Needs,
  userId: string,
  page: { filter: SuppressionFilter; limit: number; offset: number },
): Promise<Total & { rows: SuppressionRow[]; hasNext: boolean }> {
  const { filter, limit } = page;
  if (filter.search) {
    const wanted = { ...page, limit: limit + 1 };
    const { rows, ...total } = await searchSuppressions(context.db, userId, wanted);
    return { ...(await upTo(limit, rows, { context, userId })), ...total };
  }
  const [part, total] = await Promise.all([
    listSuppressionsBehind(context, userId, page),
    countSuppressions(context.db, userId, filter),
  ]);
  return { ...part, ...total };
}

/** Removed entries, with who did it; newest first. */
export const listLifted = (
  { db }: Needs,
  userId: string,
  page: { filter: SuppressionFilter; limit: number; offset: number },
): Promise<Total & { rows: LiftedSuppression[]; hasNext: boolean }> =>
  listLiftedSuppressions(db, userId, page);

/** Entries after the one with the id `before`: no count, and as fast at the end as at the start. */
export async function listSuppressionsBehind(
  context: Needs,
  userId: string,
  page: { filter: SuppressionFilter; limit: number } & ({ offset: number } | { before: number }),
): Promise<{ rows: SuppressionRow[]; hasNext: boolean }> {
  const rows = await listSuppressionRows(context.db, userId, { ...page, limit: page.limit + 1 });
  return upTo(page.limit, rows, { context, userId });
}

const upTo = async (
  limit: number,
  rows: Suppression[],
  { context, userId }: { context: Needs; userId: string },
) => ({
  rows: await withOpenLeads(context.db, userId, rows.slice(0, limit)),
  hasNext: rows.length > limit,
});
