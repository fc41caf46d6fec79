/**
 * P6: pages per second of our website visits / of Crawlee's CheerioCrawler with the same extraction, on
 * the same local sites; and the memory of our process with 1,000 sites in flight.
 *
 * Counted are pages that were answered, parsed and extracted, from the first request to the last
 * answer; robots.txt is ours alone and not counted. Ours stays polite and safe meanwhile (robots.txt,
 * one request at a time per site, 250 ms between two pages, address guard, SOCKS proxy); the peer has
 * no such rules, and as many requests at once as are best for it: its own autoscaling, which begins
 * with one and takes minutes, is measured once, separately. Both get all sites at once, which are new
 * to them, in turns and on the same processors as the sites' server; both have read sites before, so
 * that their code is compiled. CPU is that of each peer's process, server and proxy not included.
 */
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { machine, median } from './rounds.ts';

const GOAL = 6;
const GOAL_MEGABYTES = 200;
const {
  rounds: ROUNDS,
  sites: SITES,
  inFlight: IN_FLIGHT,
} = optionsOf<{ rounds: number; sites: number; inFlight: number }>(
  bench('p6', 'Website pages visited per second / by Crawlee with the same extraction; memory.')
    .option('--rounds <n>', 'of each, in turns', count, 5)
    .option('--sites <n>', 'of a round', count, 400)
    .option('--in-flight <n>', 'sites at once when memory is measured', count, 1_000),
);

/** Sites that both read before the measurement: V8 keeps compiling for some thousand pages. */
const WARM_UP = 720;

/** So slow that all sites wait for an answer at the same time. */
const SLOW_MS = 2_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const work = join(root, '.outreach', 'bench');
const built = join(work, 'dist');
const installed = join(work, 'crawlee');

interface Round {
  ms: number;
  cpuMs: number;
  pages: number;
  emails: number;
  troubles: string[];
  largestRss: number;
}

await build();
await installPeer();
const servers = run('p6-sites.ts', [], ['--import', 'tsx']);
const [{ port, proxy }] = (await once(servers, 'message')) as [{ port: number; proxy: string }];
try {
  await compare();
  await measureMemory();
  console.log(await machine());
} finally {
  servers.disconnect();
}

/** Pages per second, in turns. */
async function compare(): Promise<void> {
  const ours = await ready(run('p6-visitor.mjs', [built, proxy]));
  const peer = await ready(run('baselines/crawlee/crawl.mjs', [installed, built, String(port)]));
  await measure(ours, 0, WARM_UP);
  await measure(peer, 0, WARM_UP);
  const rounds: { ours: Round; peer: Round }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // New sites each time: neither peer may know a robots.txt or have seen a URL.
    const first = WARM_UP + round * SITES;
    rounds.push({
      ours: await measure(ours, first, SITES),
      peer: await measure(peer, first, SITES),
    });
  }
  ours.disconnect();
  peer.disconnect();
  report(rounds);
  const untuned = await ready(
    run('baselines/crawlee/crawl.mjs', [installed, built, String(port), 'defaults']),
  );
  const { pages, ms } = await measure(untuned, 0, WARM_UP);
  untuned.disconnect();
  console.log(`peer with its own autoscaling: ${((pages / ms) * 1_000).toFixed(0)} pages/s`);
}

function report(rounds: { ours: Round; peer: Round }[]): void {
  const speed = ({ pages, ms }: Round) => (pages / ms) * 1_000;
  for (const name of ['ours', 'peer'] as const) {
    const own = rounds.map((round) => round[name]);
    console.log(
      `${name}: ${median(own.map(speed)).toFixed(0)} pages/s, ` +
        `${median(own.map(({ cpuMs, pages }) => cpuMs / pages)).toFixed(2)} ms of CPU per page, ` +
        `${(Math.max(...own.map(({ largestRss }) => largestRss)) / 1_048_576).toFixed(0)} MB, ` +
        `${own.at(-1)!.pages} pages and ${own.at(-1)!.emails} e-mails in the last round`,
    );
    for (const trouble of own.flatMap(({ troubles }) => troubles).slice(0, 3)) console.log(trouble);
  }
  const ratios = rounds.map(({ ours, peer }) => speed(ours) / speed(peer));
  console.log(`worst round ${Math.min(...ratios).toFixed(2)} (${ROUNDS} rounds of ${SITES} sites)`);
  console.log(`P6 ratio=${median(ratios).toFixed(2)} goal=>=${GOAL}`);
}

/** A process of its own, once with fast sites and once with sites so slow that all wait at once. */
async function measureMemory(): Promise<void> {
  const largest: number[] = [];
  for (const latencyMs of [20, SLOW_MS]) {
    servers.send({ latencyMs });
    await once(servers, 'message');
    const ours = await ready(run('p6-visitor.mjs', [built, proxy]));
    const { largestRss, pages, ms, troubles } = await measure(ours, 0, IN_FLIGHT);
    const { peakMegabytes = largestRss / 1_048_576 } = await peakOf(ours.pid!);
    ours.disconnect();
    largest.push(peakMegabytes);
    console.log(
      `${IN_FLIGHT} sites at once, ${latencyMs} ms latency: ${peakMegabytes.toFixed(0)} MB at most, ` +
        `${pages} pages in ${(ms / 1_000).toFixed(1)} s${troubles.length > 0 ? `, ${troubles.length} failed: ${troubles[0]}` : ''}`,
    );
  }
  console.log(`P6 memory=${Math.max(...largest).toFixed(0)} MB goal=<=${GOAL_MEGABYTES} MB`);
}

/** The largest resident memory that a process ever had, from Linux' /proc. */
async function peakOf(pid: number): Promise<{ peakMegabytes?: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? {} : { peakMegabytes: Number(kilobytes) / 1_024 };
}

async function measure(child: ChildProcess, first: number, count: number): Promise<Round> {
  child.send({ sites: Array.from({ length: count }, (_, at) => first + at) });
  const [round] = (await once(child, 'message')) as [Round];
  return round;
}

function run(file: string, args: string[], execArgv: string[] = []): ChildProcess {
  return fork(new URL(file, import.meta.url), args, { execArgv });
}

async function ready(child: ChildProcess): Promise<ChildProcess> {
  await once(child, 'message');
  return child;
}

/** Built like production, but only what a visit needs, in a separate folder. */
async function build(): Promise<void> {
  await mkdir(work, { recursive: true });
  const project = join(work, 'tsconfig.json');
  const files = ['index', 'threads/crawl-thread', 'threads/parse-thread'].map((name) =>
    join(root, `src/providers/websites/${name}.ts`),
  );
  const compilerOptions = {
    outDir: built,
    rootDir: root,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
  await writeFile(project, JSON.stringify(settings));
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
}

/** The product does not depend on its peer: it is installed on demand, by its own lock file. */
async function installPeer(): Promise<void> {
  await mkdir(installed, { recursive: true });
  const lock = await readFile(new URL('baselines/crawlee/package-lock.json', import.meta.url));
  const stamp = join(installed, 'installed');
  const before = await readFile(stamp).catch(() => undefined);
  if (before?.equals(lock)) return;
  console.log('installing the peer: npm ci with bench/baselines/crawlee/package-lock.json');
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(new URL(`baselines/crawlee/${name}`, import.meta.url), join(installed, name));
  }
  await copyFile(join(root, '.npmrc'), join(installed, '.npmrc'));
  await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: installed });
  await writeFile(stamp, lock);
}
