/** Domains: imports that prove their owner, renewals, and what clients were told of them. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains
    add column auto_renew boolean not null default false,
    add column verification_token text,
    add column expiring_told_for timestamptz,
    add column dns_failing_since timestamptz`.execute(db);
  await sql`alter table domains drop constraint domains_status_check`.execute(db);
  await sql`alter table domains add constraint domains_status_check
    check (status in ('unverified', 'pending', 'active', 'failed'))`.execute(db);
  // An import claims nothing before its proof: a name is blocked by nobody who does not own it.
  await sql`create unique index domains_unverified on domains (user_id, name)
    where status = 'unverified'`.execute(db);
  await sql`create index domains_expiry on domains (expires_at) where status = 'active'`.execute(
    db,
  );
  await sql`
    create table domain_renewals (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      domain_id bigint not null references domains (id),
      expires_at timestamptz not null,
      state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
      new_expires_at timestamptz,
      order_ref text,
      cost_cents integer,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  // One at a time; one per expiry follows, since it is compared with the end under the domain's lock.
  await sql`create unique index domain_renewals_pending on domain_renewals (domain_id)
    where state = 'pending'`.execute(db);
  await sql`create index domain_renewals_domain on domain_renewals (domain_id, id desc)`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
