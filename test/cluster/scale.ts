/**
 * `npm run drill -- scale --campaigns 8 --recipients 4000 --seed 1`: Temporal Server on Postgres, two APIs, and one worker,
 * to which three are added when a third of the messages of all campaigns is out, and of which three are ended by SIGTERM
 * (the first one among them) when two thirds are. Afterwards each recipient has got exactly one message.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { drillCommand } from '../drill/drills.ts';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { count } from '../support/tools/whole-number.ts';
import { scale, type Scaling } from './scaling.ts';
import { MORE_WORKERS, startCluster } from './world.ts';

const { minutes, daySeconds, ...size } = drillCommand('scale')
  .option('--campaigns <n>', 'campaigns that send at the same time', count, 8)
  .option('--recipients <n>', 'leads of all campaigns together', count, 4_000)
  .option('--mailboxes <n>', 'mailboxes of each campaign', count, 3)
  .option('--seed <n>', 'of names', count, 1)
  .option('--day-seconds <n>', 'how long a day of sending lasts', count, 20)
  .option('--minutes <n>', 'after which it is given up', count, 60)
  .addHelpText('after', '\nExample:\n  npm run drill -- scale --campaigns 4 --recipients 1000')
  .parse()
  .opts<Omit<Scaling, 'report'> & { minutes: number; daySeconds: number }>();

/** Further ones are counted, not shown. */
const SHOWN = 50;

const begun = Date.now();
const say = (line: string) => {
  const seconds = Math.round((Date.now() - begun) / 1_000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`);
};
const stateDir = await makeStateDir();
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
  const cluster = await startCluster({
    stateDir,
    daySeconds,
    builds: undefined,
    workers: MORE_WORKERS.slice(0, 1),
    report: say,
    started: (how) => (stop = how),
  });
  const { problems, summary } = await scale(cluster, { ...size, report: say });
  for (const line of problems.slice(0, SHOWN)) say(`- ${line}`);
  say(`scale: seed ${size.seed}, ${summary}`);
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
}
