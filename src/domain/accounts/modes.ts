/**
 * Live and test mode: each has a database, a namespace of Temporal and vendors of its own, so that rows of the two
 * never meet. docs/test-mode.md
 */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** What the keys of a mode begin with. Spec: Authentication; choice 110. */
export const KEY_PREFIXES: Readonly<Record<Mode, string>> = { live: 'svc_', test: 'svc_test_' };

/** Where a session (JWT), a link in a message or a payment's webhook finds test mode. */
export const TEST_PATH = '/test';

/** Ids of test rows begin here: one that is used in the wrong mode names nothing. Choice 112. */
export const FIRST_TEST_ID = 1_000_000_000;

/** Play money of a new test account. Choice 113. */
export const PLAY_MONEY_CENTS = 1_000_000;

/** The mode that a key says it is of; undefined for what is no key. */
export function modeOfKey(token: string): Mode | undefined {
  if (token.startsWith(KEY_PREFIXES.test)) return 'test';
  return token.startsWith(KEY_PREFIXES.live) ? 'live' : undefined;
}
