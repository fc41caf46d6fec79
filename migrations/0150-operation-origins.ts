/** Which request ordered an operation, and the trace that its workflow is part of, whoever starts it. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column request_id text, add column trace_parent text`.execute(
    db,
  );
}
