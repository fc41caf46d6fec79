/** Clusters provisioned and destroyed over HTTP while processes die and vendors fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { runCommand } from '../../src/cli/program.ts';
import { eventually, fundedAccount, type Account } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { importDomains, persistently, placeOrder, POLL_MS, type Order } from './cluster-orders.ts';
import { drawWishes, type Wish } from './cluster-wishes.ts';
import { seededRandom } from './seeded-random.ts';
import { addFault } from './vendor-faults.ts';
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import { SHARDS } from '../../src/domain/shards/shards.ts';
import { addHits, newKills, type Kills } from './kill-points.ts';
import { kill, killOwners, nextPoint, VICTIMS, type Victim } from './victims.ts';

export interface ProvisioningDrill {
  clusters: number;
  kills: number;
  seed: number;
  /** Each kill takes the worker, and its successor as it takes a shard. */
  isAimed?: boolean;
  report: (line: string) => void;
  /** Whether the `n`th cluster (from 0) may be ordered already; without it, all may. */
  mayOrder?: (n: number) => boolean;
}

export interface ProvisioningDrillResult {
  orders: Order[];
  accounts: Account[];
  /** How often each process was killed. */
  kills: Partial<Record<Victim, number>>;
  /** Where they hit a shard as it changed its owner. */
  ownerKills: Kills;
  faults: number;
  /** How many operations were blocked at least once. */
  blocked: number;
  seconds: number;
}

/** More than any of them may spend: the rest must be accounted for, too. */
export const FUNDS_PER_CLUSTER_CENTS = 5_000;

/** A user may make 100 calls a minute. */
const CLUSTERS_PER_USER = 4;
/** How many are provisioned at a time. */
const IN_FLIGHT = 24;
/** Without progress for this long a process is killed all the same. */
const STALL_MS = 60_000;
/** After this share of the work there are no kills, so that each kill meets some. */
const LAST_KILL = 0.85;

const limitMsOf = ({ clusters, kills }: ProvisioningDrill) =>
  300_000 + clusters * 20_000 + kills * 30_000;

/** Runs until everything has ended, or throws what did not end. */
export async function runProvisioningDrill(
  world: SharedWorld,
  drill: ProvisioningDrill,
): Promise<ProvisioningDrillResult> {
  const startedAt = Date.now();
  const deadline = startedAt + limitMsOf(drill);
  const users = Math.ceil(drill.clusters / CLUSTERS_PER_USER);
  const accounts: Account[] = [];
  for (let n = 0; n < users; n += 1) {
    const funds = CLUSTERS_PER_USER * FUNDS_PER_CLUSTER_CENTS;
    accounts.push(await fundedAccount(world, `chaos-${drill.seed}`, funds));
  }
  const wishes = drawWishes(accounts, drill.clusters, drill.seed);
  await importDomains(world, wishes);
  const orders: Order[] = [];
  const shop = shopping(world, drill, { wishes, orders, deadline });
  // Its error is handled below, after the last kill.
  shop.catch(() => undefined);
  const strikes = await strike(world, drill, { wishes, orders });
  await shop;
  await world.control('DELETE', '/faults');
  drill.report(`everything is asked for after ${secondsSince(startedAt)} s`);
  await untilOver(world, orders, deadline);
  const blocked = await countBlocked(world, orders);
  return { orders, accounts, ...strikes, blocked, seconds: secondsSince(startedAt) };
}

const secondsSince = (at: number) => Math.round((Date.now() - at) / 1_000);

/** Orders all clusters, some at a time, and deletes those marked for it once they are active. */
async function shopping(
  world: SharedWorld,
  { mayOrder = () => true }: ProvisioningDrill,
  books: { wishes: readonly Wish[]; orders: Order[]; deadline: number },
): Promise<void> {
  const { wishes, orders, deadline } = books;
  const wanted = [...wishes];
  // A user's first order brings the server that later ones use.
  const firsts = new Map<Account, Promise<unknown>>();
  const buy = async (wish: Wish) => {
    while (!mayOrder(wish.n) && Date.now() < deadline) await sleep(POLL_MS);
    if (wish.useExistingVps) await firsts.get(wish.account);
    const order = await placeOrder(world, wish, deadline);
    orders.push(order);
    return { id: order.clusterId, status: await untilSettled(world, order.clusterId, deadline) };
  };
  const buyer = async () => {
    for (let next = wanted.shift(); next; next = wanted.shift()) {
      const { account, isDestroyed } = next;
      const bought = buy(next);
      if (!firsts.has(account))
        firsts.set(
          account,
          bought.catch(() => undefined),
        );
      const { id, status } = await bought;
      if (status === 'active' && isDestroyed) {
        await persistently(deadline, [200], () => account.call('DELETE', `/v1/clusters/${id}`));
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, buyer));
}

/** Until it is active, failed, or blocked: the window is for running work. */
async function untilSettled(world: SharedWorld, clusterId: number, deadline: number) {
  const read = () =>
    world.db
      .selectFrom('clusters')
      .innerJoin('operations', 'operations.id', 'clusters.operation_id')
      .select(['clusters.status', 'operations.blocked_at'])
      .where('clusters.id', '=', clusterId)
      .executeTakeFirstOrThrow();
  for (;;) {
    const now = await read().catch(() => undefined);
    if (now && (now.status !== 'provisioning' || now.blocked_at)) return now.status;
    if (Date.now() > deadline) throw new Error(`cluster ${clusterId} does not get on`);
    await sleep(POLL_MS);
  }
}

/** Kills are spread over the steps, not over the time; each comes with vendor faults. */
async function strike(
  world: SharedWorld,
  drill: ProvisioningDrill,
  { wishes, orders }: { wishes: readonly Wish[]; orders: Order[] },
) {
  const random = seededRandom(drill.seed);
  const all = stepsOf(wishes);
  const moments = Array.from({ length: drill.kills }, () => random() * LAST_KILL * all).toSorted(
    (a, b) => a - b,
  );
  const kills: Partial<Record<Victim, number>> = {};
  const ownerKills = newKills();
  let faults = 0;
  let said = { done: -1, at: Date.now() };
  for (const [index, moment] of moments.entries()) {
    for (;;) {
      const done = await countSteps(world, orders).catch(zeroWhileDown);
      if (done > said.done) said = { done, at: Date.now() };
      if (done >= moment || Date.now() - said.at > STALL_MS) break;
      await sleep(POLL_MS);
    }
    const fault = await addFault(world, random);
    faults += 1;
    const drawn = random();
    const victim = drill.isAimed ? 'worker' : VICTIMS[Math.floor(drawn * VICTIMS.length)]!;
    let words: string = victim;
    if (drill.isAimed) {
      const shard = Math.floor(drawn * SHARDS);
      const aim = { shard, point: nextPoint(index), isSending: false };
      words = addHits(ownerKills, await killOwners(world, aim));
    } else await kill(world, victim);
    said = { ...said, at: Date.now() };
    kills[victim] = (kills[victim] ?? 0) + 1;
    drill.report(`kill ${index + 1}: ${words} after ${said.done} steps, with ${fault}`);
  }
  return { kills, ownerKills, faults };
}

/** Seven steps of a provisioning, five of a deletion. */
const stepsOf = (wishes: readonly Wish[]) =>
  wishes.length * 7 + wishes.filter(({ isDestroyed }) => isDestroyed).length * 5;

async function countSteps({ db }: SharedWorld, orders: Order[]): Promise<number> {
  if (orders.length === 0) return 0;
  const { rows } = await sql<{ done: number }>`
    select count(*)::int as done from operations o, jsonb_array_elements(o.steps) as part
    where o.resource_type = 'cluster' and o.resource_id in (${idsOf(orders)})
      and (o.finished_at is not null or part ->> 'state' not in ('pending', 'running'))
  `.execute(db);
  return rows[0]!.done;
}

/** Postgres may be down because of a kill; any other error is a mistake in the drill. */
function zeroWhileDown(error: unknown): number {
  if (isDatabaseDown(error)) return 0;
  throw error;
}

const idsOf = (orders: readonly Order[]) => sql.join(orders.map(({ clusterId }) => clusterId));

/** Answers all blocked operations with the operators' command, and repeats pending deletions. */
async function untilOver(world: SharedWorld, orders: Order[], deadline: number): Promise<void> {
  await eventually(
    'The end of every operation',
    async () => {
      for (const step of await blockedSteps(world, orders)) await retryAll(world, step);
      const open = await openOrders(world, orders);
      for (const { account, clusterId } of open.filter(({ mustGo }) => mustGo)) {
        await account.call('DELETE', `/v1/clusters/${clusterId}`);
      }
      if (open.length === 0) return true;
      await sleep(POLL_MS * 4);
      return undefined;
    },
    Math.max(60_000, deadline - Date.now()),
  ).catch(() => undefined);
}

/** Orders whose operation runs, and those that became active late and must still be deleted. */
export async function openOrders({ db }: SharedWorld, orders: readonly Order[]) {
  const { rows } = await sql<{ id: number; status: string; state: string; isOver: boolean }>`
    select c.id, c.status, concat_ws(' ', o.state, o.step, o.error_message) as state,
      o.finished_at is not null as "isOver"
    from clusters c join operations o on o.id = c.operation_id
    where c.id in (${idsOf(orders)})`.execute(db);
  return orders.flatMap((order) => {
    const row = rows.find(({ id }) => id === order.clusterId);
    const mustGo = row?.status === 'active' && order.isDestroyed;
    if (row?.isOver && !mustGo) return [];
    return [{ ...order, mustGo, state: row?.state ?? 'no row' }];
  });
}

async function blockedSteps({ db }: SharedWorld, orders: readonly Order[]): Promise<string[]> {
  const { rows } = await sql<{ step: string }>`
    select distinct step from operations where blocked_at is not null and finished_at is null
      and resource_type = 'cluster' and resource_id in (${idsOf(orders)})`.execute(db);
  return rows.map(({ step }) => step);
}

/** `outreach ops retry-all`, as the runbook says. */
async function retryAll({ file }: SharedWorld, step: string): Promise<void> {
  const io = {
    out: () => undefined,
    err: () => undefined,
    environment: {
      DATABASE_URL: file.databaseUrl,
      TEMPORAL_ADDRESS: file.temporalAddress,
      TEMPORAL_NAMESPACE: file.temporalNamespace,
    },
  };
  const words = ['--step', step, '--reason', 'the vendor is well again', '--actor', 'chaos'];
  await runCommand(['ops', 'retry-all', ...words, '--wait', '0'], io);
}

async function countBlocked({ db }: SharedWorld, orders: readonly Order[]): Promise<number> {
  const { rows } = await sql<{ blocked: number }>`
    select count(distinct e.operation_id)::int as blocked from operation_events e
    join operations o on o.id = e.operation_id
    where e.kind = 'blocked' and o.resource_type = 'cluster'
      and o.resource_id in (${idsOf(orders)})`.execute(db);
  return rows[0]!.blocked;
}
