/** How much is taken of an IMAP server, which may be anybody's: all that it sends is held in memory. */
import type { ImapFlow } from 'imapflow';
import { ProviderError } from '../../domain/errors.ts';
import { PROVIDER } from './failures.ts';

/** The largest message that is asked for, where the caller does not say another. */
export const MAX_MESSAGE_BYTES = 512 * 1_024;
/** A line: results of searches are one, of some 100,000 messages. */
const MAX_LINE_BYTES = 1_000_000;
/** Up to the end of the login. */
const MAX_LOGIN_BYTES = 1_000_000;
const MAX_CHECK_BYTES = 64 * 1_024;

/** The options of imapflow; its own limits are of gigabytes. */
export function sizeLimits({
  isCheck,
  maxMessageBytes,
}: {
  isCheck: boolean;
  maxMessageBytes: number;
}) {
  const maxLiteralSize = isCheck ? MAX_CHECK_BYTES : 2 * maxMessageBytes;
  const maxLineLength = isCheck ? MAX_CHECK_BYTES : MAX_LINE_BYTES;
  // With the structure of a message, whose names may be literals.
  return { maxLiteralSize, maxLineLength, maxResponseSize: maxLiteralSize + 2 * maxLineLength };
}

/**
 * Of one command whose whole answer is kept: folders (some 200 bytes each with their state), or the messages that a
 * search finds. In lines of 20 bytes two megabytes take a second of a processor.
 */
export const MAX_LIST_BYTES = 2_000_000;
/** Of flags: a line of some 60 to 100 bytes for each message. */
const FLAG_BYTES = 300;
const MAX_FLAG_BYTES = 64_000_000;

export const flagBytes = (exists: number): number =>
  Math.min(1_000_000 + exists * FLAG_BYTES, MAX_FLAG_BYTES);

const LOOK_MS = 50;

/** The same for a login. */
export const withinLogin = <T>(client: ImapFlow, work: () => Promise<T>): Promise<T> =>
  withinBytes(client, MAX_LOGIN_BYTES, work);

/** Ends the connection when more than `maxBytes` come in meanwhile: a line is bounded, their number is not. */
export async function withinBytes<T>(
  client: ImapFlow,
  maxBytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const before = client.stats().received;
  let isOver = false;
  const look = setInterval(() => {
    if (client.stats().received - before <= maxBytes) return;
    isOver = true;
    client.close();
  }, LOOK_MS);
  const result = await work()
    .catch((error: unknown) => {
      if (!isOver) throw error;
    })
    .finally(() => clearInterval(look));
  // Some commands of imapflow answer `false` when the connection ends.
  if (isOver) throw endless();
  return result as T;
}

const endless = () =>
  new ProviderError('unavailable', `${PROVIDER}: the server sends without end`, {
    provider: PROVIDER,
    providerCode: 'too_much',
  });
