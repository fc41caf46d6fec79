/** Faults of vendors that provisionings meet, drawn at random and told to the control door. */
import type { SharedWorld } from '../e2e/shared-world.ts';

/** What heals alone, and what a person has to cure (`auth`). */
const KINDS = [
  'timeout_before_effect',
  'timeout_after_effect',
  'reset',
  'error_500',
  'rate_limited',
  'slow',
  'lag',
  'auth',
] as const;

interface Draw {
  vendor: string;
  kind: string;
  operation?: string;
}

/** Refused for a reason that is not the client's: the alternate is asked. */
const NO_ORDERS: Draw = { vendor: 'hetzner', operation: 'POST /servers', kind: 'rejected' };

/** A server that is logged in to has no answers of an API. */
const DRAWS: readonly Draw[] = [
  ...['namecom', 'porkbun', 'hetzner', 'vultr'].flatMap((vendor) =>
    KINDS.map((kind) => ({ vendor, kind })),
  ),
  NO_ORDERS,
  NO_ORDERS,
  NO_ORDERS,
  { vendor: 'ssh', kind: 'reset' },
  { vendor: 'ssh', kind: 'slow' },
  { vendor: 'dns', kind: 'slow' },
];

/** Longer than the world waits for a vendor's answer (3 s), now and then. */
const SLOWEST_MS = 4_000;
/** Effects are seen within the lag that the world reckons with (2 s). */
const LATEST_MS = 1_500;
const MOST_TIMES = 3;

/** Adds one fault that hits the next call, or the next few. Resolves with what it is. */
export async function addFault(world: SharedWorld, random: () => number): Promise<string> {
  const drawn = DRAWS[Math.floor(random() * DRAWS.length)]!;
  const times = 1 + Math.floor(random() * MOST_TIMES);
  const { vendor, kind } = drawn;
  const longestMs = kind === 'lag' ? LATEST_MS : SLOWEST_MS;
  const delayMs = 1 + Math.floor(random() * longestMs);
  await world.control('POST', '/faults', { ...drawn, times, delayMs });
  return `${vendor} ${kind} x${times}`;
}
