/** Processes of a world that die by kill -9, and checks that their successors are up. */
import { sql } from 'kysely';
import { SHARDS } from '../../src/domain/shards/shards.ts';
import { eventually } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';

export const VICTIMS = ['worker', 'api', 'postgres', 'temporal'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How long a start may take beside other work: what is measured is what becomes of the orders. */
const PATIENCE_MS = 240_000;

/** kill -9; resolves when the successor answers, with who was killed. */
export async function kill(world: SharedWorld, victim: Victim): Promise<Victim> {
  await killOnly(world, victim);
  await untilBack(world, victim);
  return victim;
}

/** Kills whom `drawn` (from 0 to below 1) says; with `isAimed` the worker, and the next owner of the shard that it says. */
export async function killDrawn(
  world: SharedWorld,
  drawn: number,
  isAimed = false,
): Promise<Victim> {
  if (isAimed) await killOwners(world, Math.floor(drawn * SHARDS));
  else return kill(world, VICTIMS[Math.floor(drawn * VICTIMS.length)]!);
  return 'worker';
}

/** kill -9 of the worker that has a shard, and of its successor at the moment at which it takes the shard. */
export async function killOwners(world: SharedWorld, shard: number): Promise<string> {
  const { owner } = await ownerOf(world, shard);
  await killOnly(world, 'worker');
  await nextOwner(world, shard, owner);
  await killOnly(world, 'worker');
  await untilBack(world, 'worker');
  return 'worker and the next owner of the shard';
}

/** Resolves with the name of the process, as soon as another worker has taken the shard. */
export const nextOwner = (world: SharedWorld, shard: number, before: string | null) =>
  eventually(
    `another owner of shard ${shard}`,
    async () => {
      const { owner, process, isHeld } = await ownerOf(world, shard);
      return owner !== null && owner !== before && isHeld ? (process ?? undefined) : undefined;
    },
    PATIENCE_MS,
  );

/** Who has a shard: the key of its lease, and the process, `pid@host`. */
export const ownerOf = ({ db }: SharedWorld, shard: number) =>
  db
    .selectFrom('shards')
    .leftJoin('shard_workers', 'shard_workers.id', 'shards.owner')
    .select(['owner', 'process', sql<boolean>`leased_until > clock_timestamp()`.as('isHeld')])
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow();

/** Resolves when there is another process. */
async function killOnly(world: SharedWorld, victim: Victim): Promise<void> {
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
}

async function untilBack(world: SharedWorld, victim: Victim): Promise<void> {
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
