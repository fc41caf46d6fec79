/** The mark on warm-up letters, by which they stay out of the user's inbox. Mail: rules of sending. */

/** Its value is the local part of the letter's Message-ID: 144 random bits, so nobody can guess one. */
export const WARMUP_HEADER = 'X-Outreach-Warmup';

/** `w` and 144 bits in base64url. */
const TOKEN = /^w[A-Za-z0-9_-]{24}$/;

/** Headers by lower-case name, as a `Map` has them; repeated ones may come as a list. */
export interface HeaderLookup {
  get(name: string): unknown;
}

/** The Message-ID of a warm-up letter from a mailbox: `<w…@acme.com>`. */
export const warmupMessageId = (token: string, domain: string): string => `<${token}@${domain}>`;

/** The token of a warm-up letter's Message-ID. */
export const warmupTokenOf = (messageId: string): string =>
  messageId.slice(1, messageId.indexOf('@'));

/**
 * Whether a letter bears the mark: well formed and equal to its own Message-ID. It is cheap and
 * comes first; that the letter is really ours is then known by its row (`isWarmupLetter` in
 * `db/warmup-letters.ts`), so that a stranger cannot hide a letter from the user with it.
 */
export function isWarmup(headers: HeaderLookup): boolean {
  const token = textOf(headers.get(WARMUP_HEADER.toLowerCase()));
  if (!TOKEN.test(token)) return false;
  return textOf(headers.get('message-id')).startsWith(`<${token}@`);
}

/** Which of these Message-IDs may be of warm-up letters: others need not be looked for. */
export const warmupIdsAmong = (messageIds: readonly string[]): string[] =>
  messageIds.filter((id) => id.includes('@') && TOKEN.test(warmupTokenOf(id)));

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
