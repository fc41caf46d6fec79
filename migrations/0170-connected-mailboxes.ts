/** Mailboxes of one's own, elsewhere: their servers, what reads them, and one view of where any mailbox lives. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: a connected mailbox, which belongs to its account alone.
  await sql`alter table mailboxes alter column cluster_id drop not null`.execute(db);
  // `next_servers` are those that are being proven, beside `mailboxes.next_password`.
  await sql`
    create table connected_mailboxes (
      mailbox_id bigint primary key references mailboxes (id),
      preset text,
      servers jsonb not null,
      next_servers jsonb,
      proof_id uuid,
      proof_seen_at timestamptz,
      proven_at timestamptz,
      error_code text,
      error_message text
    )`.execute(db);
  // What reads the connected mailboxes of an account. The ids are of one sequence with those of clusters, so that
  // the sync of an inbox has one number for either.
  await sql`
    create table connected_inboxes (
      id bigint primary key default nextval(pg_get_serial_sequence('clusters', 'id')),
      user_id text not null unique references users (user_id)
    )`.execute(db);
  await sql`
    create view mailbox_hosts as
    select mailboxes.id as mailbox_id, coalesce(clusters.id, connected_inboxes.id) as inbox_id,
      coalesce(clusters.status, 'active') as inbox_status, clusters.domain_id,
      domains.name as domain, domains.dkim_selector, clusters.server_id, servers.host_name,
      servers.status as server_status, servers.sending_hold, servers.sending_held_since,
      connected_mailboxes.servers
    from mailboxes
    left join clusters on clusters.id = mailboxes.cluster_id
    left join domains on domains.id = clusters.domain_id
    left join servers on servers.id = clusters.server_id
    left join connected_mailboxes on connected_mailboxes.mailbox_id = mailboxes.id
    left join connected_inboxes on connected_inboxes.user_id = mailboxes.user_id`.execute(db);
}
