/** What a worker serves beside its activities, and how that ends. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Served {
  /** Ends sessions, waits for them for some seconds, and gives the leases back. */
  stop(): Promise<void>;
}

/** Sessions finish the message that they are sending, deliveries are given back; nobody waits longer. */
const STOP_MS = 12_000;

/** Resolves when all have ended, or when it is time to go without them. */
export async function untilEnded(...ended: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.all(ended), sleep(STOP_MS, undefined, { ref: false })]);
}
