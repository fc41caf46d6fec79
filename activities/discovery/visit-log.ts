/** Writes the results of site visits in batches, while other sites are still being visited. */
import type { Transaction } from 'kysely';
import { markVisited, type ProcessCompany } from '../../src/db/discovery/lead-process-companies.ts';
import {
  contactColumns,
  insertContacts,
  withoutErased,
  type NewProcessContact,
} from '../../src/db/discovery/lead-process-contacts.ts';
import { listErasedKeys } from '../../src/db/suppressions/erased-keys.ts';
import type { BoughtPerson } from '../../src/db/discovery/discovery-tables.ts';
import { addToFinder, WEBSITE } from '../../src/db/discovery/lead-process-finders.ts';
import type { LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import type { Database } from '../../src/db/tables.ts';
import type { SiteContacts } from '../../src/domain/discovery/contacts.ts';
import { forbiddenBy, phoneKey } from '../../src/domain/leads/lead-keys.ts';
import { splitFullName } from '../../src/domain/leads/person-name.ts';
import { shortened, storable } from '../../src/domain/storable-text.ts';
import type { SiteAnswer } from '../../src/providers/websites/port.ts';
import { type Need, whileActive, type DiscoveryContext } from './process.ts';

/** Visits of one transaction: at most this many are repeated after a kill. */
const BATCH = 25;

/** People of one company; more of them are seldom the right ones. */
export const PEOPLE_PER_COMPANY = 3;

interface Visit {
  company: ProcessCompany;
  answer: SiteAnswer;
}

export function createVisitLog(context: DiscoveryContext, process: LeadProcess, need: Need) {
  let waiting: Visit[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  let stopped = false;
  const write = async () => {
    const visits = waiting;
    if (visits.length === 0 || stopped) return;
    waiting = [];
    const added = await whileActive(context, process.id, async (trx) => {
      const phones = await allowedPhones(trx, process.user_id, visits);
      await markVisited(
        trx,
        visits.map(({ company, answer }, at) => ({
          id: company.id,
          reason: answer.reason && shortened(storable(answer.reason), 500),
          phone: phones[at] ?? null,
        })),
      );
      const people = await withoutErased(trx, process.user_id, visits.flatMap(peopleOf));
      const contacts = await insertContacts(trx, people.map(contactOf));
      await addToFinder(trx, process.id, WEBSITE, { asked: visits.length, contacts });
      return contacts;
    });
    if (added === undefined) stopped = true;
    else need.missing -= added;
  };
  const flush = () => (writing = writing.then(write));
  return {
    /** False when the process is paused or over. */
    async add(company: ProcessCompany, answer: SiteAnswer): Promise<boolean> {
      waiting.push({ company, answer });
      if (waiting.length >= BATCH) await flush();
      return !stopped;
    },
    flush,
    isStopped: () => stopped,
  };
}

/** The phone number of each company, left out where it belongs to an erased person. */
async function allowedPhones(
  trx: Transaction<Database>,
  userId: string,
  visits: readonly Visit[],
): Promise<(string | null)[]> {
  const phones = visits.map(
    ({ answer }) => answer.contacts.phones.find(({ isFax }) => !isFax)?.phone ?? null,
  );
  const keys = phones.map((phone, at) => {
    const key = phoneKey(phone, visits[at]!.company.country_code);
    return forbiddenBy({ emailKey: null, profileKey: null, phoneKey: key, nameKey: '' });
  });
  const erased = await listErasedKeys(trx, userId, keys.flat());
  return phones.map((phone, at) => (keys[at]!.some((key) => erased.has(key)) ? null : phone));
}

interface SitePerson extends BoughtPerson {
  company: ProcessCompany;
  page: string;
}

function peopleOf({ company, answer }: Visit): SitePerson[] {
  return bestEmails(answer.contacts).map(({ email, name, page }) => {
    const unknown = { position: null, phone: null, profileUrl: null };
    return { company, page, email, ...splitFullName(storable(name ?? '')), ...unknown };
  });
}

const contactOf = ({ company, page, ...person }: SitePerson): NewProcessContact => ({
  process_id: company.process_id,
  company_id: company.id,
  ...contactColumns(person),
  source: WEBSITE,
  page,
});

/** Personal addresses first; role addresses such as info@ only where the site names nobody. */
function bestEmails({ emails }: SiteContacts): SiteContacts['emails'] {
  const personal = emails.filter(({ kind }) => kind === 'personal');
  return personal.length > 0 ? personal.slice(0, PEOPLE_PER_COMPANY) : emails.slice(0, 1);
}
