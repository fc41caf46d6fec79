/** JSON files that hold secrets: mode 0600 from the first byte, never seen half-written. */
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a temporary file and renames it: a reader sees the old content or the new one. */
export async function writePrivateFile(file: string, content: object): Promise<void> {
  const beside = `${file}.${process.pid}`;
  // A left-over file would keep its old mode.
  await rm(beside, { force: true });
  await writeFile(beside, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(beside, file);
}
