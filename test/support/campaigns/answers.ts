/** Answers of leads to the first message of a campaign. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import { rawMessage } from '../inbox/inbox-message-text.ts';
import { receiver } from '../inbox/inbox-sends.ts';

export interface Answer {
  id?: string;
  text?: string;
  headers?: Record<string, string>;
  minutesAgo?: number;
}

/** By database: files share processes, and mailboxes of each have the same ids. */
const known = new WeakMap<Kysely<Database>, Map<number, ReturnType<typeof receiver>>>();

/** The first message to the lead was sent an hour ago, and this comes back. */
export async function answerTo(
  db: Kysely<Database>,
  {
    campaignId,
    leadId,
    minutesAgo,
    headers,
    ...answer
  }: Answer & { campaignId: number; leadId: number },
): Promise<void> {
  const sent = `<${campaignId}.${leadId}@d.test>`;
  const { rows } = await sql<{ email: string; mailbox: number; host: string; user_id: string }>`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
      message_id, subject, state, claimed_by, claimed_at, sent_at)
    select leads.user_id, ${campaignId}, leads.id, 0, mailbox_id, 'x.example', leads.email_key,
      ${sent}, 'Hello', 'sent', gen_random_uuid(),
      now() - interval '1 hour', now() - interval '1 hour'
    from leads, campaign_mailboxes where leads.id = ${leadId}
      and campaign_mailboxes.campaign_id = ${campaignId}
    order by mailbox_id limit 1
    on conflict (campaign_id, lead_id, step) do update set state = 'sent', sent_at = excluded.sent_at,
      message_id = excluded.message_id
    returning user_id, email_key as email, mailbox_id as mailbox,
      (select email from mailboxes where mailboxes.id = mailbox_id) as host`.execute(db);
  const { email, mailbox, host, user_id: userId } = rows[0]!;
  const receivers = known.get(db) ?? new Map<number, ReturnType<typeof receiver>>();
  known.set(db, receivers);
  const receive =
    receivers.get(mailbox) ?? receiver(db, { userId, mailboxId: mailbox, email: host });
  receivers.set(mailbox, receive);
  const { text = 'Tell me more.', id } = answer;
  const more = { 'In-Reply-To': sent, References: sent, ...headers };
  const message = { from: email, subject: 'Re: Hello', text, headers: more, ...(id && { id }) };
  await receive([rawMessage(message)], 'inbox', { ...(minutesAgo && { minutesAgo }) });
}
