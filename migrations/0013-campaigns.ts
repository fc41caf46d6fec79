/** Campaigns, who is enrolled in them, and every letter that was or may have been sent. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaigns (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      name text not null,
      status text not null default 'draft' check (status in
        ('draft', 'active', 'paused', 'completed', 'cancelled')),
      pause_reason text check (pause_reason in ('user', 'bounce_rate', 'complaint_rate',
        'no_mailbox', 'dns_failing', 'insufficient_data')),
      archived boolean not null default false,
      timezone text not null,
      active_days text[] not null,
      start_time text not null,
      end_time text not null,
      max_followups integer not null,
      followup_delay_days integer not null,
      track_opens boolean not null default false,
      track_clicks boolean not null default false,
      run integer not null default 0,
      warning text,
      accepted_bounces integer not null default 0,
      accepted_complaints integer not null default 0,
      started_at timestamptz,
      paused_at timestamptz,
      completed_at timestamptz,
      deleted_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index campaigns_user on campaigns (user_id, id desc)
    where deleted_at is null`.execute(db);
  // Position 0 is the first letter. A follow-up without a subject answers in the thread.
  await sql`
    create table campaign_steps (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      position integer not null,
      delay_days integer not null,
      subject_template text,
      body_template text not null,
      variants jsonb not null default '[]',
      primary key (campaign_id, position)
    )`.execute(db);
  // served_at and wants_until take turns between campaigns that share a mailbox.
  await sql`
    create table campaign_mailboxes (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      mailbox_id bigint not null references mailboxes (id),
      out_reason text,
      out_at timestamptz,
      served_at timestamptz,
      wants_until timestamptz,
      primary key (campaign_id, mailbox_id)
    )`.execute(db);
  await sql`create index campaign_mailboxes_mailbox on campaign_mailboxes (mailbox_id)`.execute(db);
  await sql`
    create table campaign_lists (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      lead_list_id bigint not null references lead_lists (id) on delete cascade,
      primary key (campaign_id, lead_list_id)
    )`.execute(db);
  // due_at is null when nothing more is to be sent; the mailbox is chosen with the first letter and
  // stays. The address is read from the lead when a letter is claimed, so it stands in one place.
  await sql`
    create table recipients (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      lead_id bigint not null references leads (id) on delete cascade,
      user_id text not null,
      status text not null default 'queued' check (status in ('queued', 'in_progress', 'completed',
        'replied', 'bounced', 'unsubscribed', 'skipped', 'paused', 'failed')),
      step integer not null default 0,
      due_at timestamptz,
      mailbox_id bigint references mailboxes (id),
      hold_reason text,
      added_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (campaign_id, lead_id)
    )`.execute(db);
  await sql`create index recipients_due on recipients (campaign_id, mailbox_id, due_at, lead_id)
    where due_at is not null`.execute(db);
  await sql`create index recipients_status on recipients (campaign_id, status, lead_id)`.execute(
    db,
  );
  await sql`create index recipients_lead on recipients (lead_id)`.execute(db);
  await countRecipients(db);
  // The intent to send, written before the SMTP talk: one letter per recipient and step, for ever.
  // claimed: nothing was said yet, may be taken back. sending: its text may be on the wire.
  // email_key: whom it went to, since the lead may have another address by the time of a bounce, or be
  // gone by the time of an unsubscription. Erasing the person clears it.
  await sql`
    create table sends (
      id bigint generated always as identity primary key,
      user_id text not null,
      campaign_id bigint not null references campaigns (id) on delete cascade,
      lead_id bigint not null,
      step integer not null,
      variant integer not null default 0,
      mailbox_id bigint not null references mailboxes (id),
      recipient_domain text not null,
      email_key text,
      message_id text not null unique,
      subject text not null default '',
      state text not null check (state in
        ('claimed', 'sending', 'sent', 'deferred', 'refused', 'uncertain')),
      attempts integer not null default 0,
      claimed_by uuid not null,
      claimed_at timestamptz not null,
      sent_at timestamptz,
      smtp_reply text,
      opened_at timestamptz,
      clicked_at timestamptz,
      replied_at timestamptz,
      auto_replied_at timestamptz,
      bounced_at timestamptz,
      soft_bounced_at timestamptz,
      complained_at timestamptz,
      unsubscribed_at timestamptz,
      unique (campaign_id, lead_id, step)
    )`.execute(db);
  await sql`create index sends_mailbox on sends (mailbox_id, claimed_at desc)`.execute(db);
  await sql`create index sends_recipient_domain on sends (campaign_id, recipient_domain,
    claimed_at desc)`.execute(db);
  await sql`create index sends_open on sends (campaign_id) where state in ('claimed', 'sending')`.execute(
    db,
  );
  // Looked at every few seconds while a mailbox fails.
  await sql`create index sends_deferred on sends (campaign_id, mailbox_id)
    where state = 'deferred' and step = 0`.execute(db);
  await sql`create index sends_lead on sends (lead_id)`.execute(db);
  // What happened on a day (UTC), so that totals cost the same at any size.
  await sql`
    create table campaign_counters (
      campaign_id bigint not null references campaigns (id) on delete cascade,
      day date not null,
      step integer not null,
      variant integer not null,
      sent integer not null default 0,
      failed integer not null default 0,
      uncertain integer not null default 0,
      opened integer not null default 0,
      clicked integer not null default 0,
      replied integer not null default 0,
      auto_replied integer not null default 0,
      bounced integer not null default 0,
      unsubscribed integer not null default 0,
      complained integer not null default 0,
      primary key (campaign_id, day, step, variant)
    )`.execute(db);
  // Limits of a mailbox (null: the configured default), its next free moment, and why it is out.
  await sql`
    alter table mailboxes
      add column daily_limit integer,
      add column hourly_limit integer,
      add column min_gap_seconds integer,
      add column next_send_at timestamptz,
      add column failing_reason text,
      add column failing_since timestamptz`.execute(db);
}

/**
 * How many recipients a campaign has, whoever adds them or deletes their leads. Not a column of the
 * campaign: sending locks that before leads, and deleting leads would lock it after them.
 */
async function countRecipients(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaign_sizes (
      campaign_id bigint primary key references campaigns (id) on delete cascade,
      leads integer not null
    )`.execute(db);
  await sql`
    create function count_recipients() returns trigger language plpgsql as $$
    declare v_sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      insert into campaign_sizes as known (campaign_id, leads)
      select campaign_id, v_sign * count(*) from changed
      where exists (select from campaigns where campaigns.id = changed.campaign_id)
      group by campaign_id order by campaign_id
      on conflict (campaign_id) do update set leads = known.leads + excluded.leads;
      return null;
    end $$`.execute(db);
  await sql`create trigger recipients_added after insert on recipients
    referencing new table as changed
    for each statement execute function count_recipients()`.execute(db);
  await sql`create trigger recipients_gone after delete on recipients
    referencing old table as changed
    for each statement execute function count_recipients()`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
