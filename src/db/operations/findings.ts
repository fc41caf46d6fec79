/** Findings: opened by a comparison with vendor records, closed when healed or no longer seen. */
import { sql, type Kysely } from 'kysely';
import type { Finding, FindingKind, HealWords } from '../../domain/operations/findings.ts';
import type { Database } from '../tables.ts';

/**
 * Records the findings of a complete comparison: opens new ones, closes as `gone` those that were not found
 * again. Safe to repeat.
 */
export async function recordFindings(
  db: Kysely<Database>,
  book: string,
  found: readonly Finding[],
  at: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const { kind, subject, operationId, detail } of found) {
      const row = { kind, subject, book, operation_id: operationId, seen_at: at };
      await trx
        .insertInto('findings')
        .values({ ...row, found_at: at, detail: JSON.stringify(detail) })
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'subject'])
            .where('state', '=', 'open')
            .doUpdateSet({ seen_at: at, detail: JSON.stringify(detail) }),
        )
        .execute();
    }
    await trx
      .updateTable('findings')
      .set({ state: 'gone', closed_at: at, closed_by: 'system', reason: 'not found any more' })
      .where('book', '=', book)
      .where('state', '=', 'open')
      .where('seen_at', '<', at)
      .execute();
  });
}

/** Closes healed findings. Safe to repeat: closed ones stay unchanged. */
export async function closeFinding(
  db: Kysely<Database>,
  { kind, subject }: Pick<Finding, 'kind' | 'subject'>,
  { actor, reason }: HealWords,
): Promise<void> {
  await db
    .updateTable('findings')
    .set({ state: 'healed', closed_at: new Date(), closed_by: actor, reason })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('state', '=', 'open')
    .execute();
}

/** Records the result of a comparison; `error` is null when it was complete. */
export async function recordBookCheck(
  db: Kysely<Database>,
  check: { book: string; at: Date; error: { kind: string; message: string } | null },
): Promise<void> {
  const { book, at, error } = check;
  const end = {
    checked_at: at,
    error_kind: error?.kind ?? null,
    error: error?.message ?? null,
    ...(error === null && { succeeded_at: at }),
  };
  await db
    .insertInto('book_checks')
    .values({ book, succeeded_at: null, ...end })
    .onConflict((conflict) => conflict.column('book').doUpdateSet(end))
    .execute();
}

/** Books that were compared since, could be read, and have no open finding. */
export async function listQuietBooks(db: Kysely<Database>, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('book_checks')
    .select('book')
    .where('checked_at', '>', since)
    .where('error_kind', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('findings')
            .select('findings.kind')
            .whereRef('findings.book', '=', 'book_checks.book')
            .where('findings.state', '=', 'open'),
        ),
      ),
    )
    .execute();
  return rows.map(({ book }) => book);
}

/** Open findings, the oldest first. */
export const listOpenFindings = (db: Kysely<Database>) =>
  db
    .selectFrom('findings')
    .select(['kind', 'subject', 'book', 'operation_id as operationId', 'detail'])
    .select(['found_at as foundAt', 'seen_at as seenAt'])
    .where('state', '=', 'open')
    .orderBy('found_at')
    .orderBy('id')
    .execute();

/** Findings closed at or after `at`, in order. */
export const listClosedFindings = (db: Kysely<Database>, at: Date) =>
  db
    .selectFrom('findings')
    .select(['kind', 'subject', 'state', 'closed_by as closedBy', 'reason'])
    .where('closed_at', '>=', at)
    .orderBy('id')
    .execute();

/** The result of the last comparison of each book. */
export const listBookChecks = (db: Kysely<Database>) =>
  db
    .selectFrom('book_checks')
    .select(['book', 'checked_at as checkedAt', 'succeeded_at as succeededAt'])
    .select(['error_kind as errorKind', 'error'])
    .orderBy('book')
    .execute();

/** How many are open, by kind; kinds without any are absent. */
export async function countOpenFindings(
  db: Kysely<Database>,
): Promise<{ kind: FindingKind; count: number }[]> {
  const { rows } = await sql<{ kind: FindingKind; count: number }>`
    select kind, count(*)::int as count from findings where state = 'open' group by kind`.execute(
    db,
  );
  return rows;
}
