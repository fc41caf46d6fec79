/** Suppressions: who must not be written to. Spec: Lead; choice 17. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  deleteSuppression,
  erasedEmails,
  findSuppression,
  findSuppressionsOf,
  insertSuppressions,
  OF_THE_PERSON,
  type Suppression,
} from '../../db/suppressions/suppressions.ts';
import { askForWalks, listLargeDomains } from '../../db/suppressions/domain-walks.ts';
import { suppressLeads } from '../../db/suppressions/suppressed-leads.ts';
import type { Database } from '../../db/tables.ts';
import { liftDeleted } from '../../transactions/lift-suppression.ts';
import { hintCampaigns } from '../campaigns/campaign-wakes.ts';
import { invalid, notFound, validationError } from '../../domain/errors.ts';
import { emailKey } from '../../domain/leads/lead-keys.ts';
import {
  domainsAbove,
  type NewSuppression,
  type SuppressionReason,
} from '../../domain/suppressions/suppressions.ts';
import { domainsOf, withOpenLeads, type SuppressionRow } from './suppression-pages.ts';

type Needs = Pick<Context, 'db'>;

export interface AddedSuppressions {
  /** In the order of the request; undefined for an erased person. */
  rows: (SuppressionRow | undefined)[];
  /** Entries that were not there before. */
  created: number;
  suppressedLeads: number;
}

/**
 * Adds entries and suppresses the leads they match, in one transaction; those of a domain that very many have
 * get their status after it. Repeating changes nothing. The address of an erased person is not stored again: it
 * is never written to anyway. Choice 144.
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
  const suppressedLeads = await suppressOrWalk(trx, userId, { kept, created });
  const values = kept.map(({ value }) => value);
  const found = await withOpenLeads(trx, userId, await findSuppressionsOf(trx, userId, values));
  const stored = new Map(found.map((row) => [keyOf(row), row]));
  const rows = entries.map((entry) => stored.get(keyOf(entry)));
  // Ids alone: an erased person must not be found here.
  const ids = rows.flatMap((row) => row?.id ?? []);
  noteChange({ after: { created: created.length, suppressedLeads, ids } });
  return { rows, created: created.length, suppressedLeads };
}

/** What was there before has been settled, or is being walked. */
async function suppressOrWalk(
  trx: Transaction<Database>,
  userId: string,
  { kept, created }: { kept: readonly NewSuppression[]; created: readonly Suppression[] },
): Promise<number> {
  // The first ones of the request at once, which are the last ones here.
  const large = await listLargeDomains(trx, userId, domainsOf(kept).toReversed());
  const isWalked = ({ kind, value }: Entry) => kind === 'domain' && large.has(value);
  await askForWalks(trx, userId, domainsOf(created.filter(isWalked)));
  const rest = kept.filter((entry) => !isWalked(entry));
  return rest.length === 0 ? 0 : suppressLeads(trx, userId, rest);
}

type Entry = Pick<NewSuppression, 'kind' | 'value'>;

/** Keeps the first entry of each value. */
const unique = (entries: readonly NewSuppression[]): NewSuppression[] => [
  ...new Map(entries.toReversed().map((entry) => [keyOf(entry), entry])).values(),
];

const keyOf = ({ kind, value }: Entry) => `${kind} ${value}`;

/**
 * Leads that no other entry suppresses return to their earlier status, and to the campaigns that have left
 * them out for it. A request of the recipient is lifted only with a `note` that says who asked, which is stored;
 * what an erasure forbids stays forbidden. Choices 17, 142, 144.
 */
export async function removeSuppression(
  context: Pick<Context, 'db' | 'clock' | 'temporal'>,
  userId: string,
  { id, note }: { id: number; note?: string | undefined },
): Promise<{ liftedLeads: number; openLeads: number | null }> {
  const { leads, openLeads, campaignIds } = await despiteDeadlocks(() =>
    commitOnce(context.db, (trx) => removeWithin(trx, userId, { id, note })),
  );
  await hintCampaigns(context, campaignIds, userId);
  return { liftedLeads: leads, openLeads };
}

async function removeWithin(
  trx: Transaction<Database>,
  userId: string,
  { id, note }: { id: number; note?: string | undefined },
): ReturnType<typeof liftDeleted> {
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
  const lifted = await liftDeleted(trx, row, { note: note ?? '', lifted_by: 'owner' });
  const { leads: liftedLeads } = lifted;
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
