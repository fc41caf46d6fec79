/** Messages whose text the host did not deliver: waited for, and in the end noted without it. */
import { DAY_MS } from '../../src/domain/day.ts';
import type { Context } from '../../src/context.ts';
import { failingSince } from '../../src/db/inbox/inbox-sync-states.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { FetchedMessage } from '../../src/providers/mail-transport/port.ts';
import type { ReadMessage, FolderRead } from './read-message.ts';
import { asUnstorable } from './unstorable-messages.ts';

/** A text that the host has not delivered for this long will not come any more. */
const PATIENCE_MS = DAY_MS;

type TextContext = Pick<Context, 'db' | 'clock' | 'logger'>;

/**
 * The messages that can be stored, and the failure where the next one still lacks its text: the host may
 * deliver it later. One message must not block a mailbox for ever: once blocked for a day, messages that
 * lacked their text all that time are stored as notes.
 */
export async function upToTextless(
  { db, clock, logger }: TextContext,
  { mailboxId, path }: FolderRead,
  fetched: FetchedMessage[],
): Promise<{ storable: FetchedMessage[]; trouble?: ProviderError }> {
  const textless = fetched.filter(({ isTextless }) => isTextless);
  if (textless.length === 0) return { storable: fetched };
  const now = clock.now();
  const since = (await failingSince(db, mailboxId)) ?? now;
  const isRecent = (date: Date) => date <= now && date.getTime() > now.getTime() - PATIENCE_MS;
  const waitedFor = textless
    .filter(({ internalDate }) => isRecent(since) || isRecent(internalDate))
    .map(({ uid }) => uid);
  const firstUid = Math.min(...waitedFor);
  const storable = fetched.filter(({ uid }) => uid < firstUid);
  for (const { uid, isTextless } of storable) {
    if (isTextless) logger.error({ mailboxId, path, uid }, 'a message is noted without its text');
  }
  if (waitedFor.length === 0) return { storable };
  const message = `mail-transport: the host gives no text of message ${firstUid} in ${path}`;
  const trouble = new ProviderError('unavailable', message, { provider: 'mail-transport' });
  return { storable, trouble };
}

/** Only its existence is known. Deterministic. */
export const asTextless = (
  message: FetchedMessage,
  { path, uidValidity }: FolderRead,
): ReadMessage =>
  asUnstorable({
    uid: message.uid,
    isSeen: message.flags.includes('\\Seen'),
    messageId: `${path} ${uidValidity} ${message.uid}`,
    receivedAt: message.internalDate,
    sizeBytes: message.sizeBytes,
  });
