/**
 * `npm run test:compose`: builds and runs docker-compose.yml in an engine of its own, within namespaces of its own,
 * which take everything with them when they end. `--slice` is what `.ci/run` has time for.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { gatherIngredients } from './base-images.ts';
import { cached } from './cache.ts';
import { goTools } from './go-tools.ts';
import { CGROUP } from './engine.ts';
import { serveOutlet } from './outlet.ts';
import { installComposeTools, SKIPPED, whyNoCompose } from './requirements.ts';

const inside = fileURLToPath(new URL('inside.ts', import.meta.url));
const { slice, prepare, built } = new Command('npm run test:compose --')
  .description('Runs docker-compose.yml with images of its own making, and reports what it saw.')
  .option('--slice', 'build, up, one cluster, down', false)
  .option('--prepare', 'only makes what the cache keeps', false)
  .option('--built', 'takes the image that an earlier run built', false)
  .parse()
  .opts<{ slice: boolean; prepare: boolean; built: boolean }>();

const report = (line: string) => console.log(line);

const reason = whyNoCompose() ?? whyNoTools();
if (reason !== undefined) {
  report(`Compose is not tested here: ${reason}`);
  process.exit(SKIPPED);
}
const ingredients = await gatherIngredients(await goTools(report), report);
if (!prepare) process.exitCode = await runInside();

function whyNoTools(): string | undefined {
  try {
    installComposeTools(report);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function runInside(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'outreach-compose-'));
  const outlet = await serveOutlet(join(folder, 'outlet'));
  const order = JSON.stringify({ folder, ingredients, slice, built });
  const program = [process.execPath, '--import', 'tsx', inside, order];
  const spaces = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  // One engine at a time owns the cached images. The first process reaps what is orphaned. Without a fork it is the
  // namespaces' own process that a signal ends, and with it all that is in them.
  const child = spawn(
    'flock',
    [
      '--no-fork',
      cached('compose-engine.lock'),
      'unshare',
      ...spaces,
      'docker-init',
      '--',
      ...program,
    ],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill());
  try {
    return await codeOf(child);
  } finally {
    outlet.close();
    await removeGroups();
    await rm(folder, { recursive: true, force: true });
  }
}

function codeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** The control groups of containers whose engine was killed outlive it. */
async function removeGroups(): Promise<void> {
  const tops = await readdir('/sys/fs/cgroup');
  for (const top of ['.', ...tops]) {
    const group = join('/sys/fs/cgroup', top, CGROUP);
    if (!existsSync(group)) continue;
    for (const name of await readdir(group)) await rmdir(join(group, name)).catch(() => undefined);
    await rmdir(group).catch(() => undefined);
  }
}
