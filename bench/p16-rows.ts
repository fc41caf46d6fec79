/** The rows of P16: accounts with clusters, mailboxes, and active campaigns, whose workflows are then started. */
import { sql, type Kysely } from 'kysely';
import PQueue from 'p-queue';
import { passwordBinding } from '../src/db/mailboxes/mailboxes.ts';
import { insertOperation, type Operation } from '../src/db/operations/operations.ts';
import type { Database } from '../src/db/tables.ts';
import type { Context } from '../src/context.ts';
import { runCampaignFlow } from '../src/domain/campaigns/flows.ts';
import { syncInboxFlow } from '../src/domain/inbox/flows.ts';
import type { Pace } from '../src/domain/operations/operations.ts';
import { HOSTS_DOMAIN } from './p16-hosts.ts';

export interface Sizes {
  mailboxes: number;
  clusters: number;
  campaigns: number;
  /** In all. */
  recipients: number;
}

type Needs = Pick<Context, 'db' | 'cipher' | 'startOperation'>;

/** Rows of one statement that carries values. */
const BATCH = 5_000;
/** Workflows that are started at once. */
const AT_ONCE = 16;
const PACE: Pace = { retryPace: 1, heartbeatSeconds: 10, blockedTimeoutSeconds: 86_400 };
const REQUESTED = { actor: 'user:bench', reason: 'a bench' };

/**
 * An account for each cluster. Its mailboxes and recipients are dealt to its campaigns in turn; recipients are
 * due in a day, until `makeDue`.
 */
export async function addRows(context: Needs, sizes: Sizes): Promise<void> {
  const { db } = context;
  const each = (total: number) => Math.ceil(total / sizes.clusters);
  const [mailboxes, campaigns, recipients] = [
    each(sizes.mailboxes),
    each(sizes.campaigns),
    each(sizes.recipients),
  ];
  await sql`insert into users (user_id, email, sender_name, postal_address)
    select 'bench-' || n, 'bench-' || n || '@example.com', 'Ann Example', '1 Main Street, Springfield'
    from generate_series(1, ${sizes.clusters}::int) n`.execute(db);
  await sql`insert into domains (user_id, name, provider, status)
    select 'bench-' || n, 'c' || n || '.test', 'namecom', 'active'
    from generate_series(1, ${sizes.clusters}::int) n`.execute(db);
  await sql`insert into servers (user_id, provider, intent_name, host_name, ipv4, status,
      client_private_key, client_public_key, host_private_key, host_public_key)
    select user_id, 'hetzner', name, replace(name, '.', '-') || ${`.${HOSTS_DOMAIN}`}, '198.18.0.1',
      'active', '', '', '', '' from domains`.execute(db);
  await sql`insert into clusters (user_id, domain_id, server_id, name, status, use_existing_vps)
    select user_id, domains.id, servers.id, name, 'active', false
    from domains join servers using (user_id)`.execute(db);
  await sql`insert into mailboxes (user_id, cluster_id, email, status)
    select user_id, id, 'm' || n || '@' || name, 'active'
    from clusters, generate_series(1, ${mailboxes}::int) n`.execute(db);
  await addPasswords(context);
  await sql`insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
      max_followups, followup_delay_days, run, started_at)
    select user_id, 'Campaign ' || n, 'active', 'UTC',
      '{mon,tue,wed,thu,fri,sat,sun}', '00:00', '23:59', 0, 3, 1, now()
    from clusters, generate_series(1, ${campaigns}::int) n`.execute(db);
  await sql`insert into campaign_steps (campaign_id, position, delay_days, subject_template, body_template)
    select id, 0, 0, 'Hello {{firstName}}', 'Hi {{firstName|there}}, a word.' from campaigns`.execute(
    db,
  );
  await sql`insert into campaign_mailboxes (campaign_id, mailbox_id)
    select campaign.id, mailbox.id from ${dealt('campaigns', campaigns)} campaign
    join ${dealt('mailboxes', campaigns)} mailbox using (user_id, turn)`.execute(db);
  await sql`insert into leads (user_id, first_name, last_name, name_key, email, email_key, provenance)
    select user_id, 'P' || n, 'Test', 'p' || n || ' test', address, address, '{}'
    from clusters, generate_series(1, ${recipients}::int) n,
      lateral (select 'p' || n || '@client-' || clusters.id || '-' || n || '.test' as address) a`.execute(
    db,
  );
  await sql`insert into recipients (campaign_id, lead_id, user_id, due_at)
    select campaign.id, lead.id, user_id, now() + interval '1 day'
    from ${dealt('campaigns', campaigns)} campaign
    join ${dealt('leads', campaigns)} lead using (user_id, turn)`.execute(db);
}

/** Rows of an account with their turn: the next one has the next turn. */
const dealt = (name: 'campaigns' | 'mailboxes' | 'leads', turns: number) => sql`
  (select id, user_id, (row_number() over (partition by user_id order by id) - 1) % ${turns}::int as turn
   from ${sql.table(name)})`;

async function addPasswords({ db, cipher }: Needs): Promise<void> {
  const rows = await db.selectFrom('mailboxes').select('id').execute();
  for (let from = 0; from < rows.length; from += BATCH) {
    const ids = rows.slice(from, from + BATCH).map(({ id }) => id);
    const sealed = ids.map((id) => cipher.seal('pass', passwordBinding(id)).toString('hex'));
    await sql`update mailboxes set password = decode(given.sealed, 'hex')
      from unnest(${ids}::bigint[], ${sealed}::text[]) as given (id, sealed)
      where mailboxes.id = given.id`.execute(db);
  }
}

/** The product's own way: the row with its intent, then the workflow. Answers how many. */
export async function startAll(context: Needs): Promise<number> {
  const { db } = context;
  const campaigns = await db.selectFrom('campaigns').select(['id', 'user_id']).execute();
  const clusters = await db.selectFrom('clusters').select(['id', 'user_id']).execute();
  const queue = new PQueue({ concurrency: AT_ONCE });
  const begin = (write: () => Promise<Operation>) =>
    queue.add(async () => context.startOperation(await write()));
  await Promise.all([
    ...campaigns.map(({ id, user_id: userId }) =>
      begin(() =>
        db
          .transaction()
          .execute((trx) =>
            insertOperation(
              trx,
              runCampaignFlow,
              { campaignId: id, pace: PACE },
              { userId, run: 1, summary: `Campaign ${id}`, requested: REQUESTED },
            ),
          ),
      ),
    ),
    ...clusters.map(({ id, user_id: userId }) =>
      begin(() =>
        db
          .transaction()
          .execute((trx) =>
            insertOperation(
              trx,
              syncInboxFlow,
              { clusterId: id, pace: PACE },
              { userId, run: 1, summary: `Inbox ${id}`, requested: REQUESTED },
            ),
          ),
      ),
    ),
  ]);
  return campaigns.length + clusters.length;
}

/** Jobs that shards have, those that have something to tell left out. */
export async function shardJobs(db: Kysely<Database>): Promise<number> {
  const { n } = await db
    .selectFrom('shard_jobs')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('report', 'is', null)
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * `count` recipients who wait become due, `rate` a second from `startAt` on, spread over all campaigns. Answers
 * when each is due, by address.
 */
export async function makeDue(
  db: Kysely<Database>,
  { count, rate, startAt }: { count: number; rate: number; startAt: Date },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ email: string; due_at: Date }>`
    with chosen as (
      select campaign_id, lead_id, row_number() over (order by turn, campaign_id) - 1 as n from (
        select campaign_id, lead_id, row_number() over (partition by campaign_id order by lead_id) as turn
        from recipients where status = 'queued' and due_at > now() + interval '1 hour') waiting
      order by turn, campaign_id limit ${count}
    )
    update recipients set due_at = ${startAt}::timestamptz + n * interval '1 second' / ${rate}::float8
    from chosen, leads
    where recipients.campaign_id = chosen.campaign_id and recipients.lead_id = chosen.lead_id
      and leads.id = chosen.lead_id
    returning leads.email, recipients.due_at`.execute(db);
  return new Map(rows.map(({ email, due_at }) => [email, due_at.getTime()]));
}
