/**
 * P9 of what mostly waits: all billable actions of the Temporal server, counted by its own metric `action`
 * (heartbeats, timers, signals, search attributes, Schedules), over some time at the production pace with mailboxes
 * in warm-up, campaigns and inboxes, projected to a day and divided by the messages of a day.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../src/db/database.ts';
import { startWorld } from '../src/dev/world.ts';
import type { WorldFile } from '../src/dev/world-file.ts';
import { openControlApi } from '../test/chaos/discovery-supply.ts';
import { eventually, fundedAccount, newDomain, type Account } from '../test/e2e/account.ts';
import type { SharedWorld } from '../test/e2e/shared-world.ts';
import { makeStateDir, removeStateDir } from '../test/support/drills/world.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { machine } from './rounds.ts';
import { billableActions } from './temporal-writes.ts';

const GOAL = 0.05;
const DAY_MINUTES = 1_440;
/** Messages of warm-up that a mailbox sends a day. */
const VOLUME = 40;
/** Mailboxes of one request. Choice 58. */
const BATCH = 100;
const LEADS = 40;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DOMAIN_AND_SERVER_CENTS = 5_000;

const options = optionsOf<{
  mailboxes: number;
  clusters: number;
  campaigns: number;
  minutes: number;
}>(
  bench('p9-waiting', 'Billable actions per message of warm-ups, campaigns and inboxes.')
    .option('--mailboxes <n>', 'in warm-up, each with an inbox', count, 1_000)
    .option('--clusters <n>', 'that have these mailboxes', count, 5)
    .option('--campaigns <n>', 'that are active', count, 50)
    .option('--minutes <n>', 'that are counted', count, 60),
);

const stateDir = await makeStateDir();
const world = await startWorld({
  stateDir,
  ports: 'auto',
  fresh: true,
  daySeconds: 86_400,
  sandboxPace: 200,
  report: () => undefined,
});
try {
  await measure(await world.ready);
} finally {
  await world.stop();
  await removeStateDir(stateDir);
}

async function measure(file: WorldFile): Promise<void> {
  const db = openDatabase(file.databaseUrl, { poolSize: 2 });
  const control = openControlApi(file.sandbox);
  const shared = { file, db, control, secrets: new Set<string>() } as unknown as SharedWorld;
  const account = await fundedAccount(shared, 'p9', DOMAIN_AND_SERVER_CENTS * options.clusters);
  const sender = { senderName: 'Bench', postalAddress: '1 Test Street, Springfield' };
  await account.api.account.update({ body: sender });
  const mailboxIds = await addMailboxes(account);
  await startWarmups(account, mailboxIds);
  // Days of the volume that is asked for, not of a first one: today is planned anew.
  await sql`update warmups set start_volume = ${VOLUME}, max_volume = ${VOLUME}, weekdays_only = false,
    day = 0, day_started_at = null`.execute(db);
  await sql`delete from warmup_letters where state = 'planned'`.execute(db);
  await sql`update shard_jobs set due_at = now() where resource_type = 'warmup'`.execute(db);
  await startCampaigns(account, mailboxIds);
  await eventually(
    'the hand-over of all jobs',
    async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from shard_jobs where resource_type in ('warmup', 'campaign')`.execute(
        db,
      );
      return rows[0]!.n >= options.mailboxes + options.campaigns || undefined;
    },
    600_000,
  );
  await sleep(60_000);
  const [before, sentBefore] = [await actions(file), await messages()];
  console.log(`${options.mailboxes} mailboxes, ${options.campaigns} campaigns: counting begins`);
  await sleep(options.minutes * 60_000);
  const after = await actions(file);
  const sent = (await messages()) - sentBefore;
  report(before, after, sent);
  console.log(await machine());
  await db.destroy();

  async function messages(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select
      (select count(*) from warmup_letters where state = 'sent')::int
      + (select count(*) from sends where state = 'sent')::int as n`.execute(db);
    return rows[0]!.n;
  }
}

function report(before: Map<string, number>, after: Map<string, number>, sent: number): void {
  const parts = [...after]
    .map(([type, value]) => [type, value - (before.get(type) ?? 0)] as const)
    .filter(([, value]) => value > 0)
    .toSorted(([, a], [, b]) => b - a);
  const total = parts.reduce((sum, [, value]) => sum + value, 0);
  const aDay = (total * DAY_MINUTES) / options.minutes;
  const planned = options.mailboxes * VOLUME;
  console.log(parts.map(([type, value]) => `${type} ${value}`).join(', ') || 'no action at all');
  console.log(`${sent} messages meanwhile; ${total} actions, ${Math.round(aDay)} a day`);
  console.log(
    `P9 ratio=${(aDay / planned).toFixed(4)} goal=<=${GOAL} (actions per message of warm-up)`,
  );
}

function actions({ metrics, temporalNamespace }: WorldFile): Promise<Map<string, number>> {
  return billableActions(metrics.temporal, temporalNamespace);
}

async function addMailboxes(account: Account): Promise<number[]> {
  const ids: number[] = [];
  const each = Math.ceil(options.mailboxes / options.clusters);
  for (let n = 0; n < options.clusters; n += 1) {
    const { id, domain } = await account.order(newDomain('p9'));
    await account.settled(id);
    for (let from = 0; from < each; from += BATCH) {
      const mailboxes = Array.from({ length: Math.min(BATCH, each - from) }, (_, at) => ({
        email: `m${from + at}@${domain}`,
      }));
      const asked = { clusterId: id, body: { mailboxes } };
      const { created } = await account.api.mailboxes.createMany(asked);
      ids.push(...created.map((one) => one.id));
    }
  }
  return ids;
}

/** Mailboxes that are still being made are refused: they are asked for once more. */
async function startWarmups(account: Account, mailboxIds: readonly number[]): Promise<void> {
  for (let from = 0; from < mailboxIds.length; from += BATCH) {
    let left = mailboxIds.slice(from, from + BATCH);
    await eventually(
      'the start of warm-ups',
      async () => {
        const body = { mailboxIds: left, action: 'start' } as const;
        const results = await account.api.warmup.actOnMany({ body });
        left = results.filter(({ ok }) => !ok).map(({ mailboxId }) => mailboxId);
        return left.length === 0 || undefined;
      },
      600_000,
    );
  }
}

async function startCampaigns(account: Account, mailboxIds: readonly number[]): Promise<void> {
  const { campaigns, leadImports, leadLists } = account.api;
  const list = await leadLists.create({ body: { name: 'Bench' } });
  const rows = Array.from(
    { length: LEADS },
    (_, n) => `P${n},Number,Firm ${n},p${n}@firm-${n}.test`,
  );
  const csv = `First name,Last name,Company,Email\n${rows.join('\n')}\n`;
  const { id } = await leadImports.create({ body: { csv, leadListId: list.id } });
  await eventually('the import', async () => {
    const { status } = await leadImports.read({ id });
    return status === 'completed' || undefined;
  });
  const each = Math.max(1, Math.floor(mailboxIds.length / options.campaigns));
  for (let n = 0; n < options.campaigns; n += 1) {
    const draft = {
      name: `Bench ${n}`,
      subjectTemplate: 'Hello {{firstName}}',
      bodyTemplate: 'A message for {{firstName}}.',
      timezone: 'UTC',
      activeDays: [...DAYS],
      startTime: '00:00',
      endTime: '23:59',
      assignedMailboxes: mailboxIds.slice(n * each, (n + 1) * each).map(String),
      leadListIds: [list.id],
    };
    const campaign = await campaigns.create({ body: draft });
    await campaigns.start({ id: campaign.id });
  }
}
