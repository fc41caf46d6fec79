/** The audit log is read by an action in order. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes to the log while it is built: seconds for a million entries. It may be there already:
  // docs/deployment.md says how to build it beforehand.
  await sql`create index if not exists audit_log_of_action on audit_log
    (user_id, action, id)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
