/** A fact of the simulated world over time: at the moment of a change both values are accepted. */
export interface History<T> {
  set(value: T, at: number): void;
  now(): T;
  /** When the current value was set. */
  since(): number;
  /** The value right before that moment, and all values set at that moment. */
  at(moment: number): T[];
  /** All values that held at some time from `from` to `to`, each with its end or `to`. */
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
