/** Vendor faults for provisionings, drawn at random and set through the control API. */
import type { SharedWorld } from '../e2e/shared-world.ts';

/** Temporary faults, and one that a person has to repair (`auth`). */
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

/** Refused for a reason that is not the client's: the alternate vendor is asked. */
const NO_ORDERS: Draw = { vendor: 'hetzner', operation: 'POST /servers', kind: 'rejected' };

/** SSH logins to a server have no API answers. */
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

/** Sometimes longer than the world waits for a vendor's answer (3 s). */
const SLOWEST_MS = 4_000;
/** Effects become visible within the lag that the world assumes (2 s). */
const LATEST_MS = 1_500;
const MOST_TIMES = 3;

/** Adds a fault that hits the next call, or the next few. Resolves with its description. */
export async function addFault(world: SharedWorld, random: () => number): Promise<string> {
  const drawn = DRAWS[Math.floor(random() * DRAWS.length)]!;
  const times = 1 + Math.floor(random() * MOST_TIMES);
  const { vendor, kind } = drawn;
  const longestMs = kind === 'lag' ? LATEST_MS : SLOWEST_MS;
  const delayMs = 1 + Math.floor(random() * longestMs);
  await world.control('POST', '/faults', { ...drawn, times, delayMs });
  return `${vendor} ${kind} x${times}`;
}
