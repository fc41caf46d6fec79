/** How many logins of this process are under way at each mail host, for all that connect mailboxes. */
import PQueue from 'p-queue';

export interface LoginGates {
  /** Runs `work` once there is room at all `hosts`, which MUST be in one order everywhere. Throws when aborted. */
  through<T>(hosts: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createLoginGates(perHost: number): LoginGates {
  const queues = new Map<string, PQueue>();
  const queueOf = (host: string): PQueue => {
    const known = queues.get(host);
    if (known) return known;
    const queue = new PQueue({ concurrency: perHost });
    queues.set(host, queue);
    // Hosts are named by strangers: what nobody waits at is forgotten.
    queue.on('idle', () => queues.delete(host));
    return queue;
  };
  const through: LoginGates['through'] = async ([host, ...others], signal, work) => {
    signal.throwIfAborted();
    if (host === undefined) return work();
    return queueOf(host).add(() => through(others, signal, work));
  };
  return { through };
}
