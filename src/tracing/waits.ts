/** What the activity at hand waits for, which its next heartbeat tells operators. */
import { currentWaits, withWaits, type WaitsAtHand } from './origin.ts';

export interface Waits extends WaitsAtHand {
  /** One line for each thing that is waited for, the longest wait first. */
  words(): string[];
}

/** More would not be read. */
const MOST_WORDS = 5;

export function createWaits(now: () => Date = () => new Date()): Waits {
  const open = new Map<string, { since: Date; count: number }>();
  return {
    begin(what) {
      const wait = open.get(what) ?? { since: now(), count: 0 };
      wait.count += 1;
      open.set(what, wait);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        wait.count -= 1;
        if (wait.count === 0) open.delete(what);
      };
    },
    words() {
      const lines = [...open].map(([what, { since, count }]) => {
        const times = count === 1 ? '' : ` (${count} of them)`;
        return `${what}${times}, since ${since.toISOString()}`;
      });
      const more = lines.length - MOST_WORDS;
      return more > 0 ? [...lines.slice(0, MOST_WORDS), `and ${more} more`] : lines;
    },
  };
}

/** Runs the work of an activity, which notes there what it waits for. */
export const notingWaits = <T>(waits: Waits, work: () => T): T => withWaits(waits, work);

/** Says that the activity at hand waits for this, until the returned function is called; elsewhere it says nothing. */
export const beginWait = (what: string): (() => void) =>
  currentWaits()?.begin(what) ?? (() => undefined);

/** The same until `wait` has ended. */
export async function whileWaiting<T>(what: string, wait: () => Promise<T>): Promise<T> {
  const end = beginWait(what);
  try {
    return await wait();
  } finally {
    end();
  }
}
