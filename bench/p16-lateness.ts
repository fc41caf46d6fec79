/** How late messages were: what was due when, against the book of the hosts that took them. */

export interface Lateness {
  sent: { dueAt: number; sentAt: number }[];
  /** In seconds. */
  p50: number;
  p99: number;
  max: number;
  /** Recipients who got nothing, or more than one. */
  missing: string[];
  twice: string[];
  /** When the last one was taken. */
  outAt: number;
}

export function latenessOf(
  due: ReadonlyMap<string, number>,
  book: ReadonlyMap<string, readonly number[]>,
): Lateness {
  const sent: { dueAt: number; sentAt: number }[] = [];
  const missing: string[] = [];
  const twice: string[] = [];
  for (const [email, dueAt] of due) {
    const taken = book.get(email) ?? [];
    if (taken.length === 0) missing.push(email);
    else sent.push({ dueAt, sentAt: Math.min(...taken) });
    if (taken.length > 1) twice.push(email);
  }
  const late = sent.map(({ dueAt, sentAt }) => (sentAt - dueAt) / 1_000).toSorted((a, b) => a - b);
  return {
    sent,
    p50: quantile(late, 0.5),
    p99: quantile(late, 0.99),
    max: late.at(-1) ?? Number.NaN,
    missing,
    twice,
    outAt: sent.reduce((latest, { sentAt }) => Math.max(latest, sentAt), 0),
  };
}

/** Of values in ascending order; NaN of none. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
