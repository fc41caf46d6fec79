/** Confirmations: a token that is good for what was quoted, with the same arguments, by the same caller, for minutes. */
import { createHash, randomBytes } from 'node:crypto';
import { ToolRefusal } from './refusal.ts';

/** What is confirmed. */
export interface Order {
  tool: string;
  /** A hash of the caller's API key. */
  principal: string;
  /** Without the confirmation itself. */
  args: object;
}

export interface Confirmation {
  /** What was quoted, such as the amount; compared with a new quote before the effect. */
  terms: string;
  /** An effect was begun under it: what comes now is a repeat, which the API answers by its key. */
  isUsed: boolean;
  /** Of the API's request. */
  idempotencyKey: string;
}

const LIFETIME_MS = 10 * 60_000;

/** A caller that only asks for quotes does not fill the memory. */
const MOST = 1_000;

interface Entry {
  order: string;
  terms: string;
  expiresAt: number;
  isUsed: boolean;
}

/** Those of one process; they end with it. */
export class Confirmations {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A token for an order at these terms. */
  issue(order: Order, terms: object): { token: string; expiresAt: string } {
    const token = `confirm_${randomBytes(16).toString('base64url')}`;
    const expiresAt = this.#now() + LIFETIME_MS;
    this.#forget();
    this.#entries.set(token, {
      order: digestOf(order),
      terms: canonical(terms),
      expiresAt,
      isUsed: false,
    });
    return { token, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** What the token confirms. Throws `ToolRefusal` where it is unknown, too old, or of another order. */
  read(token: string, order: Order): Confirmation {
    const entry = this.#entries.get(token);
    if (!entry || entry.expiresAt <= this.#now()) {
      throw refused('CONFIRMATION_EXPIRED', 'The confirmation is unknown or has expired');
    }
    if (entry.order !== digestOf(order)) {
      throw refused('CONFIRMATION_MISMATCH', 'The confirmation is of another call');
    }
    const idempotencyKey = `mcp-${createHash('sha256').update(token).digest('hex')}`;
    return { terms: entry.terms, isUsed: entry.isUsed, idempotencyKey };
  }

  /** From here on its effect may have happened. */
  use(token: string): void {
    const entry = this.#entries.get(token);
    if (entry) entry.isUsed = true;
  }

  /** The API refused: nothing happened, and what was quoted does not hold. */
  drop(token: string): void {
    this.#entries.delete(token);
  }

  /** Expired ones, and the oldest where there are too many. */
  #forget(): void {
    for (const [token, { expiresAt }] of this.#entries) {
      const isFull = this.#entries.size >= MOST;
      if (expiresAt > this.#now() && !isFull) return;
      this.#entries.delete(token);
    }
  }
}

const refused = (code: string, message: string): ToolRefusal =>
  new ToolRefusal(message, {
    code,
    next: 'Call the tool without `confirm` for a new quote, and show it to the user.',
  });

const digestOf = (order: Order): string =>
  createHash('sha256').update(canonical(order)).digest('hex');

/** JSON whose members are in order, so that equal arguments are equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
