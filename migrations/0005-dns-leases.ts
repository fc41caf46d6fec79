/** Who is changing the DNS records of a domain: requests and workflows take turns. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dns_leases (
      domain_id bigint primary key references domains (id),
      owner uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
