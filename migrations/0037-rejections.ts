/**
 * Letters that were refused as spam or by a policy, and what is paused for it: a mailbox, a sending
 * domain, a server, or the letters to a mail provider. And the way back of who was given up: what a lead
 * was before it bounced or unsubscribed, and who asked that they be written to again.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sends
      add column rejected_at timestamptz,
      add column rejection text`.execute(db);
  // A pause is over at `until`; letters from before it began count no more.
  await sql`
    create table sending_pauses (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      scope text not null check (scope in ('mailbox', 'domain', 'server', 'provider')),
      subject text not null,
      letters integer not null,
      rejected integer not null,
      words text not null,
      since timestamptz not null,
      until timestamptz not null
    )`.execute(db);
  await sql`create index sending_pauses_subject
    on sending_pauses (user_id, scope, subject, since desc)`.execute(db);
  await lifting(db);
}

async function lifting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lifted_suppressions (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      suppression_id bigint not null,
      kind text not null,
      value text not null,
      reason text not null,
      note text not null,
      lifted_leads integer not null,
      lifted_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index lifted_suppressions_value
    on lifted_suppressions (user_id, value)`.execute(db);
  // Choice 17: for all states in which a lead is not written to, not for suppressed ones alone.
  await sql`
    create or replace function keep_status_before() returns trigger language plpgsql as $$
    begin
      new.status_before := case when new.status in ('suppressed', 'bounced', 'unsubscribed')
        then old.status end;
      return new;
    end
    $$`.execute(db);
  await sql`drop trigger leads_status_before on leads`.execute(db);
  await sql`
    create trigger leads_status_before before update of status on leads for each row
    when ((old.status in ('suppressed', 'bounced', 'unsubscribed'))
      <> (new.status in ('suppressed', 'bounced', 'unsubscribed')))
    execute function keep_status_before()`.execute(db);
}
