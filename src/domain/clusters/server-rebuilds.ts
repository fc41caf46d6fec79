/** When a new system is asked for, and when its request counts as done: at most one may wipe what was restored. */

/** The backup that a rebuild restores: one that is made first, the newest that is there, none, or a file's name. */
export type BackupChoice = 'fresh' | 'newest' | 'none' | (string & {});

/** What the user-data of a request writes on the system that it makes. */
export const markOf = (serverId: number, ask: number): string => `rebuild-${serverId}-${ask}`;

/** Which request of this server has made the system with this mark; 0: none of them. */
export function askOf(serverId: number, mark: string | null): number {
  const [, server, ask] = /^rebuild-(\d+)-(\d+)$/.exec(mark ?? '') ?? [];
  return Number(server) === serverId ? Number(ask) : 0;
}

/** The last request, as its row has it. Times are epoch milliseconds. */
export interface LastAsk {
  number: number;
  /** What the vendor listed before it. */
  listedBefore: string | null;
  /** It was not sent later than this. */
  askedUntil: number;
  /** The vendor has taken it; null: nobody knows. */
  answeredAt: number | null;
}

/** What vendor and host show now. */
export interface Seen {
  now: number;
  /** As `ReinstallView.last`. */
  listed: string | null;
  failure: string | undefined;
  /** Which request has made the system that answers; null: no system answers. */
  systemOf: number | null;
  /** Requests up to this one were of earlier rebuilds. */
  usedAsks: number;
  /** How late the vendor may begin, and show, what it was asked for. */
  lagMs: number;
  /** How long a vendor that lists nothing may take until its new system answers. */
  patienceMs: number;
}

/**
 * - `done`: the new system is there, or on its way, and no request is under way
 * - `waiting`: that may still come
 * - `nothing`: it made nothing, and will not
 * - `failed`: the vendor began, and failed
 */
export type AskOutcome = 'done' | 'waiting' | 'nothing' | 'failed';

/** What has become of a request, while the vendor is at rest. */
export function outcomeOf(ask: LastAsk, seen: Seen): AskOutcome {
  const { now, lagMs, patienceMs, systemOf } = seen;
  if (systemOf === ask.number) return 'done';
  // Whatever is there, of whichever request: this one may still wipe it.
  if (ask.answeredAt === null && now < ask.askedUntil + lagMs) return 'waiting';
  const isListed = seen.listed !== null && Number(seen.listed) > Number(ask.listedBefore ?? '0');
  if (isListed) return seen.failure === undefined ? 'done' : 'failed';
  const isOver = now >= (ask.answeredAt ?? ask.askedUntil) + Math.max(lagMs, patienceMs);
  // An answer that the vendor's list, or its new system, does not bear out yet.
  if (ask.answeredAt !== null && !isOver) return 'waiting';
  if (systemOf !== null && systemOf > seen.usedAsks) return 'done';
  if (seen.listed !== null || systemOf !== null || isOver) return 'nothing';
  return 'waiting';
}
