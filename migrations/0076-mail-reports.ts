/** The role mailboxes of each cluster, and the reports of other mail servers that come to them. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table role_mailboxes (
      cluster_id bigint not null references clusters (id) on delete cascade,
      name text not null check (name in ('postmaster', 'abuse')),
      -- Sealed.
      password bytea not null,
      -- When it was put on the host; null = it is not there, or the client has a mailbox of this name.
      installed_at timestamptz,
      -- Where reading goes on in a mailbox of the client's; what is in ours is removed once it is kept.
      uid_validity bigint,
      last_uid bigint not null default 0,
      read_at timestamptz,
      failing_since timestamptz,
      primary key (cluster_id, name)
    )`.execute(db);
  await sql`
    create table mail_reports (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      domain_id bigint not null references domains (id) on delete cascade,
      kind text not null check (kind in ('dmarc', 'tls')),
      organization text not null,
      report_id text not null,
      begins_at timestamptz not null,
      ends_at timestamptz not null,
      received_at timestamptz not null
    )`.execute(db);
  await sql`
    create unique index mail_reports_identity
    on mail_reports (domain_id, kind, organization, report_id, begins_at)`.execute(db);
  await sql`create index on mail_reports (domain_id, kind, begins_at)`.execute(db);
  await sql`create index on mail_reports (begins_at)`.execute(db);
  await sql`
    create table mail_report_rows (
      report_id bigint not null references mail_reports (id) on delete cascade,
      -- DMARC: the address that delivered. TLS: our server, or the policy.
      source text not null,
      -- DMARC: pass or fail. TLS: success, or the type of the failure.
      result text not null,
      -- Of DMARC alone.
      disposition text check (disposition in ('none', 'pass', 'quarantine', 'reject')),
      dkim text check (dkim in ('pass', 'fail')),
      spf text check (spf in ('pass', 'fail')),
      auth_results text,
      -- TLS: connections.
      messages bigint not null check (messages > 0)
    )`.execute(db);
  await sql`create index on mail_report_rows (report_id)`.execute(db);
  // When clients were told that messages of our own server fail DMARC; null = they were not.
  await sql`alter table domains add column alignment_failing_since timestamptz`.execute(db);
}
