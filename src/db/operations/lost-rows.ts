/** Runs in Temporal whose rows are not there any more: found one by one, and kept until a person has looked. */
import type { Kysely } from 'kysely';
import type { Finding } from '../../domain/operations/findings.ts';
import type { Database } from '../tables.ts';

/** The comparison that keeps them open. */
export const RUNS_BOOK = 'runs';

/** Safe to repeat. */
export const recordLostRow = (
  db: Kysely<Database>,
  run: { workflowId: string; kind: string; at: Date },
): Promise<void> =>
  insertFinding(db, run.at, {
    kind: 'lost_row',
    subject: run.workflowId,
    operationId: null,
    detail: { kind: run.kind },
  });

/** The id of an operation's workflow is another one's in Temporal. Safe to repeat. */
export const recordForeignRun = (
  db: Kysely<Database>,
  run: { workflowId: string; operationId: number; detail: object; at: Date },
): Promise<void> =>
  insertFinding(db, run.at, {
    kind: 'foreign_run',
    subject: run.workflowId,
    operationId: run.operationId,
    detail: { ...run.detail },
  });

async function insertFinding(db: Kysely<Database>, at: Date, finding: Finding): Promise<void> {
  const { kind, subject, operationId, detail } = finding;
  await db
    .insertInto('findings')
    .values({
      kind,
      subject,
      book: RUNS_BOOK,
      operation_id: operationId,
      detail: JSON.stringify(detail),
      found_at: at,
      seen_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('state', '=', 'open')
        .doUpdateSet({ seen_at: at }),
    )
    .execute();
}

/** All that no person has closed yet. */
export async function listRunFindings(db: Kysely<Database>): Promise<Finding[]> {
  const rows = await db
    .selectFrom('findings')
    .select(['kind', 'subject', 'operation_id as operationId', 'detail'])
    .where('book', '=', RUNS_BOOK)
    .where('state', '=', 'open')
    .orderBy('id')
    .execute();
  return rows;
}
