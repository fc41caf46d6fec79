/** Work on one account's inbox takes turns in a process, so that waiting holds no connections. */

const last = new Map<string, Promise<unknown>>();

/** Runs `work` when all earlier work of the same key has ended, however it ended. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const mine = before === undefined ? work() : before.then(work, work);
  const settled = mine.catch(() => undefined);
  last.set(key, settled);
  try {
    return await mine;
  } finally {
    if (last.get(key) === settled) last.delete(key);
  }
}
