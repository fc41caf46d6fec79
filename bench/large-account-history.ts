/** What an account of any size has done: events, audited changes, liftings, a validation, answers to its campaign. */

type Run = (text: string) => Promise<unknown>;

/** Rows of each kind for so many leads; the accounts and their campaigns are there. Triggers are at work. */
export async function addHistory(
  run: Run,
  { userId, leads }: { userId: string; leads: number },
): Promise<void> {
  const rows = Math.ceil(leads / 10);
  await run(`insert into events (user_id, type, resource, payload, created_at)
    select '${userId}', (array['email.sent', 'email.opened', 'email.replied'])[n % 3 + 1], 'send', '{}',
      now() - (${rows} - n) * interval '1 second'
    from generate_series(1, ${rows}) as n`);
  await run(`insert into audit_log (user_id, at, actor_kind, actor_id, action, resource_type, resource_id)
    select '${userId}', now() - (${rows} - n) * interval '1 second', 'api_key', '1',
      (array['leads.create', 'leads.update', 'campaigns.pause'])[n % 3 + 1], 'lead', n::text
    from generate_series(1, ${rows}) as n`);
  await run(`insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    select '${userId}', n, 'email', 'lifted' || n || '@firm' || n % 1000 || '.test', 'unsubscribe', 'Asked', 1
    from generate_series(1, ${rows}) as n`);
  await run(`with job as (
      insert into email_validation_jobs (user_id, kind, status, total, completed_at)
      values ('${userId}', 'bulk', 'completed', ${rows}, now()) returning id)
    insert into email_validation_items (job_id, email, email_key, status, score, is_valid, checked_at)
    select job.id, 'x' || n || '@firm.test', 'x' || n || '@firm.test',
      (array['valid', 'risky', 'invalid'])[n % 3 + 1], n % 101, n % 3 = 0, now()
    from job, generate_series(1, ${rows}) as n`);
  await run(`insert into campaign_steps (campaign_id, position, subject_template, body_template)
    select id, 0, 'Hello', 'Hello {{firstName}}' from campaigns where user_id = '${userId}'`);
  // Answers: some of the newest replies, each of a lead that the campaign has written to.
  await run(`with written as (
      select lead_id, campaign_id, row_number() over (order by lead_id) as at from sends
      where user_id = '${userId}' order by lead_id limit ${ANSWERS}
    ), reply as (
      select id, row_number() over (order by received_at desc) as at from messages
      where user_id = '${userId}' and kind = 'reply' order by received_at desc limit ${ANSWERS})
    update messages set lead_id = written.lead_id, campaign_id = written.campaign_id,
      interest = case when reply.at % 3 = 0 then 'interested' end
    from written join reply using (at) where messages.id = reply.id`);
}

const ANSWERS = 5_000;
