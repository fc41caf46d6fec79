/** Starts operations as the real starter does, but for the workflow. */
import type { Kysely } from 'kysely';
import { markOperationStarted } from '../../../src/db/operations/operation-workflows.ts';
import type { Database } from '../../../src/db/tables.ts';

/** `database`: asked when something is started, since suites make theirs before the first test. */
export const startInRows =
  (database: () => { db: Kysely<Database> }) =>
  async ({ id }: { id: number }): Promise<boolean> => {
    await markOperationStarted(database().db, id);
    return true;
  };
