/**
 * Replaces the processes of a cluster one after the other while it works, the workers once by their
 * next version.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { seededRandom } from '../chaos/seeded-random.ts';
import { killShardOwners } from './former-sessions.ts';
import { APIS, WORKERS, type Cluster } from './world.ts';

export interface Rolling {
  clusters: number;
  seed: number;
  /** Sources of the next version. */
  nextVersion: string;
  report: (line: string) => void;
  /** Once the work has ended, for whatever reason, waits end. */
  isOver: () => boolean;
  /** Called after each process that was replaced, with its name. */
  replaced: (name: string) => void;
}

export interface RollingResult {
  /** How often each process was replaced while provisionings and the campaign ran. */
  underWork: Map<string, number>;
  replaced: number;
  /** Workers that were killed as they had a shard. */
  killed: string[];
  /** Processes that did not end in time, with code 0. */
  faults: string[];
}

const POLL_MS = 500;
/** Without progress for this long the next one is replaced all the same. */
const STALL_MS = 60_000;
/** After this share of the work nothing is replaced: the new processes do the rest. */
export const LAST_MOMENT = 0.5;

/** How many processes are replaced in all. */
export const REPLACEMENTS = 2 * (APIS.length + WORKERS.length);

/**
 * All once with the same version; then all again, the workers by their next version. Resolves when
 * done.
 */
export async function replaceAll(cluster: Cluster, rolling: Rolling): Promise<RollingResult> {
  const { clusters, seed, nextVersion, report, isOver, replaced } = rolling;
  const random = seededRandom(seed);
  const all = [...APIS, ...WORKERS];
  const replacements = [
    ...shuffled(all, random).map((name) => ({ name, folder: undefined })),
    // Before the APIs: some work that the first version has begun must still be running.
    ...shuffled(WORKERS, random).map((name) => ({ name, folder: nextVersion })),
    ...shuffled(APIS, random).map((name) => ({ name, folder: undefined })),
  ];
  const result: RollingResult = { underWork: new Map(), replaced: 0, killed: [], faults: [] };
  const folders = new Map<string, string | undefined>();
  await until(async () => isOver() || (await isAtWork(cluster)));
  for (const [index, { name, folder }] of replacements.entries()) {
    await untilDone(cluster, (index / replacements.length) * LAST_MOMENT * clusters, isOver);
    if (isOver()) break;
    await replaceOne(cluster, { name, folder }, { result, report, replaced });
    folders.set(name, folder);
    if (result.killed.length > 0) continue;
    result.killed = await killShardOwners(cluster, (one) => folders.get(one));
    if (result.killed.length > 0) report(`killed as they had a shard: ${result.killed.join(', ')}`);
  }
  return result;
}

/** Ends one process and starts it anew, and notes whether there was work before and after. */
export async function replaceOne(
  cluster: Cluster,
  { name, folder }: { name: string; folder: string | undefined },
  { result, report, replaced }: Pick<Rolling, 'report' | 'replaced'> & { result: RollingResult },
): Promise<void> {
  const { world, fleet } = cluster;
  const before = await isAtWork(cluster);
  const seconds = await fleet.end(name).catch((error: Error) => {
    result.faults.push(error.message);
    return Number.NaN;
  });
  await fleet.start(cluster.spec(name, folder));
  result.replaced += 1;
  replaced(name);
  if (before && (await isAtWork(cluster))) {
    result.underWork.set(name, (result.underWork.get(name) ?? 0) + 1);
  }
  const { ended } = await provisionings(world);
  const version = folder === undefined ? '' : ' by its next version';
  report(
    `${name} replaced${version} (ended in ${seconds.toFixed(1)} s), ${ended} provisionings are over`,
  );
}

/** Waits until this many provisionings are over, or until they make no progress. */
export async function untilDone({ world }: Cluster, wanted: number, isOver: () => boolean) {
  let last = { ended: -1, at: Date.now() };
  await until(async () => {
    const { ended } = await provisionings(world);
    if (ended > last.ended) last = { ended, at: Date.now() };
    return isOver() || ended >= wanted || Date.now() - last.at > STALL_MS;
  });
}

export async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await sleep(POLL_MS);
}

/** Whether provisionings run and the campaign sends. */
export async function isAtWork({ world }: Cluster): Promise<boolean> {
  const { open } = await provisionings(world);
  return open > 0 && (await isSending(world));
}

/** A campaign is active. */
export async function isSending({ db }: Cluster['world']): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from campaigns where status = 'active'`.execute(db);
  return rows[0]!.count > 0;
}

export async function provisionings({ db }: Cluster['world']) {
  const { rows } = await sql<{ ended: number; open: number }>`
    select count(*) filter (where finished_at is not null)::int as ended,
      count(*) filter (where finished_at is null)::int as open
    from operations where kind = 'provisionCluster'`.execute(db);
  return rows[0]!;
}

export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
