/** Domain names whose first label selects a behaviour, without the control API. */
import type { Store } from './store.ts';

export const MAGIC_PREFIXES = [
  'taken',
  'premium',
  'slow',
  'flaky',
  'lost-answer',
  'no-capacity',
] as const;
export type MagicPrefix = (typeof MAGIC_PREFIXES)[number];

/** How long each vendor call about a `slow-*` domain takes. */
export const SLOW_CALL_MS = 2_000;

/** `premium-acme.com`, `mail.premium-acme.com` and `ns.premium-acme.com.` are all `premium`. */
export function magicOf(name: string | undefined): MagicPrefix | undefined {
  if (name === undefined) return undefined;
  const labels = name.toLowerCase().split('.');
  return MAGIC_PREFIXES.find((prefix) => labels.some((label) => label.startsWith(`${prefix}-`)));
}

/** `isMagic('no-capacity', 'mail.no-capacity-1.com')`: whether the name asks for that behaviour. */
export const isMagic = (prefix: MagicPrefix, name: string | undefined): boolean =>
  magicOf(name) === prefix;

/**
 * `flaky-*`: every second call of an operation about the domain fails, the first one included. Counted
 * by operation: with a single count the same half of "read, then write" would fail for ever. The count
 * is journalled, so a restart does not change which call fails.
 */
export function flakyCallFails(store: Store, operation: string, name: string): boolean {
  const key = `${operation.replaceAll(/\/\d+(?=\/|$)/g, '/{id}')} ${name}`;
  const { calls } = store.get<{ calls: number }>('flaky', key) ?? { calls: 0 };
  store.put('flaky', key, { calls: calls + 1 });
  return calls % 2 === 0;
}

/**
 * `lost-answer-*`: true once per vendor and domain, for the purchase whose answer is never sent; at Name.com
 * also for the first renewal.
 */
export function answerIsLost(store: Store, vendor: string, name: string): boolean {
  if (!isMagic('lost-answer', name)) return false;
  if (store.get('lost-answers', `${vendor}:${name}`) !== undefined) return false;
  store.put('lost-answers', `${vendor}:${name}`, { name });
  return true;
}
