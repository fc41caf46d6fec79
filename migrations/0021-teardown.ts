/** Clusters and mailboxes that are taken down, passwords that are changed, and the last look at a cluster. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A server that is about to be deleted takes no new cluster.
  await sql`alter table servers drop constraint servers_status_check`.execute(db);
  await sql`alter table servers add constraint servers_status_check
    check (status in ('creating', 'active', 'deleting', 'deleted'))`.execute(db);
  await sql`alter table mailboxes drop constraint mailboxes_status_check`.execute(db);
  await sql`alter table mailboxes add constraint mailboxes_status_check
    check (status in ('pending', 'active', 'failed', 'deleting', 'deleted'))`.execute(db);
  // next_password: what the host may have already, while it is being changed there.
  // sender_name: null = the account's.
  await sql`alter table mailboxes add column next_password bytea, add column sender_name text`.execute(
    db,
  );
  // An address is free for a new mailbox once the old one has left the host, not before.
  await sql`drop index mailboxes_live_email`.execute(db);
  await sql`create unique index mailboxes_live_email on mailboxes (email)
    where status in ('pending', 'active', 'deleting')`.execute(db);
  await sql`
    create table cluster_looks (
      cluster_id bigint primary key references clusters (id),
      looked_at timestamptz not null,
      parts jsonb not null
    )`.execute(db);
}
