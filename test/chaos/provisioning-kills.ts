/**
 * `npm run drill -- chaos --clusters 200 --kills 100 --seed 7`: clusters are provisioned and destroyed
 * in a world of its own while API, worker, Postgres and Temporal die by kill -9 and vendors fail at
 * random; afterwards nothing was bought twice, no server is left, no cent is lost, nothing is stuck.
 */
import { dirname } from 'node:path';
import { enterWorld } from '../e2e/shared-world.ts';
import { makeStateDir, removeStateDir, startWorld } from '../support/drills/world.ts';
import { describeKills, notShown } from './kill-points.ts';
import { findViolations, summaryOf } from './provisioning-books.ts';
import { runProvisioningDrill } from './provisioning-drill.ts';
import { countOrNone } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';

const options = drillCommand('chaos')
  .option('--clusters <n>', 'clusters that are ordered', countOrNone, 200)
  .option('--kills <n>', 'kill -9 of worker, API, Postgres or Temporal', countOrNone, 100)
  .option('--seed <n>', 'of victims, moments, faults and names', countOrNone, 7)
  .option(
    '--aimed',
    'kill the worker each time, and the next one just before or after it has its shards',
  )
  .addHelpText('after', '\nExample:\n  npm run drill -- chaos --clusters 10 --kills 5 --seed 3')
  .parse()
  .opts<{ clusters: number; kills: number; seed: number; aimed?: true }>();

/** Further ones are counted, not shown. */
const SHOWN = 50;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const stateDir = await makeStateDir();
const running = await startWorld(stateDir);

// Without this an interrupted world would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(130));

try {
  const world = await enterWorld(running, new Set());
  const drill = { ...options, isAimed: options.aimed ?? false, report: say };
  const result = await runProvisioningDrill(world, drill);
  const violations = await findViolations(world, result);
  const all = Object.entries(violations).flatMap(([kind, lines]) =>
    lines.map((line: string) => `${kind}: ${line}`),
  );
  if (drill.isAimed) {
    say(`kills as a shard changed its owner: ${describeKills(result.ownerKills)}`);
    // Nothing is sent here: no message is in flight.
    all.push(...notShown(result.ownerKills, ['before', 'after']));
  }
  for (const line of all.slice(0, SHOWN)) say(`- ${line}`);
  say(`chaos: seed ${options.seed}, ${summaryOf(result, violations)}`);
  await world.leave();
  process.exitCode = all.length === 0 ? 0 : 1;
} finally {
  await running.stop();
  // After a problem the state is kept: rows, records and logs show the cause.
  if (process.exitCode === 0) await removeStateDir(stateDir);
  else say(`The world is kept in ${dirname(stateDir)}; delete it when you have looked.`);
}

async function leave(code: number): Promise<void> {
  await running.stop();
  await removeStateDir(stateDir);
  process.exit(code);
}
