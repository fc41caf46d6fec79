/**
 * P15: from the start of the process to the first 200 of GET /health, and memory then, of the API
 * / of a bare Express app that imports the same libraries. Built (`node dist/...`) and by tsx.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { devEnvironment } from '../src/dev/environment.ts';
import { freePort } from '../src/dev/ports.ts';
import { loadSecrets } from '../src/dev/secrets.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { packagesOf } from './import-graph.ts';
import { withPostgres } from './postgres.ts';
import { machine, median, residentMegabytes } from './rounds.ts';
import { startTemporalServer } from './temporal.ts';

const GOAL = 1.3;
const { rounds: ROUNDS } = optionsOf<{ rounds: number }>(
  bench('p15', 'Start-up and memory of the API / of a bare app with the same libraries.').option(
    '--rounds <n>',
    'starts of each, in turns',
    count,
    9,
  ),
);

/** The delay before memory is read, the same for all. */
const SETTLE_MS = 500;
const START_LIMIT_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const BARE = 'bench/baselines/bare-app.mjs';
const ways = {
  built: { ours: ['dist/src/api.js'], bare: [BARE] },
  tsx: { ours: ['--import', 'tsx', 'src/api.ts'], bare: ['--import', 'tsx', BARE] },
};

interface Start {
  ms: number;
  megabytes: number;
}

await promisify(execFile)('npm', ['run', 'build'], { cwd: root });
await assertSameImports();
await withPostgres(async ({ appUrl, folder }) => {
  const temporal = await startTemporalServer();
  try {
    const secrets = await loadSecrets(folder);
    const settings = {
      ...devEnvironment().inherited,
      OUTREACH_ENV: 'development',
      API_HOST: '127.0.0.1',
      API_METRICS_PORT: '0',
      DATABASE_URL: appUrl,
      TEMPORAL_ADDRESS: temporal.address,
      JWT_SECRET: secrets.jwtSecret,
      ENCRYPTION_KEYS: secrets.encryptionKeys,
    };
    for (const [way, commands] of Object.entries(ways)) {
      // The first start of each fills the caches of the disk and of tsx.
      for (const args of Object.values(commands)) await startOnce(args, settings);
      const rounds: { ours: Start; bare: Start }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = await startOnce(commands.ours, settings);
        rounds.push({ ours, bare: await startOnce(commands.bare, settings) });
      }
      report(way, rounds);
    }
    console.log(await machine());
  } finally {
    temporal.child.kill();
  }
});

/** A baseline with other libraries would not be comparable. */
async function assertSameImports(): Promise<void> {
  const ours = await packagesOf(new URL('../dist/src/api.js', import.meta.url));
  const bare = await packagesOf(new URL('baselines/bare-app.mjs', import.meta.url));
  const differing = [...ours, ...bare].filter(
    (name) => !ours.includes(name) || !bare.includes(name),
  );
  if (differing.length > 0) throw new Error(`Not in both programs: ${differing.join(', ')}`);
}

async function startOnce(args: string[], settings: Record<string, string>): Promise<Start> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [...args, ...(args.includes(BARE) ? [String(port)] : [])], {
    cwd: root,
    env: { ...settings, API_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended`);
      if (performance.now() - started > START_LIMIT_MS) throw new Error('no answer in time');
      await sleep(2);
    }
    const ms = performance.now() - started;
    await sleep(SETTLE_MS);
    return { ms, megabytes: await residentMegabytes(child.pid!) };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

/** Plain http: cheaper than fetch beside a process that is starting on the same cores. */
function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const healthRequest = request({ port, host: '127.0.0.1', path: '/health' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    healthRequest.once('error', () => resolve(false));
    healthRequest.end();
  });
}

function report(way: string, rounds: { ours: Start; bare: Start }[]): void {
  for (const name of ['ours', 'bare'] as const) {
    const ms = median(rounds.map((round) => round[name].ms));
    const megabytes = median(rounds.map((round) => round[name].megabytes));
    console.log(`${way}, ${name}: ready after ${ms.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`);
  }
  const times = rounds.map(({ ours, bare }) => ours.ms / bare.ms);
  const memory = rounds.map(({ ours, bare }) => ours.megabytes / bare.megabytes);
  console.log(
    `P15${way === 'built' ? '' : ` (${way})`} ratio=${median(times).toFixed(2)} ` +
      `rss_ratio=${median(memory).toFixed(2)} goal=<=${GOAL} ` +
      `worst=${Math.max(...times).toFixed(2)} (${ROUNDS} rounds)`,
  );
}
