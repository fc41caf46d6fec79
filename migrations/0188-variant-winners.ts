/** Tests of the texts of a step against each other: how far each has come, and who has won. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column auto_winner jsonb`.execute(db);
  // since: from when on the texts stand beside each other; null: from the first message. A row that somebody
  // has decided without a winner says that the test must not decide.
  await sql`
    create table step_tests (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      position integer not null,
      since timestamptz,
      looks integer not null default 0,
      looked_sends integer not null default 0,
      winner integer,
      decided_by text check (decided_by in ('test', 'user')),
      decided_at timestamptz,
      figures jsonb,
      primary key (campaign_id, position),
      check ((decided_by is null) = (decided_at is null)),
      check (winner is null or decided_by is not null)
    )`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
