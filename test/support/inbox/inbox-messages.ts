/** Messages of an account's inbox, written as the sync writes them. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Context } from '../../../src/context.ts';
import { countMessages, lockInbox } from '../../../src/db/inbox/inbox-counts.ts';
import { passwordBinding } from '../../../src/db/mailboxes/mailboxes.ts';
import type { Database } from '../../../src/db/tables.ts';

export interface MessageOptions {
  userId: string;
  mailboxId: number;
  /** A new thread by default. */
  threadId?: number;
  from?: string;
  fromName?: string;
  to?: string[];
  subject?: string;
  text?: string;
  html?: string | null;
  sentAt?: Date;
  /** Default: when it was sent. */
  receivedAt?: Date;
  isRead?: boolean;
  archived?: boolean;
  direction?: 'inbound' | 'outbound';
  kind?: string;
  labels?: string[];
  messageId?: string;
  campaignId?: number | null;
  leadId?: number | null;
  facts?: object;
}

/** Answers its id and thread; read state and counters are consistent. */
export async function addMessage(
  db: Kysely<Database>,
  options: MessageOptions,
): Promise<{ id: number; threadId: number; messageId: string }> {
  const { userId, mailboxId, subject = 'Hello', text = 'Hi there', isRead = false } = options;
  const { sentAt = new Date(), archived = false, labels = [] } = options;
  const { receivedAt = sentAt } = options;
  const messageId = options.messageId ?? `<${randomUUID()}@client.test>`;
  return db.transaction().execute(async (trx) => {
    await lockInbox(trx, userId);
    const threadId = options.threadId ?? (await addThread(trx, options, { subject, receivedAt }));
    const { rows } = await sql<{ id: number }>`
      insert into messages (user_id, mailbox_id, thread_id, direction, kind, message_id,
        from_address, from_name, to_addresses, subject, snippet, body_text, body_html, sent_at,
        received_at, is_read, labels, archived, in_inbox, campaign_id, lead_id, facts)
      values (${userId}, ${mailboxId}, ${threadId}, ${options.direction ?? 'inbound'},
        ${options.kind ?? 'message'}, ${messageId}, ${options.from ?? 'ada@client.test'},
        ${options.fromName ?? null}, ${options.to ?? ['ann@host.test']}::text[], ${subject},
        ${text.slice(0, 100)}, ${text}, ${options.html ?? null}, ${sentAt}, ${receivedAt}, ${isRead},
        ${labels}::text[], ${archived}, ${!archived}, ${options.campaignId ?? null},
        ${options.leadId ?? null}, ${JSON.stringify(options.facts ?? {})})
      returning id`.execute(trx);
    const after = { threadId, isRead, inInbox: !archived };
    await countMessages(trx, userId, [{ before: null, after, arrivedAt: receivedAt }]);
    return { id: rows[0]!.id, threadId, messageId };
  });
}

async function addThread(
  db: Kysely<Database>,
  { userId, mailboxId, campaignId = null, leadId = null }: MessageOptions,
  { subject, receivedAt }: { subject: string; receivedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into threads (user_id, mailbox_id, campaign_id, lead_id, subject, last_message_at)
    values (${userId}, ${mailboxId}, ${campaignId}, ${leadId}, ${subject}, ${receivedAt})
    returning id`.execute(db);
  return rows[0]!.id;
}

/** An active mailbox on a domain of its own, without a password. */
export async function addMailbox(
  db: Kysely<Database>,
  userId: string,
): Promise<{ mailboxId: number; email: string }> {
  const domain = `d${randomUUID().slice(0, 8)}.host.test`;
  const email = `ann@${domain}`;
  const { rows } = await sql<{ id: number }>`
    with domain as (
      insert into domains (user_id, name, provider, status)
      values (${userId}, ${domain}, 'namecom', 'active') returning id
    ), cluster as (
      insert into clusters (user_id, domain_id, name, status, use_existing_vps)
      select ${userId}, id, ${domain}, 'active', false from domain returning id
    )
    insert into mailboxes (user_id, cluster_id, email, status)
    select ${userId}, id, ${email}, 'active' from cluster returning id`.execute(db);
  return { mailboxId: rows[0]!.id, email };
}

/** A mailbox with a password, on a server that does not exist. */
export async function openMailbox(
  { db, cipher }: Pick<Context, 'db' | 'cipher'>,
  userId: string,
): Promise<{ mailboxId: number; email: string }> {
  const { mailboxId, email } = await addMailbox(db, userId);
  const password = cipher.seal('pass', passwordBinding(mailboxId));
  await db.updateTable('mailboxes').set({ password }).where('id', '=', mailboxId).execute();
  const none = Buffer.alloc(1);
  await sql`
    with server as (
      insert into servers (user_id, provider, intent_name, host_name, ipv4, status,
        client_private_key, client_public_key, host_private_key, host_public_key)
      values (${userId}, 'hetzner', ${randomUUID()}, ${`mail.${email.split('@')[1]}`}, '192.0.2.1',
        'active', ${none}, '', ${none}, '')
      returning id
    )
    update clusters set server_id = (select id from server)
    where id = (select cluster_id from mailboxes where id = ${mailboxId})`.execute(db);
  return { mailboxId, email };
}

/** The counters of an account, and what they should be. */
export async function readCounts(db: Kysely<Database>, userId: string) {
  const kept = await sql`select messages, unread from inbox_counts
    where user_id = ${userId}`.execute(db);
  const counted = await sql`select count(*)::integer as messages,
      count(*) filter (where not is_read)::integer as unread
    from messages where user_id = ${userId} and in_inbox`.execute(db);
  const threads = await sql<{ differs: number }>`select count(*)::integer as differs
    from threads where user_id = ${userId} and (messages_count, unread_count) <> (
      select count(*), count(*) filter (where not is_read) from messages
      where thread_id = threads.id)`.execute(db);
  return { kept: kept.rows[0], counted: counted.rows[0], wrong: threads.rows[0]!.differs };
}
