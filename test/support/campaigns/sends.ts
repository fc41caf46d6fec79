/** A message that was sent to a lead, with the campaign and the mailbox behind it. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';

/** The send's id; each message has a campaign, a mailbox and a domain of its own. */
export async function addSend(
  db: Kysely<Database>,
  { userId, leadId }: { userId: string; leadId: number },
): Promise<number> {
  const name = `sender-${randomUUID()}.example`;
  const { rows } = await sql<{ id: number }>`
    with domain as (
      insert into domains (user_id, name, provider, status)
      values (${userId}, ${name}, 'namecom', 'active') returning id
    ), cluster as (
      insert into clusters (user_id, domain_id, name, status, use_existing_vps)
      select ${userId}, id, ${name}, 'active', false from domain returning id
    ), mailbox as (
      insert into mailboxes (user_id, cluster_id, email, status)
      select ${userId}, id, ${`ann@${name}`}, 'active' from cluster returning id
    ), campaign as (
      insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
        max_followups, followup_delay_days)
      values (${userId}, ${name}, 'active', 'UTC', array['mon'], '00:00', '23:59', 1, 3)
      returning id
    ), recipient as (
      insert into recipients (campaign_id, lead_id, user_id, status, step, mailbox_id)
      select campaign.id, ${leadId}, ${userId}, 'in_progress', 1, mailbox.id from campaign, mailbox
    )
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
      message_id, state, claimed_by, claimed_at, sent_at)
    select ${userId}, campaign.id, ${leadId}, 0, mailbox.id, 'example',
      (select email_key from leads where id = ${leadId}), ${`<${randomUUID()}@${name}>`},
      'sent', ${randomUUID()}, now(), now()
    from campaign, mailbox
    returning id`.execute(db);
  return rows[0]!.id;
}
