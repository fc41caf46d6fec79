/**
 * Checks of many mailboxes or domains beside sending. Some run at once, few of them at one host, and a session waits
 * for them only a moment: what has not answered by then goes on by itself, and what has not begun is begun later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TimeoutError } from 'p-timeout';
import { STEP_MS, within } from '../engine/time-limit.ts';

const AT_ONCE = 10;
const PER_HOST = 3;

/** `unreached`: the host did not answer, nor will it for others of this round. Undefined: no result. */
export type CheckResult = boolean | 'unreached' | undefined;

export interface Checked {
  id: number | string;
  host: string;
}

export interface CheckRound<T extends Checked> {
  /** Some have not answered yet, or their results wait for the next call. */
  isOpen(): boolean;
  /** Each is checked once. In no fixed order where they are many: none is the last of every round. */
  begin(items: readonly T[], chance: () => number): void;
  /**
   * Begins checks for at most `budgetMs`, or until the signal fires. Answers the results since the last call; an error
   * of a check is thrown.
   */
  goOn(
    check: (item: T) => Promise<CheckResult>,
    limits: { signal: AbortSignal; budgetMs: number },
  ): Promise<{ item: T; isFine: boolean }[]>;
}

export function createCheckRound<T extends Checked>(): CheckRound<T> {
  let waiting: T[] = [];
  let results: { item: T; isFine: boolean }[] = [];
  let failed: { error: unknown } | undefined;
  /** Those that run, also from an earlier call. */
  const running = new Map<T, Promise<void>>();

  const hasRoom = ({ host }: T) =>
    [...running.keys()].filter((other) => other.host === host).length < PER_HOST;
  const run = async (item: T, check: (item: T) => Promise<CheckResult>): Promise<void> => {
    try {
      // A check that never ends keeps no place.
      const result = await within(STEP_MS, check(item));
      if (result === 'unreached') waiting = waiting.filter(({ host }) => host !== item.host);
      else if (result !== undefined) results.push({ item, isFine: result });
    } catch (error) {
      if (!(error instanceof TimeoutError)) failed = { error };
    } finally {
      running.delete(item);
    }
  };
  return {
    isOpen: () => waiting.length + running.size + results.length > 0 || failed !== undefined,
    begin(items, chance) {
      waiting = [...items];
      if (waiting.length > AT_ONCE) {
        const order = new Map(waiting.map((item) => [item, chance()]));
        waiting.sort((a, b) => order.get(a)! - order.get(b)!);
      }
    },
    async goOn(check, { signal, budgetMs }) {
      const stop = new AbortController();
      const ends = AbortSignal.any([signal, stop.signal]);
      // Real time, as the hosts' answers take it.
      const isOver = sleep(budgetMs, undefined, { signal: ends }).catch(() => undefined);
      let isEnded = signal.aborted;
      void isOver.then(() => (isEnded = true));
      while (!isEnded && !failed) {
        for (let next; running.size < AT_ONCE && (next = waiting.find(hasRoom));) {
          waiting.splice(waiting.indexOf(next), 1);
          running.set(next, run(next, check));
        }
        if (running.size === 0) break;
        await Promise.race([isOver, ...running.values()]);
      }
      stop.abort();
      const failure = failed;
      failed = undefined;
      if (failure) throw failure.error;
      return results.splice(0);
    },
  };
}
