/** Production's Temporal Server with its schemas: built from its Go module once, and cached. */
import { execFile } from 'node:child_process';
import { access, constants, cp, mkdtemp, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { devEnvironment } from '../../src/dev/environment.ts';

const run = promisify(execFile);

export const TEMPORAL_VERSION = '1.31.2';
const MODULE = 'go.temporal.io/server';
/** What is built from the module; a binary has its folder's name. */
const COMMANDS = ['cmd/server', 'cmd/tools/sql'];
const TELL_EVERY_MS = 15_000;
const MAX_OUTPUT_BYTES = 1 << 26;

export interface TemporalBuild {
  /** Path of the server. */
  server: string;
  /** Path of the tool that makes its tables. */
  sql: string;
  /** It contains `temporal/versioned` and `visibility/versioned`. */
  schemas: string;
}

/** Finds or builds the server; rejects with one readable reason, e.g. that Go is missing. */
export async function temporalBuild(report: (line: string) => void): Promise<TemporalBuild> {
  const folder = cacheFolder();
  const build = {
    server: temporalServerPath(),
    sql: join(folder, 'bin', 'sql'),
    schemas: join(folder, 'schemas'),
  };
  if (!(await isThere(build.server)) || !(await isThere(build.sql))) {
    await goInstall(join(folder, 'bin'), report);
  }
  if (!(await isThere(build.schemas))) await keepSchemas(build.schemas);
  return build;
}

function cacheFolder(): string {
  const cache = devEnvironment().cacheHome ?? join(homedir(), '.cache');
  return join(cache, 'outreach', `temporal-server-${TEMPORAL_VERSION}`);
}

/** Where the server is, or will be. */
export const temporalServerPath = (): string => join(cacheFolder(), 'bin', 'server');

const isThere = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

async function goInstall(bin: string, report: (line: string) => void): Promise<void> {
  const what = `Building Temporal Server ${TEMPORAL_VERSION} by Go into ${bin}`;
  report(`${what}: once, several minutes`);
  await mkdir(bin, { recursive: true });
  const begun = Date.now();
  const tell = () => report(`still building, ${Math.round((Date.now() - begun) / 1_000)} s`);
  const timer = setInterval(tell, TELL_EVERY_MS);
  const targets = COMMANDS.map((path) => `${MODULE}/${path}@v${TEMPORAL_VERSION}`);
  try {
    // Through `env`, so that Go keeps all settings of the caller. Without C: containers run it, too.
    await run('env', [`GOBIN=${bin}`, 'CGO_ENABLED=0', 'go', 'install', ...targets], {
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  } catch (cause) {
    throw new Error(`Temporal Server cannot be built: ${reason(cause)}`, { cause });
  } finally {
    clearInterval(timer);
  }
}

/** Copies them from the module's folder, as a whole or not at all: Go may delete its modules later. */
async function keepSchemas(to: string): Promise<void> {
  const { stdout } = await run(
    'go',
    ['mod', 'download', '-json', `${MODULE}@v${TEMPORAL_VERSION}`],
    {
      maxBuffer: MAX_OUTPUT_BYTES,
    },
  ).catch((cause: unknown) => {
    throw new Error(`Temporal's schemas cannot be fetched: ${reason(cause)}`, { cause });
  });
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  const part = await mkdtemp(`${to}.`);
  await cp(join(Dir, 'schema', 'postgresql', 'v12'), part, { recursive: true });
  await rename(part, to).catch(async (error: unknown) => {
    await rm(part, { recursive: true, force: true });
    // Another run was faster.
    if (!(await isThere(to))) throw error;
  });
}

/** The last line of Go's output; addresses are removed, since they may contain secrets. */
function reason(error: unknown): string {
  const { stderr, code, message } = error as { stderr?: string; code?: unknown; message?: string };
  // `env` ends with 127 where it does not find the command.
  if (code === 'ENOENT' || code === 127) return 'Go is not installed (https://go.dev/dl)';
  const lines = (stderr?.trim() || message || String(error)).split('\n');
  return (lines.at(-1) ?? '').replaceAll(/https?:\/\/\S+/g, '<address>').slice(0, 300);
}
