/**
 * Takes leads in from many requests at once: those of one account that arrive while the previous statement
 * runs are written together by the next. A single request does not wait; under load each costs a fraction of
 * a statement and of a commit.
 */
import type { Kysely } from 'kysely';
import { isDatabaseDown } from '../../domain/database-down.ts';
import { keyGroups, type KeyedGroup } from '../../domain/leads/lead-groups.ts';
import { importKeyedGroups, type GroupImport, type ImportedGroup } from './lead-groups.ts';
import type { Database } from '../tables.ts';

/** Limits the size of a statement: the rest waits for the next. */
const MOST_PEOPLE = 500;

interface Waiting {
  groups: readonly KeyedGroup[];
  people: number;
  resolve: (groups: ImportedGroup[]) => void;
  reject: (error: unknown) => void;
}

/** As `importGroupRows`; each request is all or nothing by itself. One instance per process. */
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
      // Later in the same event-loop iteration, so that requests read from several sockets form one batch.
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
    // One request is at fault, unless Postgres is down; nothing of any was written.
    if (batch.length > 1 && !isDatabaseDown(error)) {
      for (const waiting of batch) await takeIn(db, userId, [waiting]);
    } else {
      for (const { reject } of batch) reject(error);
    }
  }
}
