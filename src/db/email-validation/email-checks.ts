/** What verifiers said about addresses, kept until it expires. No address is stored, only its hash. */
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { DAY_MS } from '../../domain/day.ts';
import type { MailboxFacts } from '../../domain/email-validation/email-verdict.ts';
import type { Database } from '../tables.ts';

export interface KeptCheck {
  facts: MailboxFacts;
  verifier: string;
  checkedAt: Date;
}

const HOUR_MS = 3_600_000;

/** Reasons that may be temporary: an early retry by the client is useful. */
const PASSING = new Set(['greylisted', 'temporary_failure', 'unreachable', 'timed_out']);

/**
 * How long a verifier's result is kept. Mailboxes are created and closed over months: 30 days. The state of a
 * server for all mail (catch-all, full) changes sooner: 7 days. An unknown result is kept for an hour, and
 * for five minutes where waiting is the remedy.
 */
export function keptForMs({ status, reason }: Pick<MailboxFacts, 'status' | 'reason'>): number {
  if (status === 'valid' || status === 'invalid') return 30 * DAY_MS;
  if (status === 'risky') return 7 * DAY_MS;
  return PASSING.has(reason) ? 5 * 60_000 : HOUR_MS;
}

/** The kept results of these keys that have not expired. */
export async function findKeptChecks(
  db: Kysely<Database>,
  keys: readonly string[],
  now: Date,
): Promise<Map<string, KeptCheck>> {
  const byHash = new Map(keys.map((key) => [hashOf(key).toString('hex'), key]));
  const rows = await db
    .selectFrom('email_checks')
    .selectAll()
    .where('key_hash', '=', sql<Buffer>`any(${keys.map(hashOf)}::bytea[])`)
    .where('expires_at', '>', now)
    .execute();
  return new Map(
    rows.map((row) => {
      // Only addresses whose domain takes mail reach a verifier.
      const facts = { ...row.facts, status: row.status, reason: row.reason, mx: true };
      const kept = { facts, verifier: row.verifier, checkedAt: row.checked_at };
      return [byHash.get(row.key_hash.toString('hex'))!, kept];
    }),
  );
}

/** Keeps results by key; a newer one replaces an older one. */
export async function keepChecks(
  db: Kysely<Database>,
  checks: ReadonlyMap<string, KeptCheck>,
): Promise<void> {
  if (checks.size === 0) return;
  const rows = [...checks].map(([key, { facts, verifier, checkedAt }]) => ({
    key_hash: hashOf(key),
    status: facts.status,
    reason: facts.reason,
    facts: JSON.stringify({
      catchAll: facts.catchAll,
      smtp: facts.smtp,
      fullInbox: facts.fullInbox,
      disabled: facts.disabled,
      disposable: facts.disposable,
    }),
    verifier,
    checked_at: checkedAt,
    expires_at: new Date(checkedAt.getTime() + keptForMs(facts)),
  }));
  await db
    .insertInto('email_checks')
    // In a fixed order: two writers of the same addresses must not deadlock.
    .values(rows.toSorted((a, b) => Buffer.compare(a.key_hash, b.key_hash)))
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet({
          status: (eb) => eb.ref('excluded.status'),
          reason: (eb) => eb.ref('excluded.reason'),
          facts: sql`excluded.facts`,
          verifier: (eb) => eb.ref('excluded.verifier'),
          checked_at: (eb) => eb.ref('excluded.checked_at'),
          expires_at: (eb) => eb.ref('excluded.expires_at'),
        })
        .whereRef('email_checks.checked_at', '<=', sql.ref('excluded.checked_at')),
    )
    .execute();
}

/** Deletes expired results, a bounded number at a time. Returns how many. */
export async function deleteExpiredChecks(
  db: Kysely<Database>,
  now: Date,
  limit = 1_000,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('email_checks')
    .where('key_hash', 'in', (eb) =>
      eb
        .selectFrom('email_checks')
        .select('key_hash')
        .where('expires_at', '<', now)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the results kept for these keys, for an erased person. */
export async function forgetKeptChecks(
  db: Kysely<Database>,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom('email_checks').where('key_hash', 'in', keys.map(hashOf)).execute();
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
