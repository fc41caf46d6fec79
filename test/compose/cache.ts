/** The user's cache, which all checkouts share: what is slow to make is made once, as a whole or not at all. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { devEnvironment } from '../../src/dev/environment.ts';

export type Report = (line: string) => void;

const TELL_EVERY_MS = 15_000;
const MAX_REASON = 300;

/** A path of the cache. */
export const cached = (name: string): string =>
  join(devEnvironment().cacheHome ?? join(homedir(), '.cache'), 'outreach', name);

/** Lets `make` write to `made`, in a folder beside `to`, and moves it there; another run may be faster. */
export async function atOnce(
  to: string,
  make: (folder: string, made: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const folder = await mkdtemp(`${to}.`);
  try {
    const made = join(folder, 'made');
    await make(folder, made);
    await rename(made, to).catch((error: unknown) => {
      if (!existsSync(to)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reports that `what` is under way, and why it failed: the last line of its errors, without addresses. */
export async function told(
  what: string,
  report: Report,
  work: () => Promise<unknown>,
): Promise<void> {
  const begun = Date.now();
  report(`${what}: once, a few minutes`);
  const tell = () => report(`${what}, ${Math.round((Date.now() - begun) / 1_000)} s`);
  const timer = setInterval(tell, TELL_EVERY_MS);
  try {
    await work();
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const said = (stderr.trim().split('\n').at(-1) ?? '').replaceAll(
      /https?:\/\/\S+/g,
      '<address>',
    );
    throw new Error(`${what} failed: ${said.slice(0, MAX_REASON)}`, { cause: error });
  } finally {
    clearInterval(timer);
  }
}
