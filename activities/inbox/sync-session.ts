/** A sync session over the mailboxes of an inbox: polls the rows every few seconds, for hours. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  listOwnAddresses,
  syncSnapshots,
  type SyncSnapshot,
  type SyncedMailbox,
} from '../../src/db/inbox/inbox-syncs.ts';
import { findSnoozeDue, returnSnoozed } from '../../src/db/inbox/snoozed-messages.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import { joinConnections } from '../engine/held-connections.ts';
import { createWatch, HUNG_MS, type Watch } from '../engine/watch.ts';
import { createVisits } from './visits.ts';
import { holdMailbox, type WatchContext } from './watch-mailbox.ts';

/** How long a session lasts. docs/workflow-rules.md#few-temporal-actions. */
const SESSION_MS = 2 * 60 * 60_000;
/** How often the rows are polled. */
const POLL_MS = 3_000;
/** How often mailboxes of the account's other inboxes are read. */
const ADDRESSES_MS = 60_000;
/** Connections that an inbox holds at most, if the worker has room for so many; mailboxes beyond them are visited. */
const HELD_CONNECTIONS = 40;

interface Held {
  mailbox: SyncedMailbox;
  stop: AbortController;
  /** Fires when a read is requested. */
  alarm: AbortController;
  askedAt: number;
  watch: Watch;
  done: Promise<void>;
}

interface SessionOptions {
  signal: AbortSignal;
  sessionMs?: number;
  connections?: number;
  /** A mailbox without any answer for so long is begun anew. */
  hungMs?: number;
  /** What the rows of the inbox are read by; each mailbox is watched by itself. Default: the context's. */
  rows?: WatchContext['db'];
}

/** Ends after hours, when the inbox is gone, or when the signal fires. */
export async function runSyncSession(
  context: WatchContext,
  inboxId: number,
  {
    signal,
    sessionMs = SESSION_MS,
    connections = HELD_CONNECTIONS,
    hungMs = HUNG_MS,
    rows = context.db,
  }: SessionOptions,
): Promise<PageResult> {
  const held = new Map<number, Held>();
  const visits = createVisits(context, { hungMs });
  const addresses = ownAddresses(context);
  const share = joinConnections();
  // One that hangs is left, and never comes to its end.
  signal.addEventListener('abort', () => share.leave(), { once: true });
  const readSnapshot = syncSnapshots(rows, inboxId);
  const endsAt = Date.now() + sessionMs;
  let mailboxes: SyncedMailbox[] = [];
  try {
    while (!signal.aborted && Date.now() < endsAt) {
      const look = await readSnapshot();
      if (!look.isActive) return { state: 'over', isDone: true, progress: 'The inbox is gone' };
      ({ mailboxes } = look);
      const own = await addresses(look);
      const holding = { ownAddresses: own, hungMs, signal };
      const wanted = Math.min(mailboxes.length, connections);
      const most = share.most(wanted, context.config.INBOX_CONNECTIONS);
      const others = mailboxes.slice(most);
      visits.noteLooks(others.filter((mailbox) => isServed(held, mailbox)).map(({ id }) => id));
      hold(context, held, mailboxes.slice(0, most), holding);
      visits.visit(others, own, signal);
      await bringBackSnoozed(context, mailboxes);
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const { stop } of held.values()) stop.abort();
    share.leave();
    await Promise.all([...[...held.values()].map(({ done }) => done), visits.end()]);
  }
  return { state: 'active', isDone: false, progress: `${mailboxes.length} mailboxes` };
}

/**
 * The account's addresses, those of other inboxes included. Always the same set: holders of it see what
 * is added. Read from the database at intervals, and as soon as the inbox has another mailbox.
 */
function ownAddresses({ db }: WatchContext) {
  const own = new Set<string>();
  let askedAt = -Infinity;
  return async ({ userId, mailboxes }: SyncSnapshot): Promise<ReadonlySet<string>> => {
    const isKnown = mailboxes.every(({ email }) => own.has(email.toLowerCase()));
    if (isKnown && Date.now() < askedAt + ADDRESSES_MS) return own;
    askedAt = Date.now();
    for (const address of await listOwnAddresses(db, userId)) own.add(address);
    return own;
  };
}

/** Starts watching new mailboxes, stops removed ones, wakes those with a requested read. */
function hold(
  context: WatchContext,
  held: Map<number, Held>,
  mailboxes: readonly SyncedMailbox[],
  {
    ownAddresses,
    hungMs,
    signal: sessionEnds,
  }: { ownAddresses: ReadonlySet<string>; hungMs: number; signal: AbortSignal },
): void {
  const wanted = new Map(mailboxes.map((mailbox) => [mailbox.id, mailbox]));
  for (const [id, { stop, mailbox, watch }] of held) {
    const now = wanted.get(id);
    // With an outdated password or host nothing can be read any more.
    const isCurrent = now && isSameLogin(now, mailbox);
    const isHung = watch.isHung(hungMs);
    if (isHung) context.logger.error({ mailboxId: id }, 'reading a mailbox hangs and is left');
    if (isCurrent && !isHung) continue;
    // Nobody waits for its end: what hangs may never come to it.
    stop.abort();
    held.delete(id);
  }
  for (const mailbox of mailboxes) {
    const askedAt = mailbox.askedAt?.getTime() ?? 0;
    const current = held.get(mailbox.id);
    if (!current) {
      const stop = new AbortController();
      const alarms = { alarm: new AbortController(), askedAt };
      const watch = createWatch(context);
      const entry: Held = { mailbox, stop, ...alarms, watch, done: Promise.resolve() };
      held.set(mailbox.id, entry);
      const alarm = {
        reset: () => void (entry.alarm = new AbortController()),
        signal: () => entry.alarm.signal,
      };
      const { db, mailTransport, quietFor } = watch;
      const watched = { ...context, db, mailTransport };
      // Of the session, too: one that hangs is left, and never comes to its end.
      const signal = AbortSignal.any([stop.signal, sessionEnds]);
      entry.done = holdMailbox(watched, mailbox, { ownAddresses, signal, alarm, quietFor });
    } else if (askedAt > current.askedAt) {
      current.askedAt = askedAt;
      current.alarm.abort();
    }
  }
}

/** Its connection has read it, and nobody has asked for a look since: the next one may wait for its turn. */
const isServed = (held: ReadonlyMap<number, Held>, { id, syncedAt, askedAt }: SyncedMailbox) =>
  held.has(id) && syncedAt !== null && (askedAt?.getTime() ?? 0) <= held.get(id)!.askedAt;

const isSameLogin = (a: SyncedMailbox, b: SyncedMailbox): boolean =>
  a.host === b.host &&
  isDeepStrictEqual(a.password, b.password) &&
  isDeepStrictEqual(a.servers, b.servers);

async function bringBackSnoozed(
  context: WatchContext,
  mailboxes: readonly SyncedMailbox[],
): Promise<void> {
  const now = context.clock.now();
  const userIds = [...new Set(mailboxes.map(({ userId }) => userId))];
  for (const userId of await findSnoozeDue(context.db, userIds, now)) {
    await context.db.transaction().execute((trx) => returnSnoozed(trx, userId, now));
  }
}
