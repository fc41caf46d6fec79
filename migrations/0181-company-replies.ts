/** Campaigns that stop a whole company when somebody of it answers, and the companies that have answered. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column stop_company_on_reply boolean not null default false`.execute(
    db,
  );
  // Only while the campaign stops companies. is_open: some of the company may not be ended yet.
  await sql`
    create table company_replies (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      company_id bigint not null references companies (id) on delete cascade,
      replied_at timestamptz not null,
      is_open boolean not null,
      primary key (campaign_id, company_id)
    )`.execute(db);
  await sql`create index company_replies_company on company_replies (company_id)`.execute(db);
  await sql`create index company_replies_open on company_replies (campaign_id, company_id)
    where is_open`.execute(db);
  // Counted in the statistics. It has no row yet.
  await sql`create index recipients_company_replied on recipients (campaign_id)
    where hold_reason = 'company_replied'`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
