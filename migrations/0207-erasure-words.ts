/** By what the erasure of a person finds messages of campaigns to them, texts that name them, and events with words. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody sends while they are built, and no event is written. Each may be there already: docs/deployment.md says how to
  // build them beforehand while writes go on.
  await sql`
    create or replace function words_of(p_text text) returns tsvector
    language sql immutable parallel safe
    return to_tsvector('simple', translate(p_text, '<>@/.:_-+', '         '))`.execute(db);
  await sql`create index if not exists send_texts_words on send_texts
    using gin (words_of(subject || ' ' || body_text))`.execute(db);
  await sql`create index if not exists sends_with_words on sends (user_id, id)
    where rejection is not null or smtp_reply not like '2%' or smtp_reply like '%@%'`.execute(db);
  await sql`create index if not exists sends_former_lead on sends (former_lead_id)
    where former_lead_id is not null`.execute(db);
  await sql`create index if not exists sends_unknown_address on sends (user_id, recipient_domain)
    where email_key is null`.execute(db);
  await sql`create index if not exists events_with_words on events (user_id, txid, id)
    where (payload - 'messageId')::text like '%@%' or type not in ('email.sent', 'email.opened',
      'email.bounced', 'email.replied', 'email.auto_replied', 'email.unsubscribed',
      'email.complained', 'message.received', 'message.interest_changed')`.execute(db);
}
