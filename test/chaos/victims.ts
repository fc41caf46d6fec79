/** Processes of a world that die by kill -9, and checks that their successors are up. */
import { eventually } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';

export const VICTIMS = ['worker', 'api', 'postgres', 'temporal'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How long a start may take beside other work: what is measured is what becomes of the orders. */
const PATIENCE_MS = 240_000;

/** kill -9; resolves when the successor answers. */
export async function kill(world: SharedWorld, victim: Victim): Promise<void> {
  const before = (await world.running.read()).pids[victim]!;
  process.kill(before, 'SIGKILL');
  await eventually(
    `${victim} with a new number`,
    async () => {
      const { pids } = await world.running.read();
      return pids[victim] === before ? undefined : true;
    },
    PATIENCE_MS,
  );
  await eventually(
    `an answer of ${victim}`,
    async () => {
      const { metrics, api } = await world.running.read();
      const url =
        victim === 'worker' ? new URL('/ready', metrics.worker).href : `${api}/health/ready`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      return answer.ok || undefined;
    },
    PATIENCE_MS,
  );
}
