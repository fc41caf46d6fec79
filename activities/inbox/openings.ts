/**
 * How many mailboxes of this process are opened at once: looked up, logged in to, read for the first time. Whoever
 * begins with thousands, after a start or when a host is back, would otherwise ask resolver, hosts and Postgres for all
 * of them in one moment, and fail by time-outs. Open ones mostly wait, and have no limit here.
 */
import PQueue from 'p-queue';

const AT_ONCE = 20;

/** Resolves when it is one's turn, with what ends the turn; `signal` ends it, too, and the wait, by a rejection. */
export type Openings = (signal: AbortSignal) => Promise<() => void>;

export function createOpenings(atOnce: number = AT_ONCE): Openings {
  const queue = new PQueue({ concurrency: atOnce });
  return (signal) =>
    new Promise((begin, refuse) => {
      const turn = () =>
        new Promise<void>((resolve) => {
          const end = () => {
            signal.removeEventListener('abort', end);
            resolve();
          };
          signal.addEventListener('abort', end);
          begin(end);
        });
      queue.add(turn, { signal }).catch(refuse);
    });
}

/** Of the process. */
export const openings = createOpenings();
