/**
 * Who was found invalid and gets another address begins anew, which the change of the address does: taking them
 * up where they stood would continue a thread that the new address has never seen.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(takeUpRecipients).execute(db);
}

/** As in 0036, but for that. */
const takeUpRecipients = `
create or replace function take_up_recipients() returns trigger language plpgsql as $$
begin
  update recipients set due_at = updated_at, hold_reason = null,
    status = case when status <> 'skipped' then status when step = 0 then 'queued'
      else 'in_progress' end
  where lead_id = new.id and due_at is null
    and hold_reason in ('invalid_email', 'catch_all_address', 'unknown_address', 'role_address',
      'score_too_low')
    and (hold_reason <> 'invalid_email' or (new.validation_status is distinct from 'invalid'
      and (step = 0 or new.email_key is not distinct from old.email_key)))
    and status in ('queued', 'in_progress', 'skipped');
  return null;
end
$$`;
