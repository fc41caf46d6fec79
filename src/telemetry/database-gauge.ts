/** The gauge that says whether Postgres answers this process; the API and the worker export it. */
import { sql, type Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../db/tables.ts';
import { scrapeRead } from './scrape.ts';

/** Uses the process's own pool: a pool whose connections all hang counts as down. */
export function addDatabaseGauge(registry: Registry, db: Kysely<Database>): void {
  const ask = scrapeRead(() => sql`select 1`.execute(db));
  new Gauge({
    name: 'outreach_database_up',
    help: 'Whether Postgres answers this process: 1 or 0',
    registers: [registry],
    async collect() {
      this.set((await ask()) ? 1 : 0);
    },
  });
}
