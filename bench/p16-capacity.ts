/**
 * P16: many mailboxes, campaigns and inboxes on two workers, Temporal Server on Postgres. Counted: what Temporal writes
 * while nothing is due, the memory of each worker, how late messages are that are due at a steady rate, and how long
 * what is due waits after a worker was killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../test/e2e/account.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { cpuTimes, toldCpu, type CpuTimes } from './p16-cpu.ts';
import { startMailHosts, type MailHosts } from './p16-hosts.ts';
import { latenessOf, type Lateness } from './p16-lateness.ts';
import { addRows, makeDue, shardJobs, startAll } from './p16-rows.ts';
import { machine, residentMegabytes } from './rounds.ts';
import { withScaledWorld, type ScaledWorld } from './scaled-world.ts';
import { databaseActivity, persistenceRequests, writesBetween } from './temporal-writes.ts';

const GOALS = { writes: 50, megabytes: 1_024, p99: 5, recovery: 60 };
const WORKERS = ['worker-1', 'worker-2'] as const;
const DAY_SECONDS = 86_400;
/** From the change of the rows to the first message that is due. */
const LEAD_MS = 10_000;
/** What is not out by then counts as missing. */
const GIVE_UP_MS = 180_000;
const READY_MS = 20 * 60_000;

const options = optionsOf<{
  mailboxes: number;
  clusters: number;
  campaigns: number;
  rate: number;
  seconds: number;
  idleMinutes: number;
}>(
  bench('p16', 'Ten thousand mailboxes, a thousand campaigns and their inboxes on two workers.')
    .option('--mailboxes <n>', 'each is read and sends', count, 2_000)
    .option('--clusters <n>', 'that have these mailboxes, each with an account', count, 20)
    .option('--campaigns <n>', 'that are active', count, 200)
    .option('--rate <n>', 'messages that are due a second', count, 20)
    .option('--seconds <n>', 'of each of the two phases with messages', count, 45)
    .option('--idle-minutes <n>', 'that are counted while nothing is due', count, 1)
    .addHelpText(
      'after',
      `
The goals are meant for the large size, which takes about an hour:
  npm run bench -- p16 --mailboxes 10000 --clusters 100 --campaigns 1000 --rate 100 --idle-minutes 10
A mailbox sends once in ten minutes, so both phases together need fewer messages than there are mailboxes.`,
    ),
);
const perPhase = options.rate * options.seconds;
if (2 * perPhase > options.mailboxes) {
  console.error(`${2 * perPhase} messages need as many mailboxes: --rate or --seconds is too high`);
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'outreach-hosts-'));
const hosts = await startMailHosts(folder);
await withScaledWorld(
  {
    daySeconds: DAY_SECONDS,
    instead: () => ({
      // As in production: the world's are quick.
      RETRY_PACE: '1',
      HEARTBEAT_TIMEOUT_SECONDS: '10',
      PROVIDER_TIMEOUT_SECONDS: '30',
      INBOX_POLL_SECONDS: '60',
      SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: '2',
      WARMUP_SEED_MAILBOXES: '',
      DNSBL_ZONES: '',
      DNS_SERVERS: hosts.dns,
      OUTBOUND_PROXY: hosts.proxy,
      NODE_EXTRA_CA_CERTS: hosts.caFile,
    }),
    async atEnd() {
      hosts.stop();
      await rm(folder, { recursive: true, force: true });
    },
  },
  (world) => measure(world, hosts),
);

async function measure(world: ScaledWorld, mail: MailHosts): Promise<void> {
  const { context, fleet } = world;
  const { mailboxes, clusters, campaigns } = options;
  await addRows(context, { mailboxes, clusters, campaigns, recipients: 2 * perPhase });
  for (const name of WORKERS) await world.startWorker(name);
  const memory = watchMemory(new Map(WORKERS.map((name) => [name, fleet.pid(name)])));
  const begun = Date.now();
  const jobs = await startAll(context);
  await eventually(
    'the hand-over of all jobs, and a look into each mailbox',
    async () => {
      if ((await shardJobs(context.db)) < jobs) return undefined;
      return (await mail.state()).mailboxes >= mailboxes || undefined;
    },
    READY_MS,
  );
  const { connections } = await mail.state();
  const seconds = Math.round((Date.now() - begun) / 1_000);
  console.log(
    `P16 ${mailboxes} mailboxes, ${campaigns} campaigns, ${clusters} inboxes: ${jobs} workflows handed over and ` +
      `all mailboxes read in ${seconds} s; ${connections} IMAP connections are open`,
  );
  const cpu = () =>
    cpuTimes({
      workers: WORKERS.map((name) => fleet.pid(name)),
      postgres: world.postgresPid,
      temporal: fleet.pid('temporal'),
      hosts: mail.pid,
    });
  await countIdle(world, cpu);
  const steady = await sendPhase(world, mail, { cpu });
  tellSteady(steady);
  const killed = await sendPhase(world, mail, {
    async kill() {
      await fleet.kill(WORKERS[0]);
      return Date.now();
    },
  });
  tellKilled(killed);
  tellMemory(memory.end());
  if (fleet.deaths.length > 0) console.log(`    deaths: ${fleet.deaths.join('; ')}`);
  console.log(`    ${await machine()}`);
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}

async function countIdle(world: ScaledWorld, cpu: () => Promise<CpuTimes>): Promise<void> {
  // What starting has left behind is done by then.
  await sleep(30_000);
  const url = world.ownerUrl();
  const before = await persistenceRequests(world.temporalMetrics);
  const activityBefore = await databaseActivity(url);
  const cpuBefore = await cpu();
  const from = performance.now();
  await sleep(options.idleMinutes * 60_000);
  const seconds = (performance.now() - from) / 1_000;
  const cpuAfter = await cpu();
  const writes = writesBetween(before, await persistenceRequests(world.temporalMetrics));
  const activity = await databaseActivity(url);
  const perSecond = writes.reduce((sum, [, n]) => sum + n, 0) / seconds;
  console.log(
    `P16 writes=${perSecond.toFixed(2)}/s goal=<=${GOALS.writes} ${verdict(perSecond <= GOALS.writes)} ` +
      `(persistence requests of Temporal's that do not only read, nothing due, ${options.idleMinutes} minutes)`,
  );
  console.log(
    `    by operation: ${writes.map(([name, n]) => `${name} ${n}`).join(', ') || 'none'}`,
  );
  const rate = (value: number) => (value / seconds).toFixed(1);
  console.log(
    `    in Postgres: ${rate(activity.commits - activityBefore.commits)} transactions/s of Temporal's ` +
      `databases, reads included; ${rate(activity.rows - activityBefore.rows)} rows changed/s`,
  );
  console.log(`    CPU, ms a second: ${toldCpu(cpuBefore, cpuAfter, seconds)}`);
}

interface Phase {
  lateness: Lateness;
  /** Of the missing ones: those that the killed worker was sending, which nobody sends again. */
  uncertain: readonly string[];
  /** When the worker was killed. */
  killedAt?: number;
  /** Of all processes for each message, from the first one that was due to the last one that was out. */
  cpu?: string;
}

interface PhaseSteps {
  cpu?: () => Promise<CpuTimes>;
  /** Called after a third of the messages. */
  kill?: () => Promise<number>;
}

/** Messages due at the rate. */
async function sendPhase(
  world: ScaledWorld,
  mail: MailHosts,
  { cpu, kill }: PhaseSteps,
): Promise<Phase> {
  const startAt = new Date(Date.now() + LEAD_MS);
  const due = await makeDue(world.context.db, { count: perPhase, rate: options.rate, startAt });
  if (due.size < perPhase) throw new Error(`only ${due.size} recipients are left`);
  await sleep(startAt.getTime() - Date.now());
  const before = await cpu?.();
  await sleep(startAt.getTime() + (options.seconds * 1_000) / 3 - Date.now());
  const killedAt = await kill?.();
  const deadline = Math.max(...due.values()) + GIVE_UP_MS;
  const isOut = async () => {
    const book = await mail.book();
    return [...due.keys()].every((email) => book.has(email));
  };
  while (!(await isOut()) && Date.now() < deadline) await sleep(1_000);
  const after = await cpu?.();
  // A second copy would come with the next session.
  await sleep(20_000);
  const lateness = latenessOf(due, await mail.book());
  const uncertain = await world.context.db
    .selectFrom('sends')
    .select('email_key')
    .where('state', '=', 'uncertain')
    .where('email_key', 'in', ['', ...lateness.missing])
    .execute();
  return {
    lateness,
    uncertain: uncertain.flatMap(({ email_key: email }) => email ?? []),
    ...(killedAt !== undefined && { killedAt }),
    ...(before && after && { cpu: toldCpu(before, after, perPhase) }),
  };
}

function tellSteady({ lateness, cpu }: Phase): void {
  const { p50, p99, max, missing, twice } = lateness;
  const isMet = p99 <= GOALS.p99 && missing.length === 0 && twice.length === 0;
  console.log(
    `P16 lateness p99=${p99.toFixed(2)} s goal=<=${GOALS.p99} ${verdict(isMet)} (${perPhase} messages, ` +
      `${options.rate}/s: p50 ${p50.toFixed(2)} s, longest ${max.toFixed(2)} s, ${missing.length} not sent, ` +
      `${twice.length} twice)`,
  );
  console.log(`    CPU, ms a message: ${cpu}`);
}

function tellKilled({ lateness, uncertain, killedAt = 0 }: Phase): void {
  const { twice, outAt } = lateness;
  const missing = lateness.missing.filter((email) => !uncertain.includes(email));
  // Until nothing is late any more that was due by then.
  const late = lateness.sent.filter(
    ({ dueAt, sentAt }) => sentAt > killedAt && sentAt - dueAt > GOALS.p99 * 1_000,
  );
  const recovered = late.reduce((latest, { sentAt }) => Math.max(latest, sentAt), killedAt);
  const longest = lateness.sent
    .filter(({ sentAt }) => sentAt > killedAt)
    .reduce((worst, { dueAt, sentAt }) => Math.max(worst, sentAt - dueAt), 0);
  const seconds = (recovered - killedAt) / 1_000;
  const isMet = seconds <= GOALS.recovery && missing.length === 0 && twice.length === 0;
  console.log(
    `P16 kill -9: ${late.length} messages were more than ${GOALS.p99} s late, the last of them left ` +
      `${seconds.toFixed(1)} s after the kill goal=<=${GOALS.recovery} ${verdict(isMet)} (longest ` +
      `${(longest / 1_000).toFixed(1)} s late, all out ${((outAt - killedAt) / 1_000).toFixed(1)} s after the kill, ` +
      `${missing.length} not sent, ${twice.length} twice, ${uncertain.length} uncertain: the killed worker was sending them)`,
  );
  if (missing.length > 0) console.log(`    not sent: ${missing.slice(0, 5).join(', ')}`);
  if (twice.length > 0) console.log(`    twice: ${twice.slice(0, 5).join(', ')}`);
}

/** The most of each process, looked at every second. */
function watchMemory(pids: ReadonlyMap<string, number>) {
  const most = new Map<string, number>();
  const look = async () => {
    for (const [name, pid] of pids) {
      const now = await residentMegabytes(pid);
      if (!Number.isNaN(now)) most.set(name, Math.max(most.get(name) ?? 0, now));
    }
  };
  const timer = setInterval(() => void look(), 1_000);
  return {
    end() {
      clearInterval(timer);
      return most;
    },
  };
}

function tellMemory(most: ReadonlyMap<string, number>): void {
  const worst = Math.max(...most.values());
  const each = [...most].map(([name, value]) => `${name} ${value.toFixed(0)} MB`).join(', ');
  console.log(
    `P16 memory=${worst.toFixed(0)} MB goal=<=${GOALS.megabytes} ${verdict(worst <= GOALS.megabytes)} ` +
      `(the most of a worker: ${each})`,
  );
}
