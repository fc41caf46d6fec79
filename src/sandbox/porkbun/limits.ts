/** Porkbun's limits on checks and orders in a window, as its answers report them. */
import { DAY_MS, DAY_SECONDS } from '../../domain/day.ts';
import type { Order } from './vendor-records.ts';

export interface LimitState {
  TTL: number;
  limit: number;
  used: number;
  naturalLanguage: string;
}

/** Counts calls of one kind; windows are in seconds of world time. */
export interface Limit {
  /** Counts this call; false when it is one too many (and was not counted). */
  take(): boolean;
  state(): LimitState;
  /** Whole seconds until the next call fits, at least one. */
  ttlRemaining(): number;
}

interface LimitOptions {
  limit: number;
  windowSeconds: number;
  pace: number;
  /** `checks`, the vendor's word for the calls. */
  noun: string;
}

export function createLimit({ limit, windowSeconds, pace, noun }: LimitOptions): Limit {
  const windowMs = (windowSeconds * 1_000) / pace;
  let recent: number[] = [];
  const refresh = (): void => {
    recent = recent.filter((at) => at > Date.now() - windowMs);
  };
  return {
    take() {
      refresh();
      if (recent.length >= limit) return false;
      recent.push(Date.now());
      return true;
    },
    state() {
      refresh();
      return stateOf({ windowSeconds, limit, noun }, recent.length);
    },
    ttlRemaining() {
      refresh();
      const oldest = recent[0] ?? Date.now();
      return Math.max(1, Math.ceil((oldest + windowMs - Date.now()) / 1_000));
    },
  };
}

const SUCCESSES_A_DAY = 1_000;

/** How many orders succeeded in the last day, from the records. */
export function successState(orders: Order[], noun: string): LimitState {
  const since = Date.now() - DAY_MS;
  const used = orders.filter((order) => Date.parse(order.at) > since).length;
  return stateOf({ windowSeconds: DAY_SECONDS, limit: SUCCESSES_A_DAY, noun }, used);
}

const stateOf = (
  { windowSeconds, limit, noun }: { windowSeconds: number; limit: number; noun: string },
  used: number,
): LimitState => ({
  TTL: windowSeconds,
  limit,
  used,
  naturalLanguage: `${used} out of ${limit} ${noun} within ${windowSeconds} seconds used.`,
});

/** `1 out of 1 create attempts ...` -> `1_OUT_OF_1_CREATE_ATTEMPTS_...`: a code derived from a text. */
export const generatedCode = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/_$/, '');
