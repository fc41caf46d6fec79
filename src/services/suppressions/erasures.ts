/** Erasing a person from an account, for good. GDPR, article 17. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { inEntry, noteChange } from '../../db/accounts/audit-log.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import {
  eraseLeads,
  eraseTraces,
  findLeadsToErase,
  forbidPerson,
  lockForErasure,
  type ErasureCounts,
  type LeadToErase,
  type PersonToErase,
} from '../../transactions/erasures/erase-person.ts';
import { commitOnce, committedEffect } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { PersonKeys } from '../../domain/leads/lead-keys.ts';

export type Erased = ErasureCounts;

type Needs = Pick<Context, 'db'>;

/** Erases the person of a lead, with all that is known of them elsewhere. */
export const eraseLead = (context: Needs, userId: string, id: number): Promise<Erased> =>
  erase(context, userId, async (trx) => {
    const leads = await findLeadsToErase(trx, userId, { id });
    if (leads.length === 0) throw notFound('lead');
    return { leads: await withTwins(trx, userId, leads), given: [] };
  });

/**
 * Erases the person with this key, even if no lead has it yet. A phone number or profile that belongs to
 * people of several names does not say whom to erase: 400 `AMBIGUOUS_PERSON`.
 */
export const eraseByKey = (
  context: Needs,
  userId: string,
  key: Omit<PersonKeys, 'nameKey'>,
): Promise<Erased> =>
  erase(context, userId, async (trx) => {
    const leads = await findLeadsToErase(trx, userId, key);
    // An address is one person's, whatever name each lead has.
    const others = leads.filter(({ emailKey }) => emailKey === null || emailKey !== key.emailKey);
    if (others.length > 0 && new Set(leads.map(({ nameKey }) => nameKey)).size > 1) {
      throw invalid(
        'AMBIGUOUS_PERSON',
        `${leads.length} leads of several names have this; erase by e-mail address or lead id`,
        leads.map(({ id }) => ({ leadId: id })),
      );
    }
    // With the name, colleagues who share the number or profile are not taken for them.
    const nameKey = leads[0]?.nameKey ?? '';
    return { leads: await withTwins(trx, userId, leads), given: [{ ...key, nameKey }] };
  });

/**
 * First writes the tombstones, which is short and waits for imports; then erases all traces, which may
 * take long and locks nothing of the account; the person's leads last. The entry in the audit log comes with the tombstones. An interrupted request can be
 * repeated as it was, and continues with what is left.
 */
async function erase(
  context: Needs,
  userId: string,
  find: (trx: Transaction<Database>) => Promise<PersonToErase>,
): Promise<Erased> {
  const { db } = context;
  const repeated = committedEffect<Erased>();
  if (repeated) return repeated;
  const { leads, person } = await despiteDeadlocks(() =>
    inEntry(db, async (trx) => {
      await lockForErasure(trx, userId);
      const found = await find(trx);
      // How many, and nothing by which they could be found.
      noteChange({ after: { leads: found.leads.length } });
      return { leads: found.leads, person: await forbidPerson(trx, userId, found) };
    }),
  );
  const leadIds = leads.map(({ id }) => id);
  const traces = await eraseTraces(db, userId, { person, leadIds });
  return despiteDeadlocks(() =>
    commitOnce(db, async (trx) => {
      return { ...(await eraseLeads(trx, userId, { person, leads })), ...traces };
    }),
  );
}

/**
 * One person may be several leads: those with the address, or with the name and one of the keys, and
 * transitively those that match these.
 */
async function withTwins(
  trx: Transaction<Database>,
  userId: string,
  leads: readonly LeadToErase[],
): Promise<LeadToErase[]> {
  const all = new Map(leads.map((lead) => [lead.id, lead]));
  // Iterating over a Map includes entries that are added meanwhile.
  for (const { nameKey, emailKey, profileKey, phoneKey } of all.values()) {
    const others = await findLeadsToErase(trx, userId, { emailKey, profileKey, phoneKey });
    for (const other of others) {
      const hasAddress = emailKey !== null && other.emailKey === emailKey;
      if (all.has(other.id)) continue;
      if (hasAddress || (nameKey !== '' && other.nameKey === nameKey)) all.set(other.id, other);
    }
  }
  return [...all.values()];
}
