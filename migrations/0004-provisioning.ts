/** Domains, servers, clusters, mailboxes and the operations that make them. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operations (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      kind text not null,
      workflow_id text not null unique,
      task_queue text not null,
      summary text not null,
      input jsonb not null,
      resource_type text not null,
      resource_id bigint not null,
      state text not null default 'pending' check (state in
        ('pending', 'running', 'blocked', 'compensating', 'succeeded', 'failed')),
      step text,
      steps jsonb not null default '[]',
      progress_number integer not null default 0,
      message text not null default '',
      hold_id bigint references holds (id),
      request_key text,
      blocked_at timestamptz,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      workflow_seen_at timestamptz,
      finished_at timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index operations_resource on operations (resource_type, resource_id, id desc)`.execute(
    db,
  );
  await sql`create unique index operations_request on operations (user_id, request_key)
    where request_key is not null`.execute(db);
  await sql`create index operations_not_started on operations (created_at)
    where started_at is null and finished_at is null`.execute(db);
  await sql`create index operations_blocked on operations (step) where state = 'blocked'`.execute(
    db,
  );
  await sql`
    create table operation_events (
      id bigint generated always as identity primary key,
      operation_id bigint not null references operations (id),
      at timestamptz not null default now(),
      kind text not null,
      step text,
      actor text not null,
      reason text not null default '',
      detail jsonb not null default '{}'
    )`.execute(db);
  await sql`create index operation_events_operation on operation_events (operation_id, id)`.execute(
    db,
  );
  // What happened is part of the account of it: the application adds lines and takes none away.
  await sql`revoke delete on operation_events from outreach_app`.execute(db);
  await sql`
    create table provider_resources (
      id bigint generated always as identity primary key,
      operation_id bigint not null references operations (id),
      step text not null,
      generation integer not null,
      provider text not null,
      token text not null unique,
      state text not null default 'creating' check (state in
        ('creating', 'created', 'absent', 'deleted')),
      external_id text,
      asked_until timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (operation_id, step, generation)
    )`.execute(db);
  await sql`
    create table domains (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      name text not null,
      provider text not null,
      status text not null default 'pending' check (status in ('pending', 'active', 'failed')),
      purchased_at timestamptz,
      expires_at timestamptz,
      order_ref text,
      cost_cents integer,
      dkim_selector text,
      dkim_private_key bytea,
      dkim_public_key text,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  // Two tenants can never attach to one purchase: a name is claimed once while it is alive.
  await sql`create unique index domains_live_name on domains (name)
    where status in ('pending', 'active')`.execute(db);
  await sql`create index domains_user on domains (user_id, id desc)`.execute(db);
  await sql`
    create table servers (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      provider text not null,
      intent_name text not null unique,
      external_id text,
      host_name text not null,
      ipv4 text,
      status text not null default 'creating' check (status in ('creating', 'active', 'deleted')),
      client_private_key bytea not null,
      client_public_key text not null,
      host_private_key bytea not null,
      host_public_key text not null,
      outbound25 text not null default 'unknown',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index servers_user on servers (user_id) where status = 'active'`.execute(db);
  await sql`
    create table clusters (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      domain_id bigint not null references domains (id),
      server_id bigint references servers (id),
      operation_id bigint references operations (id),
      name text not null,
      status text not null default 'provisioning' check (status in
        ('provisioning', 'active', 'suspended', 'failed', 'deleting', 'deleted')),
      use_existing_vps boolean not null,
      attempt integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index clusters_user on clusters (user_id, id desc)`.execute(db);
  await sql`create index clusters_server on clusters (server_id)`.execute(db);
  await sql`create unique index clusters_live_domain on clusters (domain_id)
    where status in ('provisioning', 'active', 'suspended', 'deleting')`.execute(db);
  await sql`
    create table published_records (
      id bigint generated always as identity primary key,
      operation_id bigint not null references operations (id),
      domain_id bigint not null references domains (id),
      type text not null,
      name text not null,
      value text not null,
      priority integer,
      asked_at timestamptz not null,
      unique (operation_id, type, name, value)
    )`.execute(db);
  await sql`
    create table mailboxes (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      cluster_id bigint not null references clusters (id),
      operation_id bigint references operations (id),
      email text not null,
      password bytea,
      status text not null default 'pending' check (status in
        ('pending', 'active', 'failed', 'deleted')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index mailboxes_live_email on mailboxes (email)
    where status in ('pending', 'active')`.execute(db);
  await sql`create index mailboxes_cluster on mailboxes (cluster_id, id desc)`.execute(db);
  await sql`create index mailboxes_user on mailboxes (user_id, id desc)`.execute(db);
}
