/**
 * One purchase: intent, request, answer. The intent is committed before the request; the answer is
 * written with the intent's completion. A request whose answer was lost is never made again.
 */
import type { Transaction } from 'kysely';
import {
  insertPurchaseIntent,
  isUnderWay,
  listPurchases,
  markUncertain,
  recordPurchase,
  withdrawIntent,
  type ContactPurchase,
} from '../../src/db/discovery/contact-purchases.ts';
import type { BoughtPerson } from '../../src/db/discovery/discovery-tables.ts';
import { markAsked, type ProcessCompany } from '../../src/db/discovery/lead-process-companies.ts';
import {
  contactColumns,
  insertContacts,
  withoutErased,
} from '../../src/db/discovery/lead-process-contacts.ts';
import { addToFinder } from '../../src/db/discovery/lead-process-finders.ts';
import { jobStateOf } from '../../src/db/discovery/lead-process-states.ts';
import { lockLeadProcess, type LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import { lockAccountLeads } from '../../src/db/leads/lead-locks.ts';
import type { Database } from '../../src/db/tables.ts';
import { ProviderError, type ProviderErrorKind } from '../../src/domain/errors.ts';
import { storable } from '../../src/domain/storable-text.ts';
import type { FinderAnswer } from '../../src/providers/contact-finders/port.ts';
import { whileActive, type DiscoveryContext } from './process.ts';
import { PEOPLE_PER_COMPANY } from './visit-log.ts';

export interface Purchase {
  process: LeadProcess;
  company: ProcessCompany;
  vendor: string;
  /** The run of the activity that asks. */
  attempt: string;
}

/**
 * Reuses what this user bought before for the same company, from any finder. `over`: the process is
 * paused or over.
 */
export async function reuse(
  context: DiscoveryContext,
  purchase: Purchase,
): Promise<number | 'over'> {
  const { process, company } = purchase;
  const earlier = await listPurchases(context.db, process.user_id, company.domain!);
  const known = earlier.find(({ state, people }) => state === 'answered' && people.length > 0);
  if (!known || company.asked.includes(known.vendor)) return 0;
  return useAgain(context, { ...purchase, vendor: known.vendor }, known);
}

async function useAgain(
  context: DiscoveryContext,
  purchase: Purchase,
  { people }: ContactPurchase,
): Promise<number | 'over'> {
  const { process } = purchase;
  const stored = await whileActive(context, process.id, async (trx) => {
    // They were read before the lock: an erasure may have been faster.
    const allowed = await withoutErased(trx, process.user_id, people);
    return storePeople(trx, purchase, allowed, { reused: 1 });
  });
  return stored ?? 'over';
}

/**
 * Asks one finder about one company. Returns how many contacts are new; `busy` when another worker waits
 * for this very answer. Throws ProviderError where certainly nothing was bought.
 */
export async function buyOnce(
  context: DiscoveryContext,
  purchase: Purchase,
): Promise<number | 'busy' | 'over'> {
  const { process, company, vendor, attempt } = purchase;
  const key = { userId: process.user_id, vendor, domain: company.domain! };
  const intent = await whileActive(context, process.id, async (trx) =>
    (await insertPurchaseIntent(trx, key, { processId: process.id, attempt })) ? 'ours' : 'there',
  );
  if (intent === undefined) return 'over';
  if (intent === 'there') return passBy(context, purchase);
  const question = {
    companyName: company.name,
    domain: company.domain!,
    limit: PEOPLE_PER_COMPANY,
  };
  let answer: FinderAnswer;
  try {
    // Not aborted with the activity: an answer that is paid for is awaited.
    answer = await context.contactFinders[vendor]!.find(question);
  } catch (error) {
    if (error instanceof ProviderError && WITHOUT_EFFECT[error.kind]) {
      await withdrawIntent(context.db, key, attempt);
      throw error;
    }
    if (error instanceof ProviderError && error.kind === 'rejected') {
      answer = { people: [], credits: 0 };
    } else {
      context.logger.warn({ err: error, vendor }, 'the answer of a contact finder was lost');
      await markUncertain(context.db, key);
      await markAsked(context.db, company.id, vendor);
      return 0;
    }
  }
  return keepAnswer(context, purchase, answer);
}

/** Failures for which the port guarantees that nothing was charged. `rejected` is final, the others not. */
const WITHOUT_EFFECT: Record<ProviderErrorKind, boolean> = {
  rejected: false,
  unavailable: true,
  rate_limited: true,
  auth: true,
  quota: true,
  not_ready: true,
  outcome_unknown: false,
};

/** The intent exists already: its answer is reused, is still to come, or was lost. */
async function passBy(
  context: DiscoveryContext,
  purchase: Purchase,
): Promise<number | 'busy' | 'over'> {
  const { process, company, vendor } = purchase;
  const purchases = await listPurchases(context.db, process.user_id, company.domain!);
  const found = purchases.find((one) => one.vendor === vendor);
  if (found && isUnderWay(found, context.clock.now())) return 'busy';
  if (found?.state === 'answered' && found.people.length > 0)
    return useAgain(context, purchase, found);
  if (found?.state === 'asked') {
    await markUncertain(context.db, { userId: process.user_id, vendor, domain: company.domain! });
  }
  await markAsked(context.db, company.id, vendor);
  return 0;
}

/** In one transaction; kept for the user even when the process is over. */
async function keepAnswer(
  context: DiscoveryContext,
  purchase: Purchase,
  answer: FinderAnswer,
): Promise<number> {
  const { process, company, vendor } = purchase;
  const key = { userId: process.user_id, vendor, domain: company.domain! };
  const { credits } = answer;
  return context.db.transaction().execute(async (trx) => {
    const { status } = await lockLeadProcess(trx, process.id);
    const isOver = jobStateOf(status) === 'over';
    // An erasure waits for running processes; one that is over needs this lock to see the erasure.
    if (isOver) await lockAccountLeads(trx, process.user_id);
    const usable = answer.people.filter(({ verification }) => verification !== 'invalid');
    const people = await withoutErased(trx, process.user_id, usable.map(clean));
    await recordPurchase(trx, key, { people, credits });
    if (isOver) return 0;
    return storePeople(trx, purchase, people, { credits });
  });
}

async function storePeople(
  trx: Transaction<Database>,
  { process, company, vendor }: Purchase,
  people: readonly BoughtPerson[],
  gain: { credits?: number; reused?: number },
): Promise<number> {
  await markAsked(trx, company.id, vendor);
  const contacts = await insertContacts(
    trx,
    people.map((person) => ({
      process_id: process.id,
      company_id: company.id,
      ...contactColumns(person),
      source: vendor,
      page: null,
    })),
  );
  const asked = gain.reused === undefined ? 1 : 0;
  await addToFinder(trx, process.id, vendor, { asked, contacts, ...gain });
  return contacts;
}

/** What is kept: text that Postgres can store, without the vendor's own scores. */
const clean = (person: FinderAnswer['people'][number]): BoughtPerson => ({
  firstName: storable(person.firstName).slice(0, 255),
  lastName: storable(person.lastName).slice(0, 255),
  email: storable(person.email),
  position: person.position && storable(person.position).slice(0, 255),
  phone: person.phone && storable(person.phone).slice(0, 64),
  profileUrl: person.profileUrl && storable(person.profileUrl).slice(0, 1_000),
});
