/** What was sent to people and told about them, as an erasure sees it: that it was sent stays. */
import { sql, type Transaction } from 'kysely';
import type { ErasedPerson } from '../domain/erased-person.ts';
import { ERASED, redactPerson } from '../domain/redact-person.ts';
import { speaksOf } from './erasure-search.ts';
import { eraseSendTexts } from './send-texts.ts';
import type { Database } from './tables.ts';

/** Sends to the person, those that name him, and those of leads of his domain that are gone. */
export async function eraseSends(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const domains = person.emails.map((email) => email.slice(email.lastIndexOf('@') + 1));
  const { rows } = await sql<{ id: number }>`
    with locked as (
      select id from sends
      where user_id = ${userId} and recipient_domain <> ${ERASED} and (
        email_key = any (${person.emails}::text[]) or
        ${speaksOf(sql`concat_ws(' ', subject, smtp_reply, rejection)`, person)}
        or (recipient_domain = any (${domains}::text[])
          and not exists (select from leads where leads.id = sends.lead_id)))
      order by id for no key update
    )
    update sends set subject = '', smtp_reply = null, rejection = null, recipient_domain = ${ERASED}, email_key = null
    from locked where sends.id = locked.id returning sends.id`.execute(trx);
  const sendIds = rows.map(({ id }) => id);
  return sendIds.length + (await eraseSendTexts(trx, { userId, sendIds }, person));
}

/** Events tell ids; where one has a text, the person goes out of it. */
export async function eraseEvents(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const { rows } = await sql<{ id: number; payload: object }>`
    select id, payload from events
    where user_id = ${userId} and ${speaksOf(sql`payload::text`, person)}`.execute(trx);
  let erased = 0;
  for (const { id, payload } of rows) {
    const before = JSON.stringify(payload);
    const after = redactPerson(before, person);
    if (after === before) continue;
    erased += 1;
    await sql`update events set payload = ${after}::jsonb where id = ${id}`.execute(trx);
  }
  return erased;
}

/** Warm-up letters to a seed address that was the person's. */
export async function eraseWarmupLetters(
  trx: Transaction<Database>,
  userId: string,
  { emails }: ErasedPerson,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update warmup_letters set to_address = ${ERASED}, smtp_reply = null
    from mailboxes
    where mailboxes.id = from_mailbox_id and mailboxes.user_id = ${userId}
      and lower(to_address) = any (${emails}::text[])`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
