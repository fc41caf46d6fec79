/**
 * `npm run drill -- cluster --clusters 100 --recipients 4000 --seed 7`: production's scaling, without
 * Docker. Temporal Server on Postgres, two APIs and three workers; each of the five is restarted and
 * the workers are replaced by a next version (with `--ramp`: stand beside it, each ending what it has begun) while clusters are provisioned and campaigns run;
 * afterwards no request has failed, nothing was done twice, no cent is lost, nothing is stuck. Without `--ramp` the first
 * processes have `SHARDED_SESSIONS=false`, and owners of a shard are killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { FORMER } from './former-sessions.ts';
import { makeCurrent } from './ramp.ts';
import { rehearse, type Rehearsal } from './rehearsal.ts';
import { makeSecondVersion, type SecondVersion } from './second-version.ts';
import { startCluster } from './world.ts';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const { minutes, daySeconds, ramp, ...size } = drillCommand('cluster')
  .option('--clusters <n>', 'clusters that are ordered', count, 100)
  .option('--recipients <n>', 'leads of all campaigns', count, 4_000)
  .option('--mailboxes <n>', 'mailboxes of each that send', count, 10)
  .option('--seed <n>', 'of names and of the order of restarts', count, 7)
  .option('--day-seconds <n>', 'how long a day of sending lasts', count, 20)
  .option('--ramp', 'the next version runs beside the first: a ramp, a rollback, and the whole way')
  .option('--minutes <n>', 'after which it is given up', count, 90)
  .addHelpText(
    'after',
    '\nExample:\n  npm run drill -- cluster --clusters 10 --recipients 500 --seed 3',
  )
  .parse()
  .opts<
    Omit<Rehearsal, 'nextVersion' | 'report'> & {
      minutes: number;
      daySeconds: number;
      ramp?: boolean;
    }
  >();

/** Further ones are counted, not shown. */
const SHOWN = 50;

const begun = Date.now();
const say = (line: string) => {
  const seconds = Math.round((Date.now() - begun) / 1_000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`);
};
const stateDir = await makeStateDir();
let nextVersion: SecondVersion | undefined;
let stop = async () => undefined as void;
let left: Promise<void> | undefined;

// Without this an interrupted cluster would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void exit(130));
const limit = sleep(minutes * 60_000, undefined, { ref: false }).then(() => {
  throw new Error(`it is not over after ${minutes} minutes`);
});

try {
  await Promise.race([run(), limit]);
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// What a drill still waits for after a failure must not keep the process alive.
await exit(Number(process.exitCode ?? 0));

async function run(): Promise<void> {
  const builds = ramp ? { first: 'first', next: 'next' } : undefined;
  nextVersion = await makeSecondVersion({ isPatched: !ramp });
  const started = (how: () => Promise<void>) => (stop = how);
  const former = builds ? {} : FORMER;
  const all = { stateDir, daySeconds, builds, former, report: say, started };
  const cluster = await startCluster(all);
  if (builds) await makeCurrent(cluster, builds.first);
  const order = { ...size, nextVersion: nextVersion.folder, report: say };
  const { problems, summary } = await rehearse(cluster, order);
  for (const line of problems.slice(0, SHOWN)) say(`- ${line}`);
  say(`cluster: seed ${size.seed}, ${summary}`);
  await cluster.world.leave();
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function exit(code: number): Promise<void> {
  left ??= leave();
  await left;
  process.exit(code);
}

async function leave(): Promise<void> {
  await stop();
  await removeStateDir(stateDir);
  await nextVersion?.remove();
}
