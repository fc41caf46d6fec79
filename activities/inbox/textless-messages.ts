/** Messages whose text did not come with them: waited for, and in the end noted without it. */
import { DAY_MS } from '../../src/domain/day.ts';
import type { Context } from '../../src/context.ts';
import { failingSince } from '../../src/db/inbox/inbox-sync-states.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { FetchedMessage } from '../../src/providers/mail-transport/port.ts';
import type { ReadMessage, FolderRead } from './read-message.ts';
import { asUnstorable } from './unstorable-messages.ts';

/** A text that its host has not given for so long will not come any more. */
const PATIENCE_MS = DAY_MS;

type TextContext = Pick<Context, 'db' | 'clock' | 'logger'>;

/**
 * Those that can be stored, and the trouble where one behind them waits for its text: the host may
 * give it later, if it is asked again. A mailbox must not stand still for ever because of one message:
 * once it has stood still for a day, messages that lay there all the time are stored as notes.
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

/** That it is there is all that is known of it. The same at every reading. */
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
