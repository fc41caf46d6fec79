/** Serialises work on one account's inbox within a process, so that waiting holds no connections. */
import PQueue from 'p-queue';

const queues = new Map<string, PQueue>();

/**
 * Runs `work` after all earlier work of the same key has ended, failed or not. When `signal` fires, nobody waits for
 * it any more: what hangs must not hold all mailboxes of its account. Postgres keeps apart what may then run at once.
 */
export function runSerially<T>(
  key: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const known = queues.get(key);
  const queue = known ?? new PQueue({ concurrency: 1 });
  if (!known) {
    queues.set(key, queue);
    queue.on('idle', () => queues.delete(key));
  }
  return queue.add(work, signal && { signal });
}
