/**
 * The Message-IDs of warm-up messages, by which alone they are recognised.
 * docs/sending-rules.md#message-ids-of-warm-up.
 */

/** `w` and 144 random bits in base64url: nobody can guess one. */
const TOKEN = /^w[A-Za-z0-9_-]{24}$/;

/** The Message-ID of a warm-up message from a mailbox: `<w…@acme.com>`. */
export const warmupMessageId = (token: string, domain: string): string => `<${token}@${domain}>`;

/** The token of a warm-up message's Message-ID. */
export const warmupTokenOf = (messageId: string): string =>
  messageId.slice(1, messageId.indexOf('@'));

/**
 * Which of these Message-IDs may belong to warm-up messages: others need no lookup. Only a row proves that
 * one is ours (`isWarmupMessage` in `db/warmup/warmup-messages.ts`), so that a stranger cannot hide a message
 * from the user, and receivers see no mark.
 */
export const warmupIdsAmong = (messageIds: readonly string[]): string[] =>
  messageIds.filter((id) => id.includes('@') && TOKEN.test(warmupTokenOf(id)));
