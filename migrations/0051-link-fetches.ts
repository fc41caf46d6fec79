/**
 * Fetches of links that are not judged yet, whether a person or a program made them; who hosts the mail of
 * a domain that was written to; and the letters of before that were refused by a policy, in the counters.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One a second at most of each link: whoever replays a link fills no disk. Judged rows go soon.
  await sql`
    create table link_fetches (
      send_id bigint not null references sends (id) on delete cascade,
      target text not null,
      at timestamptz not null,
      is_machine boolean not null,
      is_judged boolean not null default false,
      primary key (send_id, target, at, is_machine)
    )`.execute(db);
  await sql`create index link_fetches_at on link_fetches (at)`.execute(db);
  // Of a domain whose name does not tell it; shared by all accounts, and says nothing of any.
  await sql`
    create table recipient_providers (
      domain text primary key,
      provider text not null,
      seen_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    insert into campaign_counters (campaign_id, day, step, variant, rejected)
    select campaign_id, (rejected_at at time zone 'UTC')::date, step, variant, count(*)
    from sends where rejected_at is not null
    group by 1, 2, 3, 4
    on conflict (campaign_id, day, step, variant) do update set rejected = excluded.rejected`.execute(
    db,
  );
}
