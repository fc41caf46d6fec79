/**
 * P12: what one poll for due messages costs in a campaign with a million recipients that are due later
 * / with a thousand. Both have as many mailboxes and the same messages due; half of the others have had
 * their first message and are bound to a mailbox. Each tick is rolled back, in turns.
 */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Client } from 'pg';
import { hasCampaignChanged } from '../src/db/campaigns/campaign-waits.ts';
import type { Claim } from '../src/transactions/claims.ts';
import { claimMessages } from '../src/transactions/claim-messages.ts';
import type { Database } from '../src/db/tables.ts';
import { addCampaign, addMailboxes, addSender } from '../test/support/campaigns/campaign-world.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { machine, median } from './rounds.ts';
import { benchConfig, cipher, withDatabase } from './sending-world.ts';

const GOAL = 1.2;
const {
  rounds: ROUNDS,
  ticks: TICKS,
  recipients: MANY,
  mailboxes: MAILBOXES,
  due: DUE,
  today: TODAY,
} = optionsOf<{
  rounds: number;
  ticks: number;
  recipients: number;
  mailboxes: number;
  due: number;
  today: number;
}>(
  bench('p12', 'A look for messages among many future recipients / among a thousand.')
    .option('--rounds <n>', 'of each, in turns', count, 7)
    .option('--ticks <n>', 'of a round', count, 60)
    .option('--recipients <n>', 'of the large campaign', count, 1_000_000)
    .option('--mailboxes <n>', 'of each campaign, all free', count, 10)
    .option('--due <n>', 'first messages that are claimed, at most one of a mailbox', count, 10)
    .option('--today <n>', 'messages that each mailbox has sent within a day', count, 1),
);
const FEW = 1_000;

const config = benchConfig({
  SEND_DOMAIN_DAILY_LIMIT: 1_000_000,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 2,
});
/** Every mailbox has reached its daily limit. */
const cappedConfig = { ...config, SEND_MAILBOX_DAILY_LIMIT: 1 };

await withDatabase(async (db, ownerUrl) => {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  // The rows are known to be consistent; without checks a million takes seconds.
  await owner.query('set session_replication_role = replica');
  const few = await fill(db, owner, FEW);
  const many = await fill(db, owner, MANY);
  // Autovacuum would do it within a minute.
  await owner.query('vacuum analyze');
  await measure(db, { kind: 'idle', few, many, messages: 0 });
  for (const { campaignId } of [few, many]) {
    await owner.query(
      `update recipients set due_at = now() - interval '1 hour' where campaign_id = $1
        and lead_id in (select lead_id from recipients where campaign_id = $1 and mailbox_id is null
          limit ${DUE})`,
      [campaignId],
    );
  }
  await measure(db, { kind: 'claim', few, many, messages: DUE });
  await measure(db, { kind: 'capped', few, many, messages: 0 });
  await owner.end();
  console.log(`  ${await machine()}`);
});

interface Filled {
  campaignId: number;
}

/** A campaign with `future` recipients who are due within a month, half of them in threads. */
async function fill(db: Kysely<Database>, owner: Client, future: number): Promise<Filled> {
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: MAILBOXES });
  const { campaignId } = await addCampaign(db, userId, { leads: 0, mailboxIds, followups: 1 });
  const step = { campaign_id: campaignId, position: 1, delay_days: 3, subject_template: null };
  await db
    .insertInto('campaign_steps')
    .values({ ...step, body_template: 'Once more, {{firstName}}.' })
    .execute();
  const mark = `${randomUUID().slice(0, 8)}.test`;
  await owner.query(
    `with people as (
      insert into leads (user_id, first_name, last_name, name_key, email, email_key, provenance)
      select $1, 'P' || n, 'Test', 'p' || n || ' test', n || '@' || n || $2, n || '@' || n || $2, '{}'
      from generate_series(1, ${future}) as n
      returning id
    )
    insert into recipients (campaign_id, lead_id, user_id, status, step, mailbox_id, due_at)
    select ${campaignId}, id, $1, case when id % 2 = 0 then 'queued' else 'in_progress' end, id % 2,
      case when id % 2 = 1 then ($3::bigint[])[1 + (id / 2) % ${MAILBOXES}] end,
      now() + interval '1 hour' + random() * interval '30 days'
    from people`,
    [userId, mark, mailboxIds],
  );
  await owner.query(
    `insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
      message_id, subject, state, claimed_by, claimed_at, sent_at)
    select user_id, campaign_id, lead_id, 0, mailbox_id, lead_id || $1, '<' || lead_id || '@' || $1,
      'Hello', 'sent', gen_random_uuid(), now() - interval '2 days' - random() * interval '30 days',
      now() - interval '2 days'
    from recipients where campaign_id = ${campaignId} and step = 1`,
    [mark],
  );
  await owner.query(
    `update sends set claimed_at = now() - random() * interval '23 hours'
    from (select id, row_number() over (partition by mailbox_id) as n from sends
      where campaign_id = $1) as own
    where own.id = sends.id and n <= ${TODAY}`,
    [campaignId],
  );
  return { campaignId };
}

async function measure(
  db: Kysely<Database>,
  { kind, few, many, messages }: { kind: string; few: Filled; many: Filled; messages: number },
): Promise<void> {
  const took = { few: [] as number[], many: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const times = { few: [] as number[], many: [] as number[] };
    for (let n = 0; n < TICKS; n += 1) {
      const settings = kind === 'capped' ? cappedConfig : config;
      times.few.push(await tick(db, few, { settings, messages }));
      times.many.push(await tick(db, many, { settings, messages }));
    }
    if (round < 0) continue;
    took.few.push(median(times.few));
    took.many.push(median(times.many));
  }
  const ratios = took.many.map((ms, round) => ms / took.few[round]!);
  const [a, b] = [median(took.few).toFixed(2), median(took.many).toFixed(2)];
  console.log(`  ${kind}: ${a} ms with ${FEW} recipients, ${b} ms with ${MANY}`);
  const worst = Math.max(...ratios).toFixed(2);
  console.log(`P12 ratio=${median(ratios).toFixed(2)} worst=${worst} goal=<=${GOAL} (${kind})`);
}

/** Milliseconds of one tick: the claim, and the row that is polled between claims. */
async function tick(
  db: Kysely<Database>,
  { campaignId }: Filled,
  { settings, messages: expected }: { settings: typeof config; messages: number },
): Promise<number> {
  const rolledBack = new Error('rolled back');
  let messages = -1;
  let seen: Claim['seen'] | undefined;
  const start = performance.now();
  await db
    .transaction()
    .execute(async (trx) => {
      const request = { campaignId, claimedBy: randomUUID(), now: new Date(), most: 400 };
      const claim = await claimMessages(trx, settings, request);
      messages = claim.messages.length;
      ({ seen } = claim);
      throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
  await hasCampaignChanged(db, campaignId, seen!);
  const took = performance.now() - start;
  if (messages !== expected) throw new Error(`${messages} messages were claimed`);
  return took;
}
