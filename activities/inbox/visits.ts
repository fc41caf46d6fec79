/**
 * Visits to mailboxes of an inbox beyond the connections that it holds: several at once, few of them at one host, the
 * one that was looked at longest ago first. Hosts that do not answer rest, and never have all places: whoever has
 * hundreds of mailboxes there has the others read in time.
 */
import type { SyncedMailbox } from '../../src/db/inbox/inbox-syncs.ts';
import { createRests } from '../engine/rests.ts';
import { createWatch, type Watch } from '../engine/watch.ts';
import {
  newMemory,
  restAfterLook,
  visitMailbox,
  type MailboxMemory,
  type WatchContext,
} from './watch-mailbox.ts';

const AT_ONCE = 6;
const PER_HOST = 2;
/** Of these, mailboxes that could not be read the last time: the others are not to wait for them. */
const FAILING_AT_ONCE = 3;
/** A first reading of years goes on at its next turn: where it was is in Postgres. */
const VISIT_MS = 5 * 60_000;
/** A mailbox that fails is left alone for as long as it has failed, at most for this time. */
const LONGEST_REST_MS = 10 * 60_000;

interface Visit {
  mailbox: SyncedMailbox;
  watch: Watch;
  stop: AbortController;
  begunAt: number;
  isFailing: boolean;
  done: Promise<void>;
}

interface Round {
  own: ReadonlySet<string>;
  signal: AbortSignal;
}

export interface Visits {
  /** Begins what is due, and what is due of these when a visit ends. */
  visit(mailboxes: readonly SyncedMailbox[], own: ReadonlySet<string>, signal: AbortSignal): void;
  /** They were held until now: their next look comes at its time. */
  noteLooks(ids: readonly number[]): void;
  /** Ends those that are under way: they go on at their next turn. Resolves when they have ended. */
  end(): Promise<unknown>;
}

export function createVisits(context: WatchContext, { hungMs }: { hungMs: number }): Visits {
  const pollMs = context.config.INBOX_POLL_SECONDS * 1_000;
  const visitedAt = new Map<number, number>();
  const memories = new Map<number, MailboxMemory>();
  const visiting = new Map<number, Visit>();
  const hosts = createRests<string>();
  let queue: SyncedMailbox[] = [];
  let isEnding = false;

  const quietMs = (id: number) => restAfterLook(pollMs, memories.get(id)?.quietLooks ?? 0);
  const lastLook = (mailbox: SyncedMailbox) => lastLookOf(mailbox, visitedAt.get(mailbox.id));
  const isDue = (mailbox: SyncedMailbox): boolean => {
    const { id, askedAt, lookedAt, failingSince } = mailbox;
    const last = visitedAt.get(id) ?? lookedAt?.getTime() ?? 0;
    if (askedAt && askedAt.getTime() > last) return true;
    const waitMs = Math.max(quietMs(id), restOf({ lookedAt, failingSince }));
    return lastLook(mailbox) + waitMs <= Date.now();
  };
  const isFailing = ({ host, failingSince }: SyncedMailbox): boolean =>
    failingSince !== null || hosts.hasFailed(host);
  const hasRoom = (mailbox: SyncedMailbox): boolean => {
    const { id, host } = mailbox;
    const others = [...visiting.values()];
    if (visiting.has(id) || others.length >= AT_ONCE || hosts.isResting(host)) return false;
    if (isFailing(mailbox) && others.filter((one) => one.isFailing).length >= FAILING_AT_ONCE)
      return false;
    const same = others.filter((one) => one.mailbox.host === host).length;
    return same < (hosts.hasFailed(host) ? 1 : PER_HOST);
  };
  const begin = (mailbox: SyncedMailbox, round: Round): void => {
    const { id, host } = mailbox;
    const memory = memories.get(id) ?? newMemory();
    memories.set(id, memory);
    visitedAt.set(id, Date.now());
    const watch = createWatch(context);
    const stop = new AbortController();
    const { db, mailTransport } = watch;
    const signal = AbortSignal.any([stop.signal, round.signal]);
    const done = visitMailbox({ ...context, db, mailTransport }, mailbox, {
      ownAddresses: round.own,
      signal,
      memory,
    }).then(
      (isReached) => {
        if (isReached) hosts.noteSuccess(host);
        else if (!signal.aborted) hosts.noteFailure(host);
      },
      (err: unknown) => context.logger.warn({ err, mailboxId: id }, 'a visit was not noted'),
    );
    const visit: Visit = {
      mailbox,
      watch,
      stop,
      begunAt: performance.now(),
      isFailing: isFailing(mailbox),
      done: done.then(() => {
        if (visiting.get(id) !== visit) return;
        visiting.delete(id);
        beginDue(round);
      }),
    };
    visiting.set(id, visit);
  };
  const beginDue = (round: Round): void => {
    for (let next; !isEnding && !round.signal.aborted && (next = queue.find(hasRoom));) {
      queue.splice(queue.indexOf(next), 1);
      begin(next, round);
    }
  };
  const leaveSlow = (): void => {
    for (const [id, { mailbox, watch, stop, begunAt }] of visiting) {
      // It comes to its end by itself.
      if (performance.now() - begunAt > VISIT_MS) stop.abort();
      if (!watch.isHung(hungMs)) continue;
      context.logger.error({ mailboxId: id }, 'reading a mailbox hangs and is left');
      stop.abort();
      hosts.noteFailure(mailbox.host);
      visiting.delete(id);
    }
  };
  return {
    visit(mailboxes, own, signal) {
      leaveSlow();
      const isThere = new Set(mailboxes.map(({ id }) => id));
      for (const id of memories.keys()) if (!isThere.has(id)) memories.delete(id);
      // It is held from now on, or gone.
      for (const [id, { stop }] of visiting) if (!isThere.has(id)) stop.abort();
      queue = mailboxes.filter(isDue).toSorted((a, b) => lastLook(a) - lastLook(b));
      beginDue({ own, signal });
    },
    noteLooks(ids) {
      for (const id of ids) visitedAt.set(id, Date.now());
    },
    end() {
      isEnding = true;
      const under = [...visiting.values()];
      for (const { stop } of under) stop.abort();
      return Promise.all(under.map(({ done }) => done));
    },
  };
}

/** What the rows say outlives the session. */
const lastLookOf = ({ syncedAt, lookedAt }: SyncedMailbox, visitedAt = 0): number =>
  Math.max(visitedAt, syncedAt?.getTime() ?? 0, lookedAt?.getTime() ?? 0);

function restOf({ lookedAt, failingSince }: Pick<SyncedMailbox, 'lookedAt' | 'failingSince'>) {
  if (!lookedAt || !failingSince) return 0;
  return Math.min(LONGEST_REST_MS, Math.max(0, lookedAt.getTime() - failingSince.getTime()));
}
