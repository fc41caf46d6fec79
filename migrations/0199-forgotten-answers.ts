/** Answers that are forgotten when a person is erased: their keys stay, so that no request is carried out twice. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table idempotency_keys
      add column is_forgotten boolean not null default false,
      drop constraint idempotency_keys_check,
      add constraint idempotency_keys_answer
        check ((status is null and sealed_answer is null)
          or (status is not null and (sealed_answer is null) = is_forgotten))`.execute(db);
}
