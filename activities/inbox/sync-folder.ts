/** Syncs one folder with its host: new messages, read state, deletions. RFC 4549, RFC 7162. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../src/context.ts';
import {
  countPlaces,
  deleteOtherPlaces,
  noteFolderRead,
  openFolderRow,
} from '../../src/db/inbox/mailbox-folders.ts';
import { longLookOf } from '../../src/db/inbox/inbox-sync-states.ts';
import { followSeen, type SeenAt } from '../../src/db/inbox/message-flags.ts';
import { listSeenPushes, notePushed } from '../../src/db/inbox/message-pushes.ts';
import {
  isWarmupMessage,
  noteSeedAnswer,
  noteWarmupBounce,
} from '../../src/db/warmup/warmup-messages.ts';
import { warmupIdsAmong } from '../../src/domain/warmup/warmup-message-id.ts';
import type {
  FetchedMessage,
  ImapFolder,
  ImapSession,
  FolderState,
} from '../../src/providers/mail-transport/port.ts';
import { lookAhead } from './look-ahead.ts';
import { answeredIds } from './match-sends.ts';
import { readMessage, type ReadMessage, type FolderRead } from './read-message.ts';
import { storeMessages } from './store-messages.ts';
import { asTextless, upToTextless } from './textless-messages.ts';
import { runSerially } from './serial-work.ts';

/** This much of a message is read; attachments beyond it are streamed from the host. */
const MAX_MESSAGE_BYTES = 512 * 1_024;
/** Messages of one transaction. */
const BATCH = 250;
/** Messages that are parsed before yielding to the event loop, so that database replies are handled. */
const AT_ONCE = 4;
/** Without CONDSTORE the flags of a whole folder are fetched this often at most. */
const FLAGS_EVERY_MS = 5 * 60_000;
/** Up to this size a folder's flags are fetched at every poll. */
const SMALL_FOLDER = 500;

type SyncContext = Pick<Context, 'db' | 'clock' | 'recipientLinks' | 'config' | 'logger'>;

/** What an open connection remembers of a folder. */
export interface FolderMemory {
  /** The host's state when all of it was followed the last time. */
  settled?: FolderState;
  /** Messages at the host that are not stored: warm-up messages. Unknown until counted. */
  strangers?: number;
  /** Messages at the host at the last poll. */
  exists?: number;
  flagsAt?: number;
  /** Read state by UID as the host last reported it, without CONDSTORE. */
  seen?: Map<number, boolean>;
}

export interface SyncedFolder {
  context: SyncContext;
  session: ImapSession;
  mailbox: { id: number; userId: string };
  ownAddresses: ReadonlySet<string>;
  signal: AbortSignal;
}

/**
 * Whether nothing has happened to the folder at the host since all of it was followed: no message came or went, no
 * flag changed. Never without CONDSTORE, where nobody can tell the last one.
 */
export const isSettled = ({ settled }: FolderMemory, now: FolderState): boolean =>
  now.highestModseq !== null && isDeepStrictEqual(settled, now);

/** Safe to repeat and to interrupt anywhere. Returns how many messages were added. */
export async function syncFolder(
  sync: SyncedFolder,
  folder: ImapFolder,
  memory: FolderMemory,
): Promise<{ added: number }> {
  const { context, session, mailbox } = sync;
  const opened = await session.open(folder.path);
  const key = { mailboxId: mailbox.id, path: folder.path };
  const { uidValidity, highestModseq: modseq } = opened;
  const row = await context.db
    .transaction()
    .execute((trx) => openFolderRow(trx, key, { role: folder.role, uidValidity }));
  if (row.last_uid === 0) delete memory.strangers;
  const read = { ...key, userId: mailbox.userId, role: folder.role, uidValidity };
  const isNew = opened.uidNext > row.last_uid + 1;
  const fetched = isNew ? await readNew(sync, read, row.last_uid) : NOTHING;
  if (memory.strangers !== undefined) memory.strangers += fetched.strangers;
  if (!sync.signal.aborted) await pushSeen(sync, read);
  // Not every server with CONDSTORE counts an expunge as a change.
  const hasChanged =
    row.highest_modseq === null || row.highest_modseq !== modseq || memory.exists !== opened.exists;
  const known = { lastUid: row.last_uid, modseq: row.highest_modseq };
  if (hasChanged && !sync.signal.aborted) await followHost(sync, { read, opened, known }, memory);
  // What was left half-way is followed anew.
  if (sync.signal.aborted) return { added: fetched.added };
  memory.exists = opened.exists;
  if (hasChanged || isNew) {
    await noteFolderRead(context.db, key, { modseq, at: context.clock.now() });
  }
  memory.settled = olderOf(opened, folder.state);
  return { added: fetched.added };
}

/**
 * What came between list and SELECT is read once more. Of several backends one may have listed what the other did not
 * know yet.
 */
function olderOf(opened: FolderState, listed: FolderState = opened): FolderState {
  const isOlder =
    listed.uidNext <= opened.uidNext && (listed.highestModseq ?? 0) <= (opened.highestModseq ?? 0);
  return isOlder ? listed : opened;
}

const NOTHING = { added: 0, strangers: 0 };

/** Reads and parses the next batch while the last one is stored. */
async function readNew(
  sync: SyncedFolder,
  read: FolderRead,
  afterUid: number,
): Promise<{ added: number; strangers: number }> {
  const context = { ...sync.context, signal: sync.signal };
  const range = { afterUid, maxBytes: MAX_MESSAGE_BYTES, batch: BATCH };
  const total = { added: 0, strangers: 0 };
  let fromUid = afterUid;
  let storing: Promise<unknown> = Promise.resolve();
  const sayLong = longLookOf(context, read.mailboxId);
  try {
    for await (const fetched of sync.session.fetchNew(read.path, range)) {
      const { storable, trouble } = await upToTextless(sync.context, read, fetched);
      const messages = await readAll(sync, read, storable);
      const ahead = await lookAhead(context, read, messages);
      await storing;
      if (sync.signal.aborted) break;
      await sayLong();
      const toUid = Math.max(fromUid, ...storable.map(({ uid }) => uid));
      const batch = { messages, ahead, fromUid, toUid };
      fromUid = toUid;
      total.strangers += storable.length - messages.length;
      storing = storeMessages(context, read, batch).then(({ added }) => {
        total.added += added;
      });
      // It is awaited above and below; this only prevents an unhandled rejection in between.
      storing.catch(() => undefined);
      if (trouble) throw trouble;
    }
  } finally {
    await storing;
  }
  return total;
}

/** Leaves out messages of warm-up: they are no real correspondence. */
async function readAll(
  sync: SyncedFolder,
  folder: FolderRead,
  fetched: FetchedMessage[],
): Promise<ReadMessage[]> {
  const messages: ReadMessage[] = [];
  for (const [at, each] of fetched.entries()) {
    if (at % AT_ONCE === 0) await yieldToEvents();
    const message = each.isTextless
      ? asTextless(each, folder)
      : await readMessage(each, sync.ownAddresses);
    if (!(await isOfWarmup(sync, message))) messages.push(message);
  }
  return messages;
}

/** Records a warm-up message, a seed's answer, or the bounce of one; true for these. */
async function isOfWarmup(
  { context: { db }, mailbox }: SyncedFolder,
  message: ReadMessage,
): Promise<boolean> {
  const { kind, facts } = message.verdict;
  const [own] = warmupIdsAmong([message.messageId]);
  if (own !== undefined && (await isWarmupMessage(db, mailbox.id, own))) return true;
  // A host that is still trying has not given up: RFC 3464, 2.3.3.
  if (kind === 'bounce' && facts.action === 'delayed') return false;
  const answered = warmupIdsAmong(answeredIds(message));
  if (kind !== 'bounce') {
    const { fromAddress: from, receivedAt: at } = message;
    return noteSeedAnswer(db, mailbox.id, { messageIds: answered, from, at });
  }
  return noteWarmupBounce(db, mailbox.id, answered, message.receivedAt);
}

interface FolderSnapshot {
  read: FolderRead;
  opened: FolderState;
  known: { lastUid: number; modseq: number | null };
}

/** Syncs read state and deletions of the messages that were known before. */
async function followHost(
  sync: SyncedFolder,
  { read, opened, known }: FolderSnapshot,
  memory: FolderMemory,
): Promise<void> {
  const places = await countPlaces(sync.context.db, read);
  const isShort = memory.strangers === undefined || opened.exists !== places + memory.strangers;
  const canAskChanges = opened.highestModseq !== null && known.modseq !== null;
  if (!isShort && canAskChanges) {
    const since = { modseq: known.modseq! };
    await applySeen(sync, read, asSeen(await sync.session.fetchFlags(read.path, since)));
    return;
  }
  const isDue =
    opened.exists <= SMALL_FOLDER || (memory.flagsAt ?? 0) + FLAGS_EVERY_MS <= Date.now();
  if (!isShort && !isDue) return;
  const all = asSeen(await sync.session.fetchFlags(read.path));
  memory.flagsAt = Date.now();
  const present = all.map(({ uid }) => uid);
  const upToUid = present.reduce((a, b) => Math.max(a, b), known.lastUid);
  await sync.context.db
    .transaction()
    .execute((trx) => deleteOtherPlaces(trx, read, { upToUid, present }));
  memory.strangers = all.length - (await countPlaces(sync.context.db, read));
  // Without CONDSTORE only changes seen while watching are the host's: a change of ours may be on its
  // way to the host.
  const { seen } = memory;
  const isNews = ({ uid, isSeen }: SeenAt) => !seen || (seen.get(uid) ?? isSeen) !== isSeen;
  await applySeen(sync, read, canAskChanges ? all : all.filter(isNews));
  memory.seen = new Map(all.map(({ uid, isSeen }) => [uid, isSeen]));
}

/** Marks at the host what was read here; until it has that, the host's read state is ignored. */
async function pushSeen({ context: { db }, session }: SyncedFolder, read: FolderRead) {
  const pushes = await listSeenPushes(db, read);
  const uidsOf = (isRead: boolean) =>
    pushes.filter((each) => each.isRead === isRead).map(({ uid }) => uid);
  if (pushes.length === 0) return;
  await session.addFlags(read.path, uidsOf(true), ['\\Seen']);
  await session.removeFlags(read.path, uidsOf(false), ['\\Seen']);
  await notePushed(db, pushes);
}

const applySeen = (sync: SyncedFolder, read: FolderRead, seen: readonly SeenAt[]) =>
  runSerially(
    read.userId,
    () => sync.context.db.transaction().execute((trx) => followSeen(trx, read.userId, read, seen)),
    sync.signal,
  );

const asSeen = (found: readonly { uid: number; flags: string[] }[]): SeenAt[] =>
  found.map(({ uid, flags }) => ({ uid, isSeen: flags.includes('\\Seen') }));
