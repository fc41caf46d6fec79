/**
 * `npm run drill -- restore --clusters 60 --seed 1`: while clusters are provisioned, deleted and paid for, Postgres
 * or Temporal's own Postgres or both are put back to an earlier moment, or a standby that lags behind takes over;
 * afterwards no active cluster is lost, nothing was bought twice, no server is left, no cent is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { drillCommand } from '../drill/drills.ts';
import { makeStateDir, removeStateDir } from '../support/drills/world.ts';
import { count } from '../support/tools/whole-number.ts';
import { PUT_BACK, runRestoreDrill, type PutBack } from './drill.ts';
import { startRestorable } from './world.ts';

const options = drillCommand('restore')
  .option('--clusters <n>', 'clusters that are ordered', count, 60)
  .option('--seed <n>', 'of the moment, and of who deletes; it draws what is put back', count, 1)
  .option('--put-back <what>', PUT_BACK.join(', '), one)
  .option('--minutes <n>', 'for the clusters before, and for the recovery', count, 10)
  .addHelpText('after', '\nExample:\n  npm run drill -- restore --clusters 8 --seed 3')
  .parse()
  .opts<{ clusters: number; seed: number; putBack?: PutBack; minutes: number }>();

/** Further ones are counted, not shown. */
const SHOWN = 30;
/** For the start, for putting back, and for the end, on busy cores. */
const SLACK_MS = 420_000;

const begun = Date.now();
const say = (line: string) => {
  const seconds = Math.round((Date.now() - begun) / 1_000);
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`);
};
const stateDir = await makeStateDir();
let stop = async () => undefined as void;
let left: Promise<void> | undefined;

// Without this an interrupted world would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void exit(130));
const limitMs = options.minutes * 60_000;
const limit = sleep(2 * limitMs + SLACK_MS, undefined, { ref: false }).then(() => {
  throw new Error('it is not over in time');
});

try {
  await Promise.race([run(), limit]);
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
await exit(Number(process.exitCode ?? 0));

async function run(): Promise<void> {
  const { clusters, seed } = options;
  const putBack = options.putBack ?? PUT_BACK[(seed - 1) % PUT_BACK.length]!;
  const restorable = await startRestorable({
    stateDir,
    temporal: 'server',
    report: say,
    started: (how) => void (stop = how),
  });
  const drill = { clusters, seed, putBack, limitMs, report: say };
  const { problems, seconds } = await runRestoreDrill(restorable, drill);
  for (const line of problems.slice(0, SHOWN)) say(`- ${line}`);
  const of = (word: string) => problems.filter((line) => line.includes(word)).length;
  say(
    `restore: seed ${seed}, ${putBack}, ${clusters} clusters, ${of('lost')} lost, ` +
      `${of('was bought')} bought twice or not, ${of('orphan')} orphan servers, ` +
      `${of('wallet')} wallets unexplained, ${of('another user')} of another user, ` +
      `${problems.length} problems in all; recovered in ${seconds} s`,
  );
  await restorable.world.leave();
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

function one(text: string): PutBack {
  const found = PUT_BACK.find((what) => what === text);
  if (!found) throw new InvalidArgumentError(PUT_BACK.join(', '));
  return found;
}
