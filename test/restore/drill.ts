/** Clients order, delete and pay while a moment is chosen to which databases are put back; then all goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fundedAccount, newDomain, type Account } from '../e2e/account.ts';
import { seededRandom } from '../chaos/seeded-random.ts';
import { findProblems, recordMoment, type Remembered } from './books.ts';
import type { Order } from './order.ts';
import { answerOnce, healAll, openOperatorControls } from './operator.ts';
import { pendingWork } from './pending-work.ts';
import type { RestorableWorld } from './world.ts';

/** What is put back; `failover`: the product's Postgres dies, and a standby that lags behind takes over. */
export const PUT_BACK = ['postgres', 'temporal', 'both', 'failover'] as const;
export type PutBack = (typeof PUT_BACK)[number];

export interface RestoreDrill {
  clusters: number;
  seed: number;
  putBack: PutBack;
  report: (line: string) => void;
  /** For all clusters until the moment, and again from the restart until all is well. */
  limitMs: number;
}

const CLUSTERS_PER_USER = 4;
const MAX_IN_FLIGHT = 12;
const FUNDS_CENTS = CLUSTERS_PER_USER * 5_000;
/** Paid after the moment, so that a Postgres that is put back has not heard of it. */
const LATE_FUNDS_CENTS = 700;
/** A user has 100 calls a minute. */
const POLL_MS = 1_000;

/** Resolves with the problems, and the seconds from the start of everything until all had ended. */
export async function runRestoreDrill(restorable: RestorableWorld, drill: RestoreDrill) {
  const { world } = restorable;
  const { report } = drill;
  const random = seededRandom(drill.seed);
  const accounts: Account[] = [];
  for (let n = 0; n < Math.ceil(drill.clusters / CLUSTERS_PER_USER); n += 1) {
    accounts.push(await fundedAccount(world, `restore-${drill.seed}`, FUNDS_CENTS));
  }
  const orders = Array.from({ length: drill.clusters }, (_, n): Order => {
    const account = accounts[n % accounts.length]!;
    const isDestroyed = random() < 0.2;
    return {
      account,
      domain: newDomain('restore'),
      id: undefined,
      isDestroyed,
      isDeleteAsked: false,
    };
  });
  const clients = openClients(accounts, orders);
  const share = 0.3 + 0.3 * random();
  await clients.untilActive(Math.ceil(share * orders.length), Date.now() + drill.limitMs);
  const moments = {
    postgres: await restorable.postgres.moment(),
    temporal: (await restorable.temporal?.moment()) ?? '',
  };
  const remembered = await recordMoment(world, orders);
  report(`the moment: ${remembered.active.size} of ${orders.length} are active`);
  await Promise.all(
    accounts.map((account) => account.fund(LATE_FUNDS_CENTS).catch(() => undefined)),
  );
  await sleep(5_000 + random() * 15_000);
  await clients.pause();
  const begun = await putBack(restorable, drill, moments);
  report('everything runs again');
  clients.goOn();
  const deadline = Date.now() + drill.limitMs;
  const problems = await untilOver(restorable, { report, deadline, orders, remembered });
  await clients.end();
  return { problems, seconds: Math.round((Date.now() - begun) / 1_000) };
}

/** Answers when everything began to start again. */
async function putBack(
  restorable: RestorableWorld,
  { putBack: what, report }: RestoreDrill,
  moments: { postgres: string; temporal: string },
): Promise<number> {
  const { postgres, temporal } = restorable;
  if (what === 'failover') {
    await postgres.failOver();
    return Date.now();
  }
  await restorable.endUsers();
  report('API, worker and Temporal Server have ended');
  if (what !== 'temporal') await postgres.putBack(moments.postgres);
  if (what !== 'postgres') await temporal!.putBack(moments.temporal);
  report(`${what}: put back to the moment`);
  const begun = Date.now();
  await restorable.startUsers();
  return begun;
}

interface After {
  report: (line: string) => void;
  deadline: number;
  orders: readonly Order[];
  remembered: Remembered;
}

/** An operator answers what waits, until nothing is wrong any more, or the time is over. */
async function untilOver({ world }: RestorableWorld, after: After): Promise<string[]> {
  const { report, deadline } = after;
  const controls = await openOperatorControls(world);
  let said = 0;
  try {
    for (;;) {
      const problems = await findProblems(world, after).catch((error: Error) => [error.message]);
      if (problems.length === 0) return problems;
      if (Date.now() > deadline) {
        for (const line of await pendingWork(world).catch((error) => [String(error)])) report(line);
        return problems;
      }
      if (Date.now() - said > 20_000) {
        report(`${problems.length} are not as they should be, such as: ${problems[0]}`);
        said = Date.now();
      }
      await answerOnce(world, controls);
      await healAll(world, controls).catch((error: Error) => report(error.message));
      await sleep(3_000);
    }
  } finally {
    await controls.close();
  }
}

/** Each user orders until there is such a cluster of their own, and deletes what they do not want to keep. */
function openClients(accounts: readonly Account[], orders: readonly Order[]) {
  const over = new AbortController();
  // Some are ordered after the moment, whatever their number: their rows are lost.
  const inFlight = Math.min(MAX_IN_FLIGHT, Math.ceil(orders.length / 3));
  let isPaused = false;
  let underWay = 0;
  const active = new Set<Order>();
  const turn = async (order: Order) => {
    underWay += 1;
    try {
      if (await serve(order)) active.add(order);
    } catch {
      // Nobody answers, or it is not clear what: asked again.
    } finally {
      underWay -= 1;
    }
  };
  const client = async (account: Account) => {
    for (let turns = 0; !over.signal.aborted; turns += 1) {
      // A window of orders that are under way, as long as not all have been placed.
      const open = orders.slice(0, active.size + inFlight).filter((one) => one.account === account);
      const order = open[turns % Math.max(1, open.length)];
      if (!isPaused && order) await turn(order);
      await sleep(POLL_MS);
    }
  };
  const all = Promise.all(accounts.map(client));
  return {
    async untilActive(count: number, deadline: number) {
      while (active.size < count) {
        if (Date.now() > deadline) throw new Error(`only ${active.size} clusters became active`);
        await sleep(POLL_MS);
      }
    },
    async pause() {
      isPaused = true;
      while (underWay > 0) await sleep(100);
    },
    goOn: () => (isPaused = false),
    async end() {
      over.abort();
      await all;
    },
  };
}

/** One look of a client; true where its cluster is, or was, active. */
async function serve(order: Order): Promise<boolean> {
  const { account, domain } = order;
  const seen =
    order.id === undefined ? undefined : await account.call('GET', `/v1/clusters/${order.id}`);
  if (seen === undefined || seen.status === 404 || seen.body.data?.domain !== domain) {
    order.id = undefined;
    order.isDeleteAsked = false;
    const placed = await account.call('POST', '/v1/clusters/create', { domain });
    if (placed.status === 201) order.id = placed.body.data.id;
    return false;
  }
  const { status } = seen.body.data;
  if (status === 'failed') await account.call('POST', `/v1/clusters/${order.id}/retry`);
  if (status === 'active' && order.isDestroyed) {
    const { status: answer } = await account.call('DELETE', `/v1/clusters/${order.id}`);
    order.isDeleteAsked = answer === 200;
  }
  return ['active', 'deleting', 'deleted'].includes(status);
}
