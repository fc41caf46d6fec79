/**
 * Takes leads in from many requests at once: those of one account that arrive while the statement
 * before them runs go together in the next. A request alone waits for nobody; under load each costs
 * a fraction of a statement and of a commit.
 */
import type { Kysely } from 'kysely';
import { isDatabaseDown } from '../../domain/database-down.ts';
import { keyGroups, type KeyedGroup } from '../../domain/leads/lead-groups.ts';
import { importKeyedGroups, type GroupImport, type ImportedGroup } from './lead-groups.ts';
import type { Database } from '../tables.ts';

/** Bounds a statement: what is more waits for the next. */
const MOST_PEOPLE = 500;

interface Waiting {
  groups: readonly KeyedGroup[];
  people: number;
  resolve: (groups: ImportedGroup[]) => void;
  reject: (error: unknown) => void;
}

/** As `importGroupRows`, each request all or nothing by itself. One for a process. */
export function createLeadIntake(
  db: Kysely<Database>,
): (input: GroupImport) => Promise<ImportedGroup[]> {
  const accounts = new Map<string, Waiting[]>();

  const run = async (userId: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await takeIn(db, userId, nextOf(queue));
    accounts.delete(userId);
  };

  return (input) =>
    new Promise((resolve, reject) => {
      const groups = keyGroups(input.groups, input);
      const people = groups.reduce((sum, group) => sum + group.people.length, 0);
      const waiting = { groups, people, resolve, reject };
      const queue = accounts.get(input.userId);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      accounts.set(input.userId, started);
      // Later in this turn, so that requests read from several sockets at once go together.
      setImmediate(() => void run(input.userId, started));
    });
}

function nextOf(queue: Waiting[]): Waiting[] {
  let people = 0;
  const more = queue.findIndex((waiting) => (people += waiting.people) > MOST_PEOPLE);
  return queue.splice(0, more === -1 ? queue.length : Math.max(more, 1));
}

async function takeIn(db: Kysely<Database>, userId: string, batch: Waiting[]): Promise<void> {
  try {
    const imported = await importKeyedGroups(
      db,
      userId,
      batch.flatMap(({ groups }) => groups),
    );
    for (const { groups, resolve } of batch) resolve(imported.splice(0, groups.length));
  } catch (error) {
    // One of them is at fault, unless it is Postgres; nothing of any was written.
    if (batch.length > 1 && !isDatabaseDown(error)) {
      for (const waiting of batch) await takeIn(db, userId, [waiting]);
    } else {
      for (const { reject } of batch) reject(error);
    }
  }
}
