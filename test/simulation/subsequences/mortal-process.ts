/** Processes other than those that send, which may die before any of their statements. */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';

/** Of a statement, and of what follows the last one. */
const DEATH = 0.02;

export interface Processes {
  /** Does the work in new processes until one has lived to its end. */
  untilDone(work: (db: Kysely<Database>, isDead: () => boolean) => Promise<void>): Promise<void>;
  crashes(): number;
}

export function createProcesses(db: Kysely<Database>, random: () => number): Processes {
  let crashes = 0;
  /** Whether it has lived. What a dead one had open is rolled back, as Postgres does then. */
  async function live(
    work: (db: Kysely<Database>, isDead: () => boolean) => Promise<void>,
  ): Promise<boolean> {
    let isDead = false;
    const mayDie = () => {
      isDead ||= random() < DEATH;
      // The code of a lost line: nobody takes it for a wrong statement.
      if (isDead) throw Object.assign(new Error('the process is dead'), { code: 'ECONNRESET' });
    };
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        mayDie();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    try {
      await work(db.withPlugin(plugin), () => isDead);
      mayDie();
      return true;
    } catch (error) {
      if (!isDead) throw error;
      crashes += 1;
      return false;
    }
  }
  return {
    async untilDone(work) {
      while (!(await live(work)));
    },
    crashes: () => crashes,
  };
}
