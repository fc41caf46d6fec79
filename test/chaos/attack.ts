/**
 * `npm run drill -- attack --rounds 5`: honest clients use an API of its own while slow, silent, giant
 * and compressed requests attack it, and in between without attack; their p99 under attack is at most
 * twice that without, and every request is answered. All of it stays on 127.0.0.1, and ends by itself.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { migrate } from '../../src/db/migrate.ts';
import {
  createDatabase,
  removeCluster,
  startEmbeddedPostgres,
} from '../../src/dev/postgres/embedded-postgres.ts';
import { freePort } from '../../src/dev/ports.ts';
import { NODE_FLAGS } from '../../src/dev/processes/processes.ts';
import { mintJwt } from '../../src/dev/tokens.ts';
import type { AttackOrder, AttackReport } from './attackers.ts';
import { honestLoad, type HonestResult } from './honest-clients.ts';
import { ATTACKS, type AttackName } from '../support/api/attacks.ts';
import { count } from '../support/tools/whole-number.ts';
import { drillCommand } from '../drill/drills.ts';
import { compiledProgram, compileSources } from '../../src/dev/processes/compiled-sources.ts';

interface Options {
  rounds: number;
  seconds: number;
  rate: number;
  attackers: number;
  kinds?: readonly AttackName[];
}

const KINDS = Object.keys(ATTACKS) as AttackName[];

const options = drillCommand('attack')
  .option('--rounds <n>', 'calm and attacked phases in turns', count, 5)
  .option('--seconds <n>', 'of each phase, at most 60', count, 15)
  .option('--rate <n>', 'honest requests a second', count, 60)
  .option('--attackers <n>', 'connections of each slow kind', count, 200)
  .option('--kinds <names>', 'only these, by comma (default: all)', kindsOf)
  .addHelpText('after', '\nExample:\n  npm run drill -- attack --rounds 3 --seconds 10')
  .parse()
  .opts<Options>();

const GOAL = 2;
const MOST_SECONDS = 60;
/** Attackers connect all at once; the cost of that belongs to the attack, not to the calm after it. */
const SETTLE_MS = 1_500;
const HONEST_USERS = 40;
/** The number of fast senders, of each kind. */
const QUICK = 1;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const seconds = Math.min(options.seconds, MOST_SECONDS);
const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'outreach-attack-'));
const place = {
  folder: join(folder, 'postgres'),
  port: await freePort(),
  password: 'attack',
  logFile: join(folder, 'postgres.log'),
  durable: true,
};
const postgres = await startEmbeddedPostgres(place);
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    children.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')),
  );
  await postgres.stop();
  await removeCluster(place.folder);
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  await createDatabase(place, 'attack');
  const appUrl = `postgres://attack_app:attack@127.0.0.1:${place.port}/attack`;
  await migrate({ ownerUrl: postgres.ownerUrl('attack'), appUrl });
  const secret = randomBytes(32).toString('hex');
  const port = await startApi(appUrl, secret);
  const attackers = await startAttackers();
  const tokens = await Promise.all(
    Array.from({ length: HONEST_USERS }, (_, n) => mintJwt(secret, `honest-${n}`)),
  );
  const load = { url: `http://127.0.0.1:${port}`, tokens, perSecond: options.rate, seconds };
  // The first requests of a process are slower.
  await honestLoad({ ...load, seconds: 3 });
  const ratios: number[] = [];
  const lost: Record<string, number>[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    const calm = await honestLoad(load);
    const order = { port, token: await mintJwt(secret, 'attacker'), crowd: crowdOf(options) };
    attackers.send(order satisfies AttackOrder);
    await sleep(SETTLE_MS);
    const attacked = await honestLoad(load);
    attackers.send('stop');
    const [report] = (await once(attackers, 'message')) as [AttackReport];
    ratios.push(attacked.p99 / calm.p99);
    lost.push(calm.failed, attacked.failed);
    say(`round ${round}: calm ${show(calm)}; attacked ${show(attacked)}`);
    if (round === options.rounds) say(`endings: ${JSON.stringify(report)}`);
    await sleep(SETTLE_MS);
  }
  const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
  const failed = lost.filter((each) => Object.keys(each).length > 0);
  const worst = Math.max(...ratios).toFixed(2);
  say(
    `attack: p99 ratio=${ratio.toFixed(2)} goal=${GOAL} (worst round ${worst}); ` +
      `${failed.length} phases with an honest request that failed ${JSON.stringify(failed)}`,
  );
  return ratio <= GOAL && failed.length === 0;
}

function show({ asked, p50, p99 }: HonestResult): string {
  return `p99 ${p99.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms of ${asked}`;
}

function kindsOf(text: string): AttackName[] {
  const names = text.split(',');
  const unknown = names.filter((name) => !KINDS.some((kind) => kind === name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `There is no ${unknown.join(', ')}; there is ${KINDS.join(', ')}.`,
    );
  }
  return names as AttackName[];
}

function crowdOf({ attackers, kinds = KINDS }: Options): AttackOrder['crowd'] {
  const crowd: Record<AttackName, number> = {
    idle: attackers,
    slowHeaders: attackers,
    slowBody: attackers,
    halfUpload: attackers,
    giantBody: QUICK,
    giantChunks: QUICK,
    giantExpectation: QUICK,
    giantGet: QUICK,
    gzipBomb: QUICK,
    deflateBomb: QUICK,
    brotliBomb: QUICK,
    deafReader: Math.ceil(attackers / 20),
  };
  return Object.fromEntries(kinds.map((kind) => [kind, crowd[kind]]));
}

/** The product's own process; its rate limits are set too high to matter. */
async function startApi(databaseUrl: string, secret: string): Promise<number> {
  const port = await freePort();
  await compileSources();
  const api = spawn(process.execPath, [...NODE_FLAGS, ...compiledProgram('src/api.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      OUTREACH_ENV: 'development',
      LOG_LEVEL: 'error',
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      API_METRICS_PORT: String(await freePort(new Set([port]))),
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      JWT_SECRET: secret,
      ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_PER_HOUR: '1000000',
    },
  });
  children.push(api);
  for (;;) {
    if (api.exitCode !== null) throw new Error('The API does not start');
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok) return port;
    await sleep(100);
  }
}

async function startAttackers(): Promise<ChildProcess> {
  const file = new URL('attackers.ts', import.meta.url);
  const attackers = fork(file, { execArgv: ['--import', 'tsx'] });
  children.push(attackers);
  await once(attackers, 'message');
  return attackers;
}
