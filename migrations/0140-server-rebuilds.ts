/** Mail hosts are made anew: what has been asked of the vendor, and which server is being rebuilt. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row for each server, of its last rebuild. `claim` is the attempt whose request may be under way at the vendor;
  // `asks` counts the requests, and those up to `used_asks` were of rebuilds that have been finished.
  await sql`
    create table server_rebuilds (
      server_id bigint primary key references servers (id),
      operation_id bigint not null references operations (id),
      backup text,
      backup_settled_at timestamptz,
      asks integer not null default 0,
      used_asks integer not null default 0,
      claim uuid,
      listed_before text,
      asked_until timestamptz,
      answered_at timestamptz,
      wiped_at timestamptz,
      done_at timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db);
  // What a column is computed from cannot be changed everywhere that we run: it is made anew.
  await sql`
    alter table servers
      add column rebuild_operation_id bigint references operations (id),
      drop column sending_hold`.execute(db);
  await sql`
    alter table servers add column sending_hold text generated always as (
      case when rebuild_operation_id is not null then 'rebuilding'
        when uses_smarthost then null
        when outbound25 = 'blocked' then 'port_25_closed'
        when listings <> '[]'::jsonb then 'blocklisted' end) stored`.execute(db);
}
