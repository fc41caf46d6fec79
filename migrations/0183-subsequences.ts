/** Campaigns that a lead enters by what its answer to another one means, and who is to enter them when. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: the number of a deleted campaign fits no answer, and must not come to mean any campaign.
  await sql`
    alter table campaigns add column starts_on_campaign_id bigint,
      add column starts_on_interests text[], add column starts_after_days integer`.execute(db);
  await sql`create index campaigns_subsequences on campaigns (user_id)
    where starts_on_interests is not null`.execute(db);
  // A lead enters once. due_at: while it is pending. The answer tells mailbox and thread.
  await sql`
    create table subsequence_starts (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      lead_id bigint not null references leads (id) on delete cascade,
      message_id bigint references messages (id) on delete set null,
      interest text not null,
      status text not null check (status in ('pending', 'started', 'cancelled')),
      reason text,
      due_at timestamptz check ((due_at is not null) = (status = 'pending')),
      updated_at timestamptz not null,
      primary key (campaign_id, lead_id)
    )`.execute(db);
  await sql`create index subsequence_starts_due on subsequence_starts (due_at, campaign_id, lead_id)
    where due_at is not null`.execute(db);
  await sql`create index subsequence_starts_pending on subsequence_starts (campaign_id)
    where due_at is not null`.execute(db);
  await sql`create index subsequence_starts_lead on subsequence_starts (lead_id)`.execute(db);
  await sql`create index subsequence_starts_message on subsequence_starts (message_id)
    where message_id is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
