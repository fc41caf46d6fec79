/** Debian's packages that the world or the tests need: what is there, and what apt may add. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { devEnvironment } from './environment.ts';

/** Folders of root's commands, which a plain PATH may leave out. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin'];

/** Another apt at work is waited for. */
const LOCK_SECONDS = 120;

/** Command -> Debian package that has it. */
export type Commands = Readonly<Record<string, string>>;

/** The packages of the commands that are not there. */
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

/** True when apt has installed all of them. What it prints is not shown. */
export function installPackages(names: readonly string[]): boolean {
  const patient = ['--option', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  const install = ['install', '--yes', '--no-install-recommends', ...names];
  return (
    succeeds('apt-get', [...patient, 'update']) && succeeds('apt-get', [...patient, ...install])
  );
}

/** True when the command ends with code 0. */
export function succeeds(command: string, args: readonly string[]): boolean {
  try {
    const env = { ...devEnvironment().inherited, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync(command, args, { stdio: 'ignore', env });
    return true;
  } catch {
    return false;
  }
}
