/**
 * `npm run drill -- blocked-clusters --clusters 50`: an expired vendor token blocks so many clusters in a
 * world of its own; one Temporal query finds them, one command resumes them once it is renewed.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../e2e/account.ts';
import {
  expireToken,
  listedBy,
  blockClusters,
  BLOCKED_QUERY,
  renewToken,
  statusesOf,
  STEP,
} from '../e2e/blocked-clusters.ts';
import { enterWorld } from '../e2e/shared-world.ts';
import { makeStateDir, removeStateDir, startWorld } from '../support/drills/world.ts';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';
import { compiledProgram } from '../../src/dev/processes/compiled-sources.ts';

const { clusters } = drillCommand('blocked-clusters')
  .option('--clusters <n>', 'how many', count, 50)
  .addHelpText('after', '\nExample:\n  npm run drill -- blocked-clusters --clusters 5')
  .parse()
  .opts<{ clusters: number }>();

/** Each is a whole provisioning on a machine that may be busy. */
const ACTIVE_WITHIN_MS = 30_000 + clusters * 20_000;

const startedAt = Date.now();
const say = (line: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  process.stdout.write(`${seconds} s: ${line}\n`);
};
const stateDir = await makeStateDir();
const running = await startWorld(stateDir);
// Without this an interrupted world would keep running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(130));

try {
  const world = await enterWorld(running, new Set());
  say('the world is up');
  await expireToken(world);
  const blocked = await blockClusters(world, clusters);
  say(`${blocked.length} clusters wait for a person`);
  const listed = await listedBy(world, BLOCKED_QUERY, clusters);
  say(`${listed.length} found by ${BLOCKED_QUERY}`);
  await renewToken(world);
  const file = join(stateDir, 'world.json');
  const words = ['--step', STEP, '--reason', 'the token is renewed', '--world', file];
  const command = [...compiledProgram('src/cli/outreach.ts'), 'ops', 'retry-all', ...words];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  say(`outreach ops retry-all: ${stdout.trim()}`);
  const isAllActive = async () =>
    (await statusesOf(world, blocked))['active'] === clusters ? true : undefined;
  await eventually('Active clusters', isAllActive, ACTIVE_WITHIN_MS);
  say(`blocked-clusters: ok, all ${clusters} are active`);
  await world.leave();
} finally {
  await running.stop();
  await removeStateDir(stateDir);
}

async function leave(code: number): Promise<void> {
  await running.stop();
  process.exit(code);
}
