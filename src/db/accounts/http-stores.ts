/** Puts together what the HTTP layer keeps in Postgres. */
import { sql, type Kysely } from 'kysely';
import type { HttpStores } from '../../domain/accounts/http-stores.ts';
import type { Limits } from '../../domain/accounts/rate-limits.ts';
import { createRequestAudit } from './audit-log.ts';
import { createRequestAdmission } from './request-admission.ts';
import { createIdempotencyStore } from './idempotency-keys.ts';
import type { Database } from '../tables.ts';

/** `url` is the application's: the gate has a connection of its own beside the pool of `db`. */
export function createHttpStores(options: {
  db: Kysely<Database>;
  url: string;
  limits: Limits;
}): HttpStores {
  const admission = createRequestAdmission(options.url, options.limits);
  return {
    admission,
    idempotency: createIdempotencyStore(options.db),
    audit: createRequestAudit(options.db),
    sweep: () => sweep(options.db),
    close: () => admission.close(),
  };
}

/** Deletes in small portions, so that no lock is held for long. */
const SWEEP_ROWS = 1_000;

async function sweep(db: Kysely<Database>): Promise<void> {
  await sql`delete from idempotency_keys where ctid in (
    select ctid from idempotency_keys
    where expires_at <= now() and (status is not null or lease_until <= now())
    limit ${SWEEP_ROWS})`.execute(db);
  await sql`delete from rate_counters where ctid in (
    select ctid from rate_counters
    where hour_started_at < now() - interval '2 hours' limit ${SWEEP_ROWS})`.execute(db);
  await sql`delete from api_key_secrets where hash in (
    select hash from api_key_secrets where expires_at <= now() limit ${SWEEP_ROWS})`.execute(db);
}
