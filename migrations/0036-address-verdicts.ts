/**
 * What a verdict says of an address is kept with the lead, each campaign chooses what it does with
 * risky ones, and who is held back for it is looked at again when the verdict changes.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leads add column validation_reason text`.execute(db);
  // Only a catch-all was given 60 points, or 45 as the address of a role.
  await sql`update leads set validation_reason = 'catch_all'
    where validation_status = 'risky' and validation_score in (45, 60)`.execute(db);
  await sql`
    alter table campaigns
      add column min_validation_score integer check (min_validation_score between 1 and 100),
      add column held_addresses text[] not null default '{}'
        check (held_addresses <@ '{catchAll,unknown,role}')`.execute(db);
  await sql`alter table lead_process_contacts add column reason text`.execute(db);
  await sql.raw(takeUpRecipients).execute(db);
  await sql`
    create trigger leads_verdict after update of email_key, validation_status, validation_score,
      validation_reason on leads for each row
    when ((old.email_key, old.validation_status, old.validation_score, old.validation_reason)
      is distinct from
      (new.email_key, new.validation_status, new.validation_score, new.validation_reason))
    execute function take_up_recipients()`.execute(db);
}

/**
 * Due at once, by the clock that held them: whoever claims them judges them by the verdict of then.
 * One that was found invalid is none of those while the verdict says so.
 */
const takeUpRecipients = `
create function take_up_recipients() returns trigger language plpgsql as $$
begin
  update recipients set due_at = updated_at, hold_reason = null,
    status = case when status <> 'skipped' then status when step = 0 then 'queued'
      else 'in_progress' end
  where lead_id = new.id and due_at is null
    and hold_reason in ('invalid_email', 'catch_all_address', 'unknown_address', 'role_address',
      'score_too_low')
    and (hold_reason <> 'invalid_email' or new.validation_status is distinct from 'invalid')
    and status in ('queued', 'in_progress', 'skipped');
  return null;
end
$$`;
