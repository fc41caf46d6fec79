/** Gauges of a process's way to Postgres; the API and the worker export them. */
import { sql, type Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { poolSizes } from '../db/database.ts';
import type { Database } from '../db/tables.ts';
import { scrapeRead } from './scrape.ts';

/** Uses the process's own pool: a pool whose connections all hang counts as down. */
export function addDatabaseGauges(
  registry: Registry,
  db: Kysely<Database>,
  shardDb?: Kysely<Database>,
): void {
  const pools = { work: db, ...(shardDb && { shards: shardDb }) };
  const ask = scrapeRead(() => sql`select 1`.execute(db));
  new Gauge({
    name: 'outreach_database_up',
    help: 'Whether Postgres answers this process: 1 or 0',
    registers: [registry],
    async collect() {
      this.set((await ask()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'postgres_pool_connections',
    help: 'Connections of a pool, and statements that wait for one; `shards`: that by which leases are held',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, own] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(poolSizes(own))) {
          this.labels(pool, state).set(count);
        }
      }
    },
  });
}
