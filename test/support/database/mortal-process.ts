/**
 * A process that dies at a chosen moment: before one of its statements, before a commit, right after one, or at a
 * moment that its test names. Of what it had open Postgres keeps nothing.
 */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';

export class Death extends Error {
  /** That of a lost line: nobody takes it for a wrong statement. */
  readonly code = 'ECONNRESET';
}

export interface MortalProcess {
  db: Kysely<Database>;
  /** A moment beside those of the database. */
  passes: (moment: string) => void;
}

/** What it does before its `last` moment it has done; none of `moments` is behind that. */
function startMortal(living: Kysely<Database>, last: number) {
  const moments: string[] = [];
  const passes = (moment: string) => {
    if (moments.length <= last) moments.push(moment);
    if (moments.length > last) throw new Death(`died ${moments.at(-1)}`);
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      passes(`before ${node.kind}`);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const own = living.withPlugin(plugin);
  const transaction = () => ({
    async execute<T>(work: (trx: unknown) => Promise<T>): Promise<T> {
      const answer = await own.transaction().execute(async (trx) => {
        const done = await work(trx);
        passes('before a commit');
        return done;
      });
      passes('after a commit');
      return answer;
    },
  });
  const db = new Proxy(own, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { moments, process: { db, passes } satisfies MortalProcess };
}

/**
 * Does `work` in a process that dies at moment `last`, from 0 on. The moment, or undefined where the work has fewer:
 * then it is done.
 */
export async function dieAt(
  db: Kysely<Database>,
  last: number,
  work: (process: MortalProcess) => Promise<unknown>,
): Promise<string | undefined> {
  const { moments, process } = startMortal(db, last);
  try {
    await work(process);
    process.passes('before anybody is told');
    return undefined;
  } catch (error) {
    if (!(error instanceof Death)) throw error;
    return moments.at(-1)!;
  }
}
