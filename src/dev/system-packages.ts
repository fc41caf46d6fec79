/** Debian's packages that the world or the tests need: which are installed, and which apt may add. */
import { execFileSync, type StdioOptions } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { devEnvironment } from './environment.ts';

/** Folders of root's commands that PATH may not contain. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin'];

/** How long to wait for another apt. */
const LOCK_SECONDS = 120;
const LOOK_AGAIN_MS = 1_000;
const MAX_WORDS_BYTES = 1 << 26;

/** Command -> Debian package that contains it. */
export type Commands = Readonly<Record<string, string>>;

/** The packages of the missing commands. */
export const missingPackages = (commands: Commands): string[] => [
  ...new Set(
    Object.entries(commands)
      .filter(([command]) => !hasCommand(command))
      .map(([, name]) => name),
  ),
];

export function hasCommand(command: string): boolean {
  const folders = [...devEnvironment().path.split(delimiter), ...SYSTEM_FOLDERS];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** True when apt has installed all of them. Its output is not shown. */
export const installPackages = (names: readonly string[]): boolean =>
  updateLists() && install(names);

function install(names: readonly string[]): boolean {
  const patient = ['--option', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  const what = ['install', '--yes', '--no-install-recommends', ...names];
  return succeeds('apt-get', [...patient, ...what]);
}

/** Each group by itself: one name that the distribution does not know keeps apt from all that are named with it. */
export function installGroups(
  groups: Readonly<Record<string, Commands>>,
  report: (line: string) => void,
): void {
  const wanted = Object.entries(groups)
    .map(([what, commands]) => ({ what, missing: missingPackages(commands) }))
    .filter(({ missing }) => missing.length > 0);
  if (wanted.length === 0) return;
  const names = wanted.flatMap(({ missing }) => missing).join(', ');
  report(`installing ${names} by apt-get, not started`);
  // Once: whoever is offline waits for it.
  if (!updateLists()) return report('apt-get could not read the lists of packages');
  for (const { what, missing } of wanted) {
    if (!install(missing)) report(`${what}: apt-get could not install ${missing.join(', ')}`);
  }
}

/** apt-get waits for dpkg's lock itself, but not for that of the lists. */
function updateLists(): boolean {
  const deadline = Date.now() + LOCK_SECONDS * 1_000;
  for (;;) {
    const refusal = refusalOf('apt-get', ['update']);
    if (refusal === undefined) return true;
    if (!refusal.includes('Could not get lock') || Date.now() > deadline) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
}

/** True when the command ends with code 0. */
export const succeeds = (command: string, args: readonly string[]): boolean =>
  refusalOf(command, args) === undefined;

/** The command's error message, in English; undefined when it ends with code 0. */
function refusalOf(command: string, args: readonly string[]): string | undefined {
  const { inherited } = devEnvironment();
  const env = { ...inherited, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  try {
    const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
    execFileSync(command, args, { stdio, env, encoding: 'utf8', maxBuffer: MAX_WORDS_BYTES });
    return undefined;
  } catch (error) {
    return (error as { stderr?: string }).stderr ?? '';
  }
}
