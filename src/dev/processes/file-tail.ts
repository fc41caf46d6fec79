/** The last lines of a log, for error messages. */
import { open } from 'node:fs/promises';

/** A log's end is enough for a message; whole logs may be large. */
const maxBytes = 8_192;

/** The last `lines` lines of `file`; empty when it cannot be read. */
export async function fileTail(file: string, lines: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, maxBytes);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    await handle.close();
  }
}
