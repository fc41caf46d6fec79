/** Caches verifier results in the database, in batches, and deletes expired ones. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import {
  deleteExpiredChecks,
  keepChecks,
  type KeptCheck,
} from '../../db/email-validation/email-checks.ts';
import type { Database } from '../../db/tables.ts';

/** A killed process loses at most this many paid answers. */
const FLUSH_AT = 50;
const CLEAN_EVERY_MS = 3_600_000;

export interface Keeper {
  open(): {
    add(key: string, check: KeptCheck): Promise<void>;
    flush(): Promise<void>;
  };
}

export function createKeeper({
  db,
  clock,
  logger,
}: {
  db: Kysely<Database>;
  clock: { now(): Date };
  logger: Logger;
}): Keeper {
  let cleanedAtMs = 0;
  const clean = async () => {
    const now = clock.now();
    if (now.getTime() - cleanedAtMs < CLEAN_EVERY_MS) return;
    cleanedAtMs = now.getTime();
    const deleted = await deleteExpiredChecks(db, now);
    if (deleted > 0) logger.info({ deleted }, 'forgot expired results of e-mail verification');
  };
  return {
    open() {
      let held = new Map<string, KeptCheck>();
      const flush = async () => {
        const checks = held;
        held = new Map();
        if (checks.size === 0) return;
        await keepChecks(db, checks);
        await clean();
      };
      return {
        flush,
        async add(key, check) {
          held.set(key, check);
          if (held.size >= FLUSH_AT) await flush();
        },
      };
    },
  };
}
