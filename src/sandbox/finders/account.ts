/** An account at a contact finder: its requests, its credits and what they were spent on. */
import type { Store } from '../store.ts';

/** A charge, as `GET /_sandbox/books` shows it. */
export type Charge = Record<string, string | number> & { credits: number; at: string };

export interface FinderAccount {
  noteRequest(): void;
  /** Takes credits for `what`. */
  charge(credits: number, what: Record<string, string>): void;
  left(): number;
  spent(): number;
  requests(): number;
  /** Sets how many credits are left. */
  setLeft(credits: number): void;
  shown(): object;
}

interface Balance {
  requests: number;
  spent: number;
  left: number;
}

const OPENING_CREDITS = 100_000;

export function openFinderAccount(store: Store, vendor: string): FinderAccount {
  const collection = `finders:${vendor}`;
  const charges = `finders:${vendor}:charges`;
  const balance = (): Balance =>
    store.get<Balance>(collection, 'balance') ?? { requests: 0, spent: 0, left: OPENING_CREDITS };
  const change = (part: Partial<Balance>): void =>
    store.put(collection, 'balance', { ...balance(), ...part });
  return {
    noteRequest: () => change({ requests: balance().requests + 1 }),
    charge: (credits, what) =>
      store.batch(() => {
        const { spent, left } = balance();
        change({ spent: spent + credits, left: left - credits });
        const charge = { ...what, credits, at: new Date().toISOString() };
        store.put(charges, String(store.nextId(charges)), charge);
      }),
    left: () => balance().left,
    spent: () => balance().spent,
    requests: () => balance().requests,
    setLeft: (left) => change({ left }),
    shown: () => ({
      requests: balance().requests,
      credits: balance().spent,
      creditsLeft: balance().left,
      charges: store.list<Charge>(charges),
    }),
  };
}
