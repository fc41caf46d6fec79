/**
 * Counts calls of vendors, where their ports are made: callers may swallow what a vendor refuses, as searches do that
 * go on with fewer results. Without the metrics library, which commands have no need of.
 */
import { ProviderError, type ProviderErrorKind } from '../domain/errors.ts';

/** `ok`, or the kind of the vendor's failure. Each is a value of a label: a vendor, never an account or an address. */
export type VendorOutcome = 'ok' | ProviderErrorKind;

export interface VendorCalls {
  /** The same port, whose calls are counted; what it answers at once, without asking the vendor, is not. */
  watch<Port extends object>(vendor: string, port: Port): Port;
  /** Of each watched vendor, from 0 on. */
  counts(): ReadonlyMap<string, Readonly<Record<VendorOutcome, number>>>;
}

type Counts = Record<VendorOutcome, number>;
type Method = (...input: unknown[]) => unknown;

export function createVendorCalls(): VendorCalls {
  const counts = new Map<string, Counts>();
  return {
    counts: () => counts,
    watch(vendor, port) {
      const own = counts.get(vendor) ?? noCalls();
      counts.set(vendor, own);
      const watched = Object.entries(port).map(([name, value]) => [
        name,
        typeof value === 'function' ? counted(own, value.bind(port) as Method) : (value as unknown),
      ]);
      return Object.fromEntries(watched) as typeof port;
    },
  };
}

const noCalls = (): Counts => ({
  ok: 0,
  rejected: 0,
  unavailable: 0,
  rate_limited: 0,
  auth: 0,
  quota: 0,
  not_ready: 0,
  outcome_unknown: 0,
});

/** A cancelled call and a defect of ours are no answer of the vendor's. */
const note = (counts: Counts, error: unknown): void => {
  if (error instanceof ProviderError) counts[error.kind] += 1;
};

const counted =
  (counts: Counts, method: Method): Method =>
  (...input) => {
    const answer = method(...input);
    if (answer instanceof Promise) {
      answer.then(
        () => void (counts.ok += 1),
        (error: unknown) => note(counts, error),
      );
      return answer;
    }
    return isPages(answer) ? countedPages(counts, answer) : answer;
  };

const isPages = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

async function* countedPages(
  counts: Counts,
  pages: AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  try {
    yield* pages;
    counts.ok += 1;
  } catch (error) {
    note(counts, error);
    throw error;
  }
}
