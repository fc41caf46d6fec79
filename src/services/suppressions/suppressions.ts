/** Suppressions: who must not be written to. Spec: Lead; choice 17. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import type { Total } from '../../db/search-pages.ts';
import {
  listLiftedSuppressions,
  type LiftedSuppression,
} from '../../db/suppressions/lifted-suppressions.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  countSuppressions,
  listSuppressions as listSuppressionRows,
  searchSuppressions,
  type SuppressionFilter,
} from '../../db/suppressions/suppression-pages.ts';
import {
  deleteSuppression,
  erasedEmails,
  findSuppression,
  findSuppressionsOf,
  insertSuppressions,
  noteLifting,
  OF_THE_PERSON,
  type Suppression,
} from '../../db/suppressions/suppressions.ts';
import { liftLeads, suppressLeads, type Lifted } from '../../db/suppressions/suppressed-leads.ts';
import type { Database } from '../../db/tables.ts';
import { hintCampaigns } from '../campaigns/campaign-wakes.ts';
import { invalid, notFound, validationError } from '../../domain/errors.ts';
import { emailKey } from '../../domain/leads/lead-keys.ts';
import {
  domainsAbove,
  type NewSuppression,
  type SuppressionReason,
} from '../../domain/suppressions/suppressions.ts';

export type SuppressionRow = Suppression;
export type { LiftedSuppression } from '../../db/suppressions/lifted-suppressions.ts';

type Needs = Pick<Context, 'db'>;

export interface AddedSuppressions {
  /** In the order of the request; undefined for an erased person. */
  rows: (Suppression | undefined)[];
  /** Entries that were not there before. */
  created: number;
  suppressedLeads: number;
}

/**
 * Adds entries and suppresses the leads they match, in one transaction. Repeating changes nothing. The
 * address of an erased person is not stored again: it is never written to anyway.
 */
export const addSuppressions = (
  context: Needs,
  userId: string,
  entries: readonly NewSuppression[],
): Promise<AddedSuppressions> =>
  despiteDeadlocks(() => commitOnce(context.db, (trx) => addWithin(trx, userId, entries)));

async function addWithin(
  trx: Transaction<Database>,
  userId: string,
  entries: readonly NewSuppression[],
): Promise<AddedSuppressions> {
  const emails = entries.filter(({ kind }) => kind === 'email').map(({ value }) => value);
  const erased = await erasedEmails(trx, userId, emails);
  const kept = unique(entries.filter(({ value }) => !erased.has(value)));
  const created = kept.length === 0 ? [] : await insertSuppressions(trx, userId, kept);
  const suppressedLeads = kept.length === 0 ? 0 : await suppressLeads(trx, userId, kept);
  const values = kept.map(({ value }) => value);
  const stored = new Map(
    (await findSuppressionsOf(trx, userId, values)).map((row) => [keyOf(row), row]),
  );
  const rows = entries.map((entry) => stored.get(keyOf(entry)));
  // Ids alone: an erased person must not be found here.
  const ids = rows.flatMap((row) => row?.id ?? []);
  noteChange({ after: { created: created.length, suppressedLeads, ids } });
  return { rows, created: created.length, suppressedLeads };
}

/** Keeps the first entry of each value. */
const unique = (entries: readonly NewSuppression[]): NewSuppression[] => [
  ...new Map(entries.toReversed().map((entry) => [keyOf(entry), entry])).values(),
];

const keyOf = ({ kind, value }: Pick<NewSuppression, 'kind' | 'value'>) => `${kind} ${value}`;

export async function getSuppression(
  context: Needs,
  userId: string,
  id: number,
): Promise<Suppression> {
  const row = await findSuppression(context.db, userId, id);
  if (!row) throw notFound('suppression');
  return row;
}

export async function listSuppressions(
  context: Needs,
  userId: string,
  page: { filter: SuppressionFilter; limit: number; offset: number },
): Promise<Total & { rows: Suppression[]; hasNext: boolean }> {
  const { filter, limit } = page;
  if (filter.search) {
    const wanted = { ...page, limit: limit + 1 };
    const { rows, ...total } = await searchSuppressions(context.db, userId, wanted);
    return { ...upTo(limit, rows), ...total };
  }
  const [part, total] = await Promise.all([
    listSuppressionsBehind(context, userId, page),
    countSuppressions(context.db, userId, filter),
  ]);
  return { ...part, ...total };
}

/** Removed entries, with who asked for it; newest first. */
export const listLifted = (
  { db }: Needs,
  userId: string,
  page: { filter: SuppressionFilter; limit: number; offset: number },
): Promise<{ rows: LiftedSuppression[]; total: number }> =>
  listLiftedSuppressions(db, userId, page);

/** Entries after the one with the id `before`: no count, and as fast at the end as at the start. */
export async function listSuppressionsBehind(
  context: Needs,
  userId: string,
  page: { filter: SuppressionFilter; limit: number } & ({ offset: number } | { before: number }),
): Promise<{ rows: Suppression[]; hasNext: boolean }> {
  const rows = await listSuppressionRows(context.db, userId, { ...page, limit: page.limit + 1 });
  return upTo(page.limit, rows);
}

const upTo = (limit: number, rows: Suppression[]) => ({
  rows: rows.slice(0, limit),
  hasNext: rows.length > limit,
});

/**
 * Leads that no other entry suppresses return to their earlier status, and to the campaigns that have left
 * them out for it. A request of the recipient is lifted only with a `note` that says who asked, which is stored;
 * what an erasure forbids stays forbidden. Choices 17, 142.
 */
export async function removeSuppression(
  context: Pick<Context, 'db' | 'clock' | 'temporal'>,
  userId: string,
  { id, note }: { id: number; note?: string | undefined },
): Promise<{ liftedLeads: number }> {
  const { leads, campaignIds } = await despiteDeadlocks(() =>
    commitOnce(context.db, (trx) => removeWithin(trx, userId, { id, note })),
  );
  await hintCampaigns(context, campaignIds);
  return { liftedLeads: leads };
}

async function removeWithin(
  trx: Transaction<Database>,
  userId: string,
  { id, note }: { id: number; note?: string | undefined },
): Promise<Lifted> {
  const row = await findSuppression(trx, userId, id);
  if (!row) throw notFound('suppression');
  if (row.reason === 'erasure') {
    throw invalid('INVALID_STATE', 'The suppression of an erased person cannot be removed');
  }
  if (note === undefined && OF_THE_PERSON.includes(row.reason)) {
    const message = `note is required to lift the reason ${row.reason}: say who asked for it`;
    throw validationError([{ field: 'note', message }]);
  }
  await deleteSuppression(trx, id);
  const lifted = await liftLeads(trx, userId, row);
  const { leads: liftedLeads } = lifted;
  await noteLifting(trx, row, { note: note ?? '', liftedLeads });
  noteChange({ before: told(AUDITED_FIELDS.suppression, row), after: { liftedLeads } });
  return lifted;
}

export interface CheckedEmail {
  email: string;
  isSuppressed: boolean;
  reason: SuppressionReason | null;
  /** The entry that suppresses it; null where it is an erased person's. */
  suppressionId: number | null;
}

/** Whether each address may be written to, in the order of the request. */
export async function checkSuppressions(
  context: Needs,
  userId: string,
  emails: readonly string[],
): Promise<CheckedEmail[]> {
  const keys = emails.map((email) => emailKey(email) ?? '');
  const values = new Set(keys.flatMap((key) => [key, ...domainsAbove(key)]));
  const [found, erased] = await Promise.all([
    findSuppressionsOf(context.db, userId, [...values]),
    erasedEmails(context.db, userId, keys),
  ]);
  const byKey = new Map(found.map((row) => [keyOf(row), row]));
  return emails.map((email, at) => {
    const key = keys[at]!;
    const row = [`email ${key}`, ...domainsAbove(key).map((domain) => `domain ${domain}`)]
      .map((each) => byKey.get(each))
      .find((each) => each !== undefined);
    if (row) {
      return { email, isSuppressed: true, reason: row.reason, suppressionId: row.id };
    }
    const isErased = erased.has(key);
    return {
      email,
      isSuppressed: isErased,
      reason: isErased ? 'erasure' : null,
      suppressionId: null,
    };
  });
}
