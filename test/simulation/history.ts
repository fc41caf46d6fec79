/** A fact of the simulated world over time: what changes at the very moment of a message excuses both. */
export interface History<T> {
  set(value: T, at: number): void;
  now(): T;
  /** When that was set. */
  since(): number;
  /** What held right before that moment, and all that it became at that moment. */
  at(moment: number): T[];
  /** All that held at some time from `from` to `to`, with the time at which each ended or `to`. */
  during(from: number, to: number): { value: T; until: number }[];
}

export function createHistory<T>(first: T): History<T> {
  const versions = [{ value: first, since: -Infinity }];
  return {
    set: (value, at) => void versions.push({ value, since: at }),
    now: () => versions.at(-1)!.value,
    since: () => versions.at(-1)!.since,
    during: (from, to) =>
      versions
        .map(({ value, since }, index) => ({
          value,
          since,
          until: Math.min(to, versions[index + 1]?.since ?? Infinity),
        }))
        .filter(({ since, until }) => since <= to && until >= from),
    at(moment) {
      const before = versions.findLast(({ since }) => since < moment)!;
      const during = versions.filter(({ since }) => since === moment);
      return [before, ...during].map(({ value }) => value);
    },
  };
}
