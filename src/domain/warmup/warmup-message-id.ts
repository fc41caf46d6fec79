/** The Message-IDs of warm-up messages, the one thing by which they are known. Mail: rules of sending. */

/** `w` and 144 random bits in base64url: nobody can guess one. */
const TOKEN = /^w[A-Za-z0-9_-]{24}$/;

/** The Message-ID of a warm-up message from a mailbox: `<w…@acme.com>`. */
export const warmupMessageId = (token: string, domain: string): string => `<${token}@${domain}>`;

/** The token of a warm-up message's Message-ID. */
export const warmupTokenOf = (messageId: string): string =>
  messageId.slice(1, messageId.indexOf('@'));

/**
 * Which of these Message-IDs may be of warm-up messages: others need not be looked for. That one is
 * really ours is known by its row (`isWarmupMessage` in `db/warmup/warmup-messages.ts`), so that a stranger
 * cannot hide a message from the user, and receivers see no mark.
 */
export const warmupIdsAmong = (messageIds: readonly string[]): string[] =>
  messageIds.filter((id) => id.includes('@') && TOKEN.test(warmupTokenOf(id)));
