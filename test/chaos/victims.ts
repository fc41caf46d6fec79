/** Processes of a world that die by kill -9, and checks that their successors are up. */
import { eventually } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import type { KillPoint } from './kill-points.ts';
import {
  asNextOwnerTakes,
  countInFlight,
  nextOwner,
  nowOf,
  ownerOf,
  PATIENCE_MS,
  soon,
} from './owner-changes.ts';

export const VICTIMS = ['worker', 'api', 'postgres', 'temporal'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How long is waited for a message in flight. */
const FLIGHT_MS = 10_000;

/** kill -9; resolves when the successor answers, with who was killed. */
export async function kill(world: SharedWorld, victim: Victim): Promise<Victim> {
  await killOnly(world, victim);
  await untilBack(world, victim);
  return victim;
}

/** When the next owner of a shard dies. */
export type NextPoint = Exclude<KillPoint, 'inFlight'>;

/** In turns. */
export const nextPoint = (kills: number): NextPoint => (kills % 2 === 0 ? 'after' : 'before');

interface Aim {
  shard: number;
  point: NextPoint;
  /** Whether campaigns send there: the first kill waits for one of their messages. */
  isSending: boolean;
}

/**
 * kill -9 of the worker that has a shard, and of its successor as it takes the shard. Answers where the kills hit the
 * change of owner; a third worker is up.
 */
export async function killOwners(world: SharedWorld, aim: Aim): Promise<KillPoint[]> {
  const { hits, killNext } = await killOwner(world, aim);
  return [...hits, ...(await killNext())];
}

/** The first of the two kills; `killNext` is the second one, and waits until the third worker is up. */
export async function killOwner(
  world: SharedWorld,
  { shard, point, isSending }: Aim,
): Promise<{ hits: KillPoint[]; killNext: () => Promise<KillPoint[]> }> {
  const { db } = world;
  const flying = async () => ((await countInFlight(db, shard)) > 0 ? true : undefined);
  if (isSending) await soon('a message in flight', FLIGHT_MS, flying).catch(() => false);
  const { owner } = await ownerOf(db, shard);
  const untilNext = await strike(world, 'worker');
  const since = await nowOf(db);
  // Nobody else may touch what it left before the shard has another owner.
  const wasFlying = isSending && (await flying()) === true;
  await untilNext();
  const killNext = async (): Promise<KillPoint[]> => {
    const isHit = await killAt(world, { shard, point, owner, since });
    await untilBack(world, 'worker');
    return isHit ? [point] : [];
  };
  return { hits: wasFlying ? ['inFlight'] : [], killNext };
}

/** Whether the process that died was the one that took the shard, or was about to. */
async function killAt(
  world: SharedWorld,
  aim: { shard: number; point: NextPoint; owner: string | null; since: Date },
): Promise<boolean> {
  const { db } = world;
  const { shard, point, owner, since } = aim;
  if (point === 'after') {
    const next = await nextOwner(db, shard, owner);
    const { pids } = await world.running.read();
    await killOnly(world, 'worker');
    return next.startsWith(`${pids['worker']}@`);
  }
  let pid = -1;
  const strikeNow = async () => {
    // One that found a link broken may have left by itself, and another one asks.
    pid = (await world.running.read()).pids['worker']!;
    process.kill(pid, 'SIGKILL');
  };
  await asNextOwnerTakes(db, { shard, since, strike: strikeNow });
  const { process: holder, isHeld } = await ownerOf(db, shard);
  await untilReplaced(world, 'worker', pid);
  return !isHeld || !holder?.startsWith(`${pid}@`);
}

/** Resolves when there is another process. */
async function killOnly(world: SharedWorld, victim: Victim): Promise<void> {
  await (
    await strike(world, victim)
  )();
}

/** Kills at once; what is returned resolves when there is another process. */
async function strike(world: SharedWorld, victim: Victim): Promise<() => Promise<void>> {
  const before = (await world.running.read()).pids[victim]!;
  process.kill(before, 'SIGKILL');
  return () => untilReplaced(world, victim, before);
}

async function untilReplaced(world: SharedWorld, victim: Victim, before: number): Promise<void> {
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
