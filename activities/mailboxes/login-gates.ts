/** How many logins of this process are under way at each mail host, for all that connect mailboxes. */
import PQueue from 'p-queue';
import { beginWait } from '../../src/tracing/waits.ts';
import { TRIES } from './connection-proof.ts';

export interface LoginGates {
  /** Runs `work` once there is room at all `hosts`, which MUST be in one order everywhere. Throws when aborted. */
  through<T>(hosts: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** How often a host is tried that does not answer: one that has not answered anybody, only once. */
  triesAt(host: string): number;
  /** Whether a host answered, in the end. */
  note(host: string, hasAnswered: boolean): void;
}

/** As often in a row a host may be given up before it is tried less. */
const PATIENCE = 3;

export function createLoginGates(perHost: number): LoginGates {
  const queues = new Map<string, PQueue>();
  /** How many gave each host up since it last answered. */
  const silent = new Map<string, number>();
  const queueOf = (host: string): PQueue => {
    const known = queues.get(host);
    if (known) return known;
    const queue = new PQueue({ concurrency: perHost });
    queues.set(host, queue);
    // Hosts are named by strangers: what nobody waits at is forgotten.
    queue.on('idle', () => {
      queues.delete(host);
      silent.delete(host);
    });
    return queue;
  };
  const through: LoginGates['through'] = async ([host, ...others], signal, work) => {
    signal.throwIfAborted();
    if (host === undefined) return work();
    const end = beginWait(`a login at ${host}`);
    return queueOf(host).add(() => {
      end();
      return through(others, signal, work);
    });
  };
  return {
    through,
    triesAt: (host) => ((silent.get(host) ?? 0) < PATIENCE ? TRIES : 1),
    note(host, hasAnswered) {
      if (hasAnswered) silent.delete(host);
      else silent.set(host, (silent.get(host) ?? 0) + 1);
    },
  };
}
