/** Watches one mailbox: reads its folders and waits on its INBOX until it is told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import {
  noteMailboxFailing,
  noteMailboxRead,
  readLookNeeds,
} from '../../src/db/inbox/inbox-sync-states.ts';
import type { SyncedMailbox } from '../../src/db/inbox/inbox-syncs.ts';
import { openLogin } from '../../src/db/mailboxes/mailbox-access.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { FolderRole, SyncTrouble } from '../../src/domain/inbox/inbox.ts';
import type { ImapFolder, ImapSession } from '../../src/providers/mail-transport/port.ts';
import { LONGEST_IDLE_MS } from '../engine/watch.ts';
import { noteRefusedLogin, tendForInbox } from '../warmup/tend-for-inbox.ts';
import { openings } from '../engine/openings.ts';
import { isSettled, syncFolder, type FolderMemory } from './sync-folder.ts';

export type WatchContext = Pick<
  Context,
  'db' | 'clock' | 'cipher' | 'mailTransport' | 'recipientLinks' | 'config' | 'logger'
>;

/** Delays before a mailbox that cannot be read is tried again; the last one repeats. */
const RETRY_SECONDS = [5, 30, 120, 600];
/** A mailbox in which nothing comes is looked at less often, until something comes: at most so much, and so long. */
const QUIET_POLLS = 5;
const QUIET_MS = 5 * 60_000;
/** A server that tells of changes without end is read no more often. */
const LEAST_MS = 1_000;
/** Sent first, so that an answer finds the message that it answers. */
const ORDER: readonly FolderRole[] = ['sent', 'inbox', 'junk'];

/**
 * Reads one mailbox completely and disconnects, for mailboxes beyond the number of held connections.
 * Failures are recorded. False where the host could not be reached at all: nor will its other mailboxes
 * be.
 */
export async function visitMailbox(
  context: WatchContext,
  mailbox: SyncedMailbox,
  visit: Pick<Held, 'ownAddresses' | 'signal' | 'memory'>,
): Promise<boolean> {
  let isReached = false;
  try {
    await withSession(context, mailbox, async (session) => {
      isReached = true;
      await readFolders({ context, mailbox, ...visit, session });
    });
    return true;
  } catch (error) {
    // What is given up with a worker or a lease says nothing about the mailbox.
    if (visit.signal.aborted) return isReached;
    await noteFailure(context, mailbox, error);
    return isReached || troubleOf(error) !== 'host_unreachable';
  }
}

/** Wakes a mailbox when a read is requested. */
export interface Alarm {
  /** The requests until now are about to be handled. */
  reset(): void;
  /** Fires at the next request after `reset`. */
  signal(): AbortSignal;
}

/**
 * Holds a connection until the signal fires. Never throws: failures are recorded in `mailbox_syncs` and
 * retried slowly, without disturbing other mailboxes.
 */
export async function holdMailbox(
  context: WatchContext,
  mailbox: SyncedMailbox,
  watch: {
    ownAddresses: ReadonlySet<string>;
    signal: AbortSignal;
    alarm: Alarm;
    /** Called before a pause of so many milliseconds. */
    quietFor: (ms: number) => void;
  },
): Promise<void> {
  const { signal } = watch;
  let failures = 0;
  while (!signal.aborted) {
    let endTurn: (() => void) | undefined;
    try {
      // However many are before it: each of them is watched, and its turn ends.
      watch.quietFor(Infinity);
      endTurn = await openings(signal, { account: mailbox.userId, hasFailed: failures > 0 });
      watch.quietFor(0);
      await withSession(context, mailbox, async (session) => {
        const held = { context, mailbox, ...watch, session, memory: newMemory() };
        do {
          watch.alarm.reset();
          await readFolders(held);
          endTurn?.();
          failures = 0;
          await waitForChange(held, watch.alarm);
          // One by OAuth is opened anew before its server ends it.
        } while (!signal.aborted && !hasEnded(session));
      });
    } catch (error) {
      if (signal.aborted) return;
      endTurn?.();
      await noteFailure(context, mailbox, error);
      const seconds = RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length - 1)]!;
      failures += 1;
      const isOver = AbortSignal.any([signal, watch.alarm.signal()]);
      watch.quietFor(seconds * 1_000);
      await sleep(seconds * 1_000, undefined, { signal: isOver }).catch(() => undefined);
    }
  }
}

/** What is remembered of a mailbox from look to look. */
export interface MailboxMemory {
  folders: Map<string, FolderMemory>;
  /** So many looks one after the other have found nothing new. */
  quietLooks: number;
}

export const newMemory = (): MailboxMemory => ({ folders: new Map(), quietLooks: 0 });

/** How long after a look the next one is due, where nobody asks and nothing is told. */
export function restAfterLook(pollMs: number, quietLooks: number): number {
  const times = Math.min(QUIET_POLLS, 2 ** quietLooks);
  return Math.max(pollMs, Math.min(QUIET_MS, pollMs * times));
}

export interface Held {
  context: WatchContext;
  mailbox: SyncedMailbox;
  ownAddresses: ReadonlySet<string>;
  signal: AbortSignal;
  session: ImapSession;
  memory: MailboxMemory;
}

/** A look in which nothing has changed costs a list of the folders and one statement: there are thousands a minute. */
async function readFolders(held: Held): Promise<void> {
  const { context, mailbox, session } = held;
  const startedAt = context.clock.now();
  const needs = await readLookNeeds(context.db, mailbox.id, startedAt);
  // Before the folders are listed: the list tells what it has changed, and what came meanwhile.
  if (needs.isWarmupDue) await tendForInbox(context, mailbox.id, held);
  const folders = (await session.foldersWithState()).filter(({ role }) => role !== 'other');
  folders.sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
  const { pushedPaths, isToBeNoted } = needs;
  let added = 0;
  for (const folder of folders) {
    if (held.signal.aborted) return;
    const isQuiet = folder.state && isSettled(memoryOf(held, folder), folder.state);
    if (!isQuiet || pushedPaths.has(folder.path)) added += await readFolder(held, folder);
  }
  // What was left half-way was not read.
  if (held.signal.aborted) return;
  // What was read here is told to the host in portions.
  const isQuiet = added === 0 && pushedPaths.size === 0;
  held.memory.quietLooks = isQuiet ? held.memory.quietLooks + 1 : 0;
  if (added === 0 && !isToBeNoted) return;
  const read = { startedAt, at: context.clock.now(), hasNews: added > 0 };
  await noteMailboxRead(context.db, mailbox.id, read);
}

function memoryOf({ memory }: Held, { path }: ImapFolder): FolderMemory {
  const known = memory.folders.get(path) ?? {};
  memory.folders.set(path, known);
  return known;
}

/** Returns how many messages were added. */
const readFolder = async (held: Held, folder: ImapFolder): Promise<number> =>
  (await syncFolder(held, folder, memoryOf(held, folder))).added;

const hasEnded = ({ endsAt }: ImapSession): boolean =>
  endsAt !== undefined && endsAt.getTime() <= Date.now();

const INBOX: ImapFolder = { path: 'INBOX', role: 'inbox' };

/** Reads INBOX at each change of it; ends when all folders are due to be read. */
async function waitForChange(held: Held, alarm: Alarm): Promise<void> {
  const { session, memory } = held;
  const listedAt = Date.now();
  const pollMs = held.context.config.INBOX_POLL_SECONDS * 1_000;
  /** What comes into INBOX meanwhile makes it sooner. */
  const until = () => {
    const restMs = session.tellsChanges ? restAfterLook(pollMs, memory.quietLooks) : pollMs;
    return Math.min(listedAt + restMs, session.endsAt?.getTime() ?? Infinity);
  };
  let readAt = -Infinity;
  // Where it stayed selected, changes since the list was read have been told.
  if (!session.isOpen(INBOX.path)) await readInbox(held);
  while (!held.signal.aborted && Date.now() < until()) {
    const signal = AbortSignal.any([held.signal, alarm.signal()]);
    const askedAt = Date.now();
    const limitMs = Math.max(1, Math.min(LONGEST_IDLE_MS, until() - askedAt));
    const outcome = await session.idle(limitMs, signal);
    if (outcome === 'changed') {
      const restMs = readAt + LEAST_MS - performance.now();
      if (restMs > 0)
        await sleep(restMs, undefined, { signal: held.signal }).catch(() => undefined);
      readAt = performance.now();
      await readInbox(held);
    }
    // Told to end, or ended by the server.
    else if (signal.aborted || Date.now() < askedAt + limitMs) return;
  }
}

async function readInbox(held: Held): Promise<void> {
  if ((await readFolder(held, INBOX)) > 0) held.memory.quietLooks = 0;
}

async function withSession(
  context: WatchContext,
  mailbox: SyncedMailbox,
  work: (session: ImapSession) => Promise<void>,
): Promise<void> {
  const session = await context.mailTransport.openImap(openLogin(context, mailbox.id, mailbox));
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

async function noteFailure(
  context: WatchContext,
  mailbox: SyncedMailbox,
  error: unknown,
): Promise<void> {
  context.logger.warn({ mailboxId: mailbox.id, err: error }, 'a mailbox could not be read');
  const words = error instanceof ProviderError ? error.message : 'The mailbox could not be read';
  const failure = { reason: troubleOf(error), error: words.slice(0, 500), at: context.clock.now() };
  const note = async () => {
    await noteMailboxFailing(context.db, mailbox.id, failure);
    if (failure.reason === 'login_refused') await noteRefusedLogin(context, mailbox.id);
  };
  await note().catch((err: unknown) =>
    context.logger.warn({ err }, 'a failing mailbox was not noted'),
  );
}

function troubleOf(error: unknown): SyncTrouble {
  if (!(error instanceof ProviderError)) return 'unreadable';
  if (error.kind !== 'rejected') return 'host_unreachable';
  return error.facts.providerCode === 'AUTHENTICATIONFAILED' ? 'login_refused' : 'unreadable';
}
