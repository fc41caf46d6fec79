/** The audit log is read by an actor, and by a kind of actors, in order. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes to the log while these are built: seconds for a million entries. They may be there already:
  // docs/deployment.md says how to build them beforehand.
  await sql`create index if not exists audit_log_of_actor on audit_log
    (user_id, actor_id, id)`.execute(db);
  await sql`create index if not exists audit_log_of_actor_kind on audit_log
    (user_id, actor_kind, id)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
