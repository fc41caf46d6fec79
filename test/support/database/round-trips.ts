/** What goes to Postgres in this process, whoever asks: for tests of what something costs. */
import pg from 'pg';
import { vi } from 'vitest';

/**
 * Calls `told` with the statements of each round trip, transactions' begin and commit included. Before the first connection:
 * the pool binds what it replaces, until `vi.restoreAllMocks()`.
 */
export function watchRoundTrips(told: (statements: readonly string[]) => void): void {
  const { query } = pg.Client.prototype as unknown as {
    query: (this: unknown, ...given: unknown[]) => unknown;
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given;
    const { text, texts = [text] } = first as { text: string; texts?: string[] };
    told(typeof first === 'string' ? [first] : texts);
    return query.apply(this, given);
  } as never);
}
