/**
 * Takes leads in from many requests at once: those of one account that arrive while the statement
 * before them runs go together in the next. A request alone waits for nobody; under load each costs
 * a fraction of a statement and of a commit.
 *
 * Why a way of its own: a request brings one person and its client waits for the commit, so what costs
 * is the statement and not the row. Discovery, maps and files bring many and hold a transaction of
 * their own already. What is done with the people is `importKeyedGroups`, as for everybody.
 */
import type { Kysely } from 'kysely';
import type { AuditEntry } from '../../domain/accounts/audit-log.ts';
import { isDatabaseDown } from '../../domain/database-down.ts';
import { keyGroups, type KeyedGroup } from '../../domain/leads/lead-groups.ts';
import { createBatcher } from '../batcher.ts';
import { importKeyedGroups, type GroupImport, type ImportedGroup } from './lead-groups.ts';
import type { Database } from '../tables.ts';

/** People of one statement. */
const MOST_PEOPLE = 500;

/** Of one request; the entry tells the audit log of it. */
interface Brought {
  groups: readonly KeyedGroup[];
  entry: AuditEntry | undefined;
}

type Intake = (brought: Brought) => Promise<ImportedGroup[]>;

/**
 * As `importGroupRows`; each request is all or nothing by itself, with its entry in the audit log. One instance per
 * process.
 */
export function createLeadIntake(
  db: Kysely<Database>,
): (input: GroupImport, entry: AuditEntry | undefined) => Promise<ImportedGroup[]> {
  const accounts = new Map<string, { takeIn: Intake; waiting: number }>();

  return async (input, entry) => {
    const { userId } = input;
    const groups = keyGroups(input.groups, input);
    const account = accounts.get(userId) ?? { takeIn: intakeOf(db, userId), waiting: 0 };
    accounts.set(userId, account);
    account.waiting += 1;
    try {
      return await account.takeIn({ groups, entry });
    } finally {
      account.waiting -= 1;
      if (account.waiting === 0) accounts.delete(userId);
    }
  };
}

const intakeOf = (db: Kysely<Database>, userId: string): Intake =>
  createBatcher<Brought, ImportedGroup[]>(
    async (requests) => {
      const all = requests.flatMap(({ groups }) => groups);
      const entries = requests.flatMap(({ groups, entry }) =>
        groups.map((_, at) => (at === 0 ? entry : undefined)),
      );
      const imported = await importKeyedGroups(db, userId, all, { entries });
      return requests.map(({ groups }) => imported.splice(0, groups.length));
    },
    {
      most: MOST_PEOPLE,
      weigh: ({ groups }) => groups.reduce((sum, group) => sum + group.people.length, 0),
      // Nothing of any was written: the others come in without the one at fault.
      isOfOne: (error) => !isDatabaseDown(error),
    },
  );
