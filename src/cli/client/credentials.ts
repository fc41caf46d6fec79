/** Where logins are kept: a file of the user's own, mode 0600, with a profile for each installation. */
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandEnd, EXIT, type Io } from '../io.ts';

export interface Login {
  url: string;
  apiKey: string;
}

export type Logins = Readonly<Record<string, Login>>;

export const DEFAULT_PROFILE = 'default';

/** Of XDG_CONFIG_HOME, else of HOME; undefined where neither is set. */
export function configurationFile({ environment }: Io, name: string): string | undefined {
  const { XDG_CONFIG_HOME: folder, HOME: home } = environment;
  if (folder) return join(folder, 'outreach', name);
  return home ? join(home, '.config', 'outreach', name) : undefined;
}

export const credentialsFile = (io: Io): string | undefined =>
  configurationFile(io, 'credentials.json');

/** The stored logins by profile; none where there is no file. */
export async function readLogins(io: Io): Promise<Logins> {
  const file = credentialsFile(io);
  const text = file === undefined ? undefined : await readOrNone(file);
  if (file === undefined || text === undefined) return {};
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) io.err(`${file} can be read by others: chmod 600 ${file}`);
  // What stands in it is not repeated: it may hold keys.
  const unreadable = new CommandEnd(EXIT.failed, `${file} is no file of logins: delete it.`);
  let profiles: unknown;
  try {
    profiles = (JSON.parse(text) as { profiles?: unknown }).profiles;
  } catch {
    throw unreadable;
  }
  if (!areLogins(profiles)) throw unreadable;
  return profiles;
}

/** That of a profile; undefined where nobody has logged in under the name. */
export async function findLogin(io: Io, profile: string): Promise<Login | undefined> {
  const logins = await readLogins(io);
  return Object.hasOwn(logins, profile) ? logins[profile] : undefined;
}

/** Stores them; the file goes with the last one. */
export async function writeLogins(io: Io, profiles: Logins): Promise<string> {
  const file = credentialsFile(io);
  if (file === undefined) {
    throw new CommandEnd(EXIT.failed, 'Neither XDG_CONFIG_HOME nor HOME is set.');
  }
  if (Object.keys(profiles).length === 0) await rm(file, { force: true });
  else await writePrivate(file, `${JSON.stringify({ profiles }, undefined, 2)}\n`);
  return file;
}

/** For nobody else from the first byte on, and never seen half-written. */
export async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  // A left-over file would keep its old mode.
  await rm(beside, { force: true });
  await writeFile(beside, text, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, file);
}

/** Undefined where it does not exist. */
export async function readOrNone(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const areLogins = (value: unknown): value is Logins =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      typeof (one as Login).url === 'string' &&
      typeof (one as Login).apiKey === 'string',
  );
