/** Letters of all mailboxes, their threads and attachments, and how far each folder was read. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A UID means something only under its UIDVALIDITY (RFC 9051, 2.3.1.1).
  await sql`
    create table mailbox_folders (
      mailbox_id bigint not null references mailboxes (id),
      path text not null,
      role text not null check (role in ('inbox', 'sent', 'junk', 'other')),
      uid_validity bigint not null,
      last_uid bigint not null default 0,
      highest_modseq bigint,
      synced_at timestamptz,
      primary key (mailbox_id, path)
    )`.execute(db);
  await sql`
    create table mailbox_syncs (
      mailbox_id bigint primary key references mailboxes (id),
      synced_at timestamptz,
      error text,
      failing_since timestamptz,
      sync_asked_at timestamptz
    )`.execute(db);
  await sql`
    create table threads (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      mailbox_id bigint not null references mailboxes (id),
      campaign_id bigint references campaigns (id) on delete set null,
      lead_id bigint references leads (id) on delete set null,
      subject text not null,
      messages_count integer not null default 0,
      unread_count integer not null default 0,
      last_message_at timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index threads_user on threads (user_id, last_message_at desc, id desc)`.execute(
    db,
  );
  await sql`create index threads_lead on threads (lead_id)`.execute(db);
  await sql`create index threads_campaign on threads (campaign_id)`.execute(db);
  await sql`
    create table messages (
      id bigint generated always as identity primary key,
      user_id text not null,
      mailbox_id bigint not null references mailboxes (id),
      thread_id bigint not null references threads (id),
      direction text not null check (direction in ('inbound', 'outbound')),
      kind text not null default 'message' check (kind in
        ('message', 'reply', 'auto_reply', 'bounce', 'complaint', 'unsubscribe_request')),
      message_id text not null,
      in_reply_to text,
      reference_ids text[] not null default '{}',
      from_address text not null,
      from_name text,
      to_addresses text[] not null default '{}',
      cc_addresses text[] not null default '{}',
      reply_to text,
      subject text not null default '',
      snippet text not null default '',
      body_text text not null default '',
      body_html text,
      sent_at timestamptz not null,
      received_at timestamptz not null default now(),
      is_read boolean not null default false,
      seen_unpushed boolean not null default false,
      has_attachments boolean not null default false,
      labels text[] not null default '{}',
      archived boolean not null default false,
      snoozed_until timestamptz,
      in_inbox boolean not null default true,
      campaign_id bigint references campaigns (id) on delete set null,
      lead_id bigint references leads (id) on delete set null,
      send_id bigint references sends (id) on delete set null,
      size_bytes bigint not null default 0,
      facts jsonb not null default '{}',
      search tsvector generated always as (
        setweight(to_tsvector('simple', left(subject, 1000)), 'A') ||
        to_tsvector('simple', coalesce(from_name, '') || ' ' || from_address || ' ' ||
          replace(from_address, '@', ' ') || ' ' || coalesce(to_addresses[1], '') || ' ' ||
          left(body_text, 20000))) stored,
      created_at timestamptz not null default now(),
      unique (mailbox_id, message_id)
    )`.execute(db);
  await sql`create index messages_inbox on messages (user_id, sent_at desc, id desc)
    where in_inbox`.execute(db);
  await sql`create index messages_user on messages (user_id, sent_at desc, id desc)`.execute(db);
  await sql`create index messages_mailbox on messages (mailbox_id, sent_at desc, id desc)`.execute(
    db,
  );
  await sql`create index messages_thread on messages (thread_id, sent_at, id)`.execute(db);
  // What was sent is often read after its answer.
  await sql`create index messages_answers on messages (mailbox_id, in_reply_to)
    where in_reply_to is not null`.execute(db);
  await sql`create index messages_campaign on messages (campaign_id, sent_at desc)
    where campaign_id is not null`.execute(db);
  await sql`create index messages_lead on messages (lead_id) where lead_id is not null`.execute(db);
  await sql`create index messages_send on messages (send_id) where send_id is not null`.execute(db);
  await sql`create index messages_snoozed on messages (snoozed_until)
    where snoozed_until is not null`.execute(db);
  await sql`create index messages_unread on messages (user_id, sent_at desc, id desc)
    where in_inbox and not is_read`.execute(db);
  await sql`create index messages_archived on messages (user_id, sent_at desc, id desc)
    where archived`.execute(db);
  await sql`create index messages_inbound on messages (user_id, sent_at desc, id desc)
    where direction = 'inbound'`.execute(db);
  await sql`create index messages_kind on messages (user_id, kind, sent_at desc, id desc)
    where kind <> 'message'`.execute(db);
  await sql`create index messages_labels on messages using gin (labels)
    where labels <> '{}'`.execute(db);
  await sql`create index messages_unpushed on messages (mailbox_id)
    where seen_unpushed`.execute(db);
  await sql`create index messages_search on messages using gin (search)`.execute(db);
  // Where a letter lies at its host; a letter without a place was expunged there and stays here.
  await sql`
    create table message_places (
      mailbox_id bigint not null references mailboxes (id),
      path text not null,
      uid bigint not null,
      message_id bigint not null references messages (id) on delete cascade,
      primary key (mailbox_id, path, uid)
    )`.execute(db);
  await sql`create index message_places_message on message_places (message_id)`.execute(db);
  // The content stays at the host and is streamed from there.
  await sql`
    create table attachments (
      id bigint generated always as identity primary key,
      message_id bigint not null references messages (id) on delete cascade,
      part text not null,
      filename text not null,
      content_type text not null,
      size_bytes bigint not null,
      content_id text,
      is_inline boolean not null default false
    )`.execute(db);
  await sql`create index attachments_message on attachments (message_id)`.execute(db);
  // Counted as letters come and change: a page must not count a million rows.
  await sql`
    create table inbox_counts (
      user_id text primary key references users (user_id),
      messages integer not null default 0,
      unread integer not null default 0
    )`.execute(db);
  // Letters that people write. The intent stands here before the SMTP talk; the letter itself is a
  // message from the start, so that it can be seen whatever becomes of it.
  await sql`
    create table outgoing_letters (
      id bigint generated always as identity primary key,
      message_id bigint not null unique references messages (id) on delete cascade,
      user_id text not null references users (user_id),
      mailbox_id bigint not null references mailboxes (id),
      forwarded_id bigint references messages (id) on delete set null,
      state text not null default 'queued' check (state in
        ('queued', 'sending', 'sent', 'failed', 'uncertain')),
      body_html text,
      attachments jsonb,
      claimed_by uuid,
      smtp_reply text,
      failure text,
      sent_at timestamptz,
      filed_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index outgoing_letters_forwarded on outgoing_letters (forwarded_id)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
