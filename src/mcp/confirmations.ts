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

/** Of one caller: who only asks for quotes neither fills the memory nor pushes out what others may confirm. */
const MOST = 1_000;
/** Of all callers: a key is hashed before anybody asks whether it is one, and made-up ones cost nothing. */
const MOST_OF_ALL = 10_000;

interface Entry {
  principal: string;
  order: string;
  terms: string;
  expiresAt: number;
  isUsed: boolean;
}

/** Those of one process; they end with it. */
export class Confirmations {
  readonly #entries = new Map<string, Entry>();
  /** Tokens of each caller, the oldest first. */
  readonly #tokens = new Map<string, Set<string>>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A token for an order at these terms. */
  issue(order: Order, terms: object): { token: string; expiresAt: string } {
    const token = `confirm_${randomBytes(16).toString('base64url')}`;
    const expiresAt = this.#now() + LIFETIME_MS;
    const { principal } = order;
    this.#makeRoom(principal);
    const own = this.#tokens.get(principal) ?? new Set();
    this.#tokens.set(principal, own.add(token));
    this.#entries.set(token, {
      principal,
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
    const principal = this.#entries.get(token)?.principal;
    if (principal === undefined) return;
    this.#entries.delete(token);
    const own = this.#tokens.get(principal);
    own?.delete(token);
    if (own?.size === 0) this.#tokens.delete(principal);
  }

  /** How many are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** Drops what has expired, the caller's oldest where it has too many, and that of whoever has most where all have. */
  #makeRoom(principal: string): void {
    for (const [token, { expiresAt }] of this.#entries) {
      if (expiresAt > this.#now()) break;
      this.drop(token);
    }
    const [oldest, ...others] = this.#tokens.get(principal) ?? [];
    if (oldest !== undefined && others.length + 1 >= MOST) this.drop(oldest);
    if (this.#entries.size >= MOST_OF_ALL) this.#dropOfMost();
  }

  #dropOfMost(): void {
    let most = new Set<string>();
    for (const own of this.#tokens.values()) if (own.size > most.size) most = own;
    const [oldest] = most;
    if (oldest !== undefined) this.drop(oldest);
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
