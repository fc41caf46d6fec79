/** The program of mail hosts: one shell script, kept here as a folder of parts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Beside this file in the sources and, copied by the build, in `dist`. */
const PARTS = new URL('./outreach-mail/', import.meta.url);

/** The program's path on the host. */
export const PROGRAM_PATH = '/usr/local/sbin/outreach-mail';

/**
 * The parts, joined in the order of their names: they begin with two digits, so that this is the order
 * of `cat outreach-mail/*.sh` too. The first part holds the settings, the last one calls `main`.
 */
export function hostProgram(): string {
  const names = readdirSync(PARTS).filter((name) => /^\d\d-[a-z-]+\.sh$/.test(name));
  return names
    .toSorted()
    .map((name) => readFileSync(new URL(name, PARTS), 'utf8'))
    .join('');
}

/** By which programs are told apart, in hex; `status` answers its first 16 digits. */
export const programDigest = (program: string): string =>
  createHash('sha256').update(program).digest('hex');

/** As `status` answers it. */
export const shortDigest = (program: string): string => programDigest(program).slice(0, 16);
