/** A session of a shard: short, and it ends where nothing is due soon. Without limits it lasts for hours. */
export interface SessionLimits<Memory> {
  /** After this time, in milliseconds, it gives others a turn. */
  sessionMs: number;
  /** A longer wait than this ends it. */
  idleMs: number;
  /** What stays from one session to the next in the same process. */
  memory: Memory;
  /** False when the last session of this attempt ended well: it left nothing behind. */
  isNew: boolean;
}
