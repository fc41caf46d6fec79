/**
 * P17: how long an account's jobs wait for their first activity while another account has thousands of jobs queued,
 * against the same without them, and whether provisioning waits behind discovery. In the same world, in absolute
 * figures: clusters an hour, and jobs started a second beside DBOS, a library that keeps durable workflows in the same
 * Postgres: https://docs.dbos.dev. It installs from the registry, runs on Node and needs no server of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newDomain } from '../test/e2e/account.ts';
import * as table from '../src/dev/processes/processes.ts';
import { openControlApi, supply } from '../test/chaos/discovery-supply.ts';
import { count, countOrNone } from '../test/support/tools/whole-number.ts';
import { startDbos } from './baselines/dbos.ts';
import { bench, optionsOf } from './command.ts';
import { quantile } from './p16-lateness.ts';
import type { Parts } from './p17-histories.ts';
import { queueDiscoveries, startValidations, unfinished } from './p17-jobs.ts';
import { discoveryWaits, openFunded, provisioningWaits, slowDown } from './p17-world.ts';
import { machine, median } from './rounds.ts';
import { withScaledWorld, type ScaledWorld } from './scaled-world.ts';

const GOAL = 1.2;
const WORKERS = ['worker-1', 'worker-2'] as const;
/** No day passes in a bench. */
const DAY_SECONDS = 86_400;
/** Clusters of one account, which orders them all at once. */
const CLUSTERS_EACH = 5;
/** The waits of vendors pass as much faster: what is left is ours. */
const PACE = 20;
const AT_ONCE = 16;
/** One of so many is among the longest. */
const LONGEST_PART = 10;
const PARTS = ['order', 'taskQueued', 'task', 'activityQueued'] as const;
/** The queued jobs have filled all places of the workers by then. */
const FILL_MS = 10_000;

const options = optionsOf<{
  queued: number;
  samples: number;
  provisionings: number;
  clusters: number;
  leads: number;
  vendorMs: number;
  jobs: number;
  rounds: number;
}>(
  bench('p17', 'Time to the first activity beside thousands of queued jobs / without them.')
    .option('--queued <n>', 'discoveries that one account has queued', count, 2_000)
    .option('--samples <n>', 'discoveries of another account, in quiet and beside them', count, 60)
    .option('--provisionings <n>', 'clusters, likewise', count, 8)
    .option(
      '--clusters <n>',
      'that are ordered at once, for clusters an hour; 0 = none',
      countOrNone,
      20,
    )
    .option('--leads <n>', 'that a queued discovery can find', count, 5)
    .option(
      '--vendor-ms <n>',
      'until what a discovery asks (ad libraries, websites, finders, verifiers) answers; 0 = at once',
      countOrNone,
      1_000,
    )
    .option('--jobs <n>', 'of a round, for jobs started a second', count, 300)
    .option('--rounds <n>', 'of these, in turns with the peer; 0 = none', countOrNone, 3)
    .addHelpText(
      'after',
      '\nThe goal is meant for: npm run bench -- p17 --queued 10000 --samples 200',
    ),
);

await withScaledWorld(
  {
    daySeconds: DAY_SECONDS,
    sandboxPace: PACE,
    instead: () => ({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_HOUR: '1000000' }),
  },
  measure,
);

async function measure(world: ScaledWorld): Promise<void> {
  await world.startSandbox();
  await world.startApi();
  for (const name of WORKERS) await world.startWorker(name);
  await compareStarts(world);
  await countClusters(world);
  await slowDown(world, options.vendorMs);
  const account = await openFunded(world, 'quiet', 2 * options.provisionings + 2);
  const look = async () => {
    const discovery = await discoveryWaits(world, account, options.samples);
    const provisioning = await provisioningWaits(world, account, options.provisionings);
    return { discovery, provisioning };
  };
  // The first of each load code and caches.
  await discoveryWaits(world, account, 3);
  await provisioningWaits(world, account, 1);
  const quiet = await look();
  tell('in quiet, discovery', quiet.discovery.first);
  tell('in quiet, provisioning', quiet.provisioning.first);
  const flooded = await queueFor(world);
  const crowded = await look();
  const left = await unfinished(world, flooded);
  console.log(
    `    beside ${options.queued} queued discoveries, of which ${left} were not done at the end; ` +
      `what they ask answers after ${options.vendorMs} ms`,
  );
  if (left === 0) console.log('    the queue was empty before the end: --queued is too small');
  compare('discovery, POST to first activity', quiet.discovery.first, crowded.discovery.first);
  tellParts('in quiet', quiet.discovery.parts);
  tellParts('beside them', crowded.discovery.parts);
  compare(
    'provisioning, POST to first activity',
    quiet.provisioning.first,
    crowded.provisioning.first,
  );
  compare(
    'provisioning, all its activities in queues',
    quiet.provisioning.queued,
    crowded.provisioning.queued,
  );
  const whole = [quiet, crowded].map(({ provisioning }) => median(provisioning.whole) / 1_000);
  console.log(
    `    a cluster took ${whole[0]!.toFixed(1)} s in quiet and ${whole[1]!.toFixed(1)} s beside them`,
  );
  if (world.fleet.deaths.length > 0) console.log(`    deaths: ${world.fleet.deaths.join('; ')}`);
  console.log(`    ${await machine()}`);
}

/** Fills the queue while no worker runs, then starts them again; answers whose jobs these are. */
async function queueFor(world: ScaledWorld): Promise<string> {
  const { userId } = await openFunded(world, 'crowd', 1);
  const control = openControlApi(table.urls.sandbox(world.settings));
  const { searchTerm } = await supply(control, options.leads, 'p17');
  for (const name of WORKERS) await world.fleet.end(name);
  const flood = { userId, searchTerm, count: options.queued, atOnce: AT_ONCE };
  const perSecond = await queueDiscoveries(world, flood);
  console.log(`    ${perSecond.toFixed(0)} discoveries a second were ordered while no worker ran`);
  await Promise.all(WORKERS.map((name) => world.startWorker(name)));
  await sleep(FILL_MS);
  return userId;
}

function ascending(all: readonly number[]): number[] {
  return all.toSorted((a, b) => a - b);
}

function told(all: readonly number[]): string {
  const at = (share: number) => Math.round(quantile(ascending(all), share));
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

function tell(what: string, all: readonly number[]): void {
  console.log(`    ${what}: ${told(all)}`);
}

/** Of the longest tenth, and of all: milliseconds in the middle, part by part. */
function tellParts(when: string, all: readonly Parts[]): void {
  const sum = (parts: Parts) => Object.values(parts).reduce((a: number, b: number) => a + b, 0);
  const slowest = all
    .toSorted((a, b) => sum(b) - sum(a))
    .slice(0, Math.ceil(all.length / LONGEST_PART));
  const middle = (of: readonly Parts[]) =>
    PARTS.map((part) => `${part} ${Math.round(median(of.map((each) => each[part])))}`).join(', ');
  console.log(
    `    a discovery ${when}: ${middle(all)} ms; the longest tenth: ${middle(slowest)} ms`,
  );
}

function compare(what: string, quiet: readonly number[], crowded: readonly number[]): void {
  const ratio = quantile(ascending(crowded), 0.99) / quantile(ascending(quiet), 0.99);
  console.log(
    `P17 ratio=${ratio.toFixed(2)} goal=<=${GOAL} ${ratio <= GOAL ? 'met' : 'missed'} (${what}: ` +
      `${told(crowded)}; in quiet ${told(quiet)})`,
  );
}

async function countClusters(world: ScaledWorld): Promise<void> {
  if (options.clusters === 0) return;
  const accounts = await Promise.all(
    Array.from({ length: Math.ceil(options.clusters / CLUSTERS_EACH) }, (_, n) =>
      openFunded(world, `buyer-${n}`, CLUSTERS_EACH),
    ),
  );
  const begun = performance.now();
  const settled = await Promise.all(
    Array.from({ length: options.clusters }, async (_, n) => {
      const account = accounts[n % accounts.length]!;
      const { id } = await account.order(newDomain('p17'));
      return (await account.settled(id)).status;
    }),
  );
  const hours = (performance.now() - begun) / 3_600_000;
  const active = settled.filter((status) => status === 'active').length;
  console.log(
    `P17 clusters=${Math.round(active / hours)}/h (${active} of ${options.clusters} ordered at once, vendors ${PACE} times as quick)`,
  );
}

/** Ours and the peer's in turns, the peer in a database of its own on the same Postgres. */
async function compareStarts(world: ScaledWorld): Promise<void> {
  if (options.rounds === 0) return;
  const owner = new pg.Client({ connectionString: world.ownerUrl('postgres') });
  await owner.connect();
  await owner.query('create database peer');
  await owner.end();
  const peer = await startDbos(world.ownerUrl('peer'));
  const { userId } = await openFunded(world, 'starter', 1);
  const { jobs } = options;
  const ways = {
    ours: () => startValidations(world, { userId, count: jobs, atOnce: AT_ONCE }),
    dbos: () => peer.startJobs(jobs, AT_ONCE),
  };
  const perSecond = { ours: [] as number[], dbos: [] as number[] };
  try {
    // The first round warms both up.
    for (let round = -1; round < options.rounds; round += 1) {
      const names = ['ours', 'dbos'] as const;
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const seconds = await ways[name]();
        if (round >= 0) perSecond[name].push(jobs / seconds);
      }
    }
  } finally {
    await peer.stop();
  }
  const [ours, dbos] = [median(perSecond.ours), median(perSecond.dbos)];
  console.log(
    `P17 jobs=${ours.toFixed(1)}/s, DBOS ${dbos.toFixed(1)}/s, ratio=${(ours / dbos).toFixed(2)} (reported: ` +
      `${options.rounds} x ${jobs} jobs, ${AT_ONCE} orders at once, until the last one's first activity begins)`,
  );
}
