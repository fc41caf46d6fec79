/**
 * What the owner of a campaign decides while it runs: leads that are paused or removed, how many new
 * leads a day may get, who was never written to, and texts of a letter that replace one another.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // While a recipient is paused: when its next letter is due. `due_at` is null meanwhile.
  await sql`alter table recipients add column paused_due_at timestamptz`.execute(db);
  // Rows of before fit: they need no look, and nobody waits for it.
  await sql`alter table recipients drop constraint recipients_status_check`.execute(db);
  await sql`alter table recipients add constraint recipients_status_check check (status in ('queued',
    'in_progress', 'completed', 'replied', 'bounced', 'unsubscribed', 'skipped', 'paused', 'failed',
    'removed')) not valid`.execute(db);
  await sql`
    alter table campaigns
      add column max_new_leads_per_day integer check (max_new_leads_per_day >= 1),
      add column new_lead_share integer check (new_lead_share between 0 and 100),
      add column only_never_contacted boolean not null default false`.execute(db);
  // Under which numbers the step's texts are counted, its own first; null: 0, 1, 2, ...
  // Texts that were sent and stand there no more: [{number, subjectTemplate, bodyTemplate}].
  await sql`
    alter table campaign_steps
      add column text_numbers integer[],
      add column retired_texts jsonb not null default '[]'`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
