/** Rows of started campaigns: account, mailboxes, leads, recipients. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Context } from '../../../src/context.ts';
import { passwordBinding } from '../../../src/db/mailboxes/mailboxes.ts';
import type { Database } from '../../../src/db/tables.ts';

export interface CampaignOptions {
  /** Lead ids, or how many new ones. */
  leads: number | readonly number[];
  mailboxIds: readonly number[];
  /** Of new leads: by their number; `client-<n>.test` by default. */
  domainOf?: (n: number) => string;
  followups?: number;
  delayDays?: number;
  dueAt?: Date;
}

type Needs = Pick<Context, 'db' | 'cipher'>;

/** An account that may send. */
export async function addSender(db: Kysely<Database>): Promise<string> {
  const userId = `sender-${randomUUID()}`;
  await sql`insert into users (user_id, email, sender_name, postal_address)
    values (${userId}, ${`${userId}@example.com`}, 'Ann Example', '1 Main Street, Springfield')`.execute(
    db,
  );
  return userId;
}

/** Active mailboxes on a domain of their own, whose host is `mail.<domain>`. */
export async function addMailboxes(
  { db, cipher }: Needs,
  userId: string,
  { count, domain = `d${randomUUID().slice(0, 8)}.test` }: { count: number; domain?: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with domain as (
      insert into domains (user_id, name, provider, status)
      values (${userId}, ${domain}, 'namecom', 'active') returning id
    ), server as (
      insert into servers (user_id, provider, intent_name, host_name, ipv4, status,
        client_private_key, client_public_key, host_private_key, host_public_key)
      values (${userId}, 'hetzner', ${domain}, ${`mail.${domain}`}, '192.0.2.1', 'active',
        '', '', '', '')
      returning id
    ), cluster as (
      insert into clusters (user_id, domain_id, server_id, name, status, use_existing_vps)
      select ${userId}, domain.id, server.id, ${domain}, 'active', false from domain, server
      returning id
    )
    insert into mailboxes (user_id, cluster_id, email, status)
    select ${userId}, id, 'm' || n || '@' || ${domain}, 'active'
    from cluster, generate_series(1, ${count}) as n
    returning id`.execute(db);
  for (const { id } of rows) {
    const password = cipher.seal('pass', passwordBinding(id));
    await db.updateTable('mailboxes').set({ password }).where('id', '=', id).execute();
  }
  return rows.map(({ id }) => id);
}

/** People with an address, `p<n>@<domainOf(n)>`, in an account. */
export async function addLeads(
  db: Kysely<Database>,
  userId: string,
  count: number,
  domainOf: (n: number) => string = (n) => `client-${n}.test`,
): Promise<number[]> {
  const mark = randomUUID().slice(0, 8);
  const people = Array.from({ length: count }, (_, n) => ({
    name: `P${n}`,
    email: `p${n}-${mark}@${domainOf(n)}`,
  }));
  const { rows } = await sql<{ id: number }>`
    insert into leads (user_id, first_name, last_name, name_key, email, email_key, provenance)
    select ${userId}, name, 'Test', lower(name) || ' test', email, email, '{}'
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as person (name text, email text)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** A window that is open for hours, at whatever time a test runs. */
function openWindow() {
  const hour = (offset: number) =>
    String((new Date().getUTCHours() + offset) % 24).padStart(2, '0');
  return { start_time: `${hour(12)}:00`, end_time: `${hour(11)}:59` };
}

/** An active campaign that may send at any time, with its recipients queued. */
export async function addCampaign(
  db: Kysely<Database>,
  userId: string,
  options: CampaignOptions,
): Promise<{ campaignId: number; leadIds: number[] }> {
  const { leads, mailboxIds, followups = 0, delayDays = 3, dueAt = new Date(0) } = options;
  const leadIds =
    typeof leads === 'number' ? await addLeads(db, userId, leads, options.domainOf) : [...leads];
  const { id: campaignId } = await db
    .insertInto('campaigns')
    .values({
      user_id: userId,
      name: 'Campaign',
      status: 'active',
      pause_reason: null,
      timezone: 'UTC',
      active_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      ...openWindow(),
      max_followups: followups,
      followup_delay_days: delayDays,
      run: 1,
      warning: null,
      started_at: dueAt,
      paused_at: null,
      completed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('campaign_steps')
    .values({
      campaign_id: campaignId,
      position: 0,
      delay_days: 0,
      subject_template: 'Hello {{firstName}}',
      body_template: 'Hi {{firstName|there}}, a word.',
    })
    .execute();
  await db
    .insertInto('campaign_mailboxes')
    .values(
      mailboxIds.map((mailbox_id) => ({
        campaign_id: campaignId,
        mailbox_id,
        out_reason: null,
        out_at: null,
        served_at: null,
        wants_until: null,
      })),
    )
    .execute();
  await sql`insert into recipients (campaign_id, lead_id, user_id, due_at)
    select ${campaignId}, lead_id, ${userId}, ${dueAt}
    from unnest(${leadIds}::bigint[]) as lead_id`.execute(db);
  return { campaignId, leadIds };
}
