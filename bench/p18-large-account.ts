/**
 * P18: what pages, searches and counts take in an account with a million leads / in one with a thousand
 * beside it, and how long requests take while a list of them is deleted.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { listDeletionActivities } from '../activities/leads/list-deletions.ts';
import { openDatabase } from '../src/db/database.ts';
import type { Database } from '../src/db/tables.ts';
import { createRecipientLinks } from '../src/encryption/recipient-links.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { accountOf, KINDS, type Account } from './account-reads.ts';
import { addAccounts } from './large-account.ts';
import { withPostgres } from './postgres.ts';
import { machine, median } from './rounds.ts';
import { serveApi } from './served-api.ts';
import { keepSearchable } from './standing-work.ts';
import { clientOf, type Client } from './timed-client.ts';

const GOALS = { ratio: 1.5, requestMs: 200, unsubscribeMs: 1_000 };
const {
  leads: LEADS,
  deleted: DELETED = LEADS / 10,
  messages: MESSAGES = 2 * LEADS,
  requests: REQUESTS,
  rounds: ROUNDS,
  keep: KEPT,
  deletion: HAS_DELETION,
} = optionsOf<
  Record<'leads' | 'requests' | 'rounds', number> & {
    deleted?: number;
    messages?: number;
    keep?: string;
    deletion: boolean;
  }
>(
  bench('p18', 'p99 of pages, searches and counts in a large account / in a small one.')
    .option('--leads <n>', 'of the large account', count, 1_000_000)
    .option('--deleted <n>', 'leads of the list that is deleted; a tenth of all by default', count)
    .option('--messages <n>', 'of the large account; two for each lead by default', count)
    .option('--requests <n>', 'of each kind to each account, in turns', count, 200)
    .option('--rounds <n>', 'of all kinds, of which the middle one counts', count, 3)
    .option('--keep <folder>', 'keeps the database there; a later run uses what it finds')
    .option('--no-deletion', 'deletes no list'),
);
const FEW = 1_000;
/** How long the others run alone first: on a busy machine they wait even without a deletion. */
const ALONE_MS = 10_000;
const KEYS = `bench:${Buffer.alloc(32, 7).toString('base64')}`;
const links = createRecipientLinks({ publicUrl: 'http://bench.test', keys: KEYS });

await withPostgres(
  async ({ ownerUrl, appUrl }) => {
    const db = openDatabase(appUrl, { poolSize: 3 });
    if (!(await hasAccounts(db))) await writeAccounts(ownerUrl);
    const endStanding = await keepSearchable(db);
    const small = await accountOf(db, 'small');
    const large = await accountOf(db, 'large');
    process.env.ENCRYPTION_KEYS = KEYS;
    const api = await serveApi('api-server.ts', [appUrl, 'account']);
    try {
      const client = clientOf(api.port);
      await comparePages(client, small, large);
      if (HAS_DELETION) await deleteBesideOthers(client, db, { small, large });
      console.log(
        `(${LEADS} leads, ${MESSAGES} messages, ${ROUNDS} x ${REQUESTS} requests of each kind, ${await machine()})`,
      );
    } finally {
      api.stop();
      await endStanding();
      await db.destroy();
    }
  },
  { kept: KEPT, isLarge: true },
);

async function hasAccounts(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('users').select('user_id').limit(1).execute()).length > 0;
}

async function writeAccounts(ownerUrl: string): Promise<void> {
  const started = performance.now();
  await addAccounts(ownerUrl, [
    { userId: 'small', leads: FEW, deleted: FEW / 10, lists: 10, messages: 2 * FEW },
    { userId: 'large', leads: LEADS, deleted: DELETED, lists: 1_000, messages: MESSAGES },
  ]);
  console.log(`${LEADS} leads written in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
}

/** Any other load on the machine hits both accounts alike, and the median of the rounds counts. */
async function comparePages(client: Client, small: Account, large: Account): Promise<void> {
  const rounds = new Map<string, Times[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [kind, pathOf] of Object.entries(KINDS)) {
      const times = await alternately({
        small: await asker(client, small, pathOf),
        large: await asker(client, large, pathOf),
      });
      rounds.set(kind, [...(rounds.get(kind) ?? []), times]);
    }
    console.error(`round ${round + 1} of ${ROUNDS} done`);
  }
  const ratios: number[] = [];
  const middles: number[] = [];
  console.log('p50 and p99 in ms: small, large; p99 large / small (p50)');
  for (const [kind, each] of rounds) {
    const middle = (of: (times: Times) => number) => median(each.map(of));
    const ratio = middle(({ small: few, large: many }) => p99(many) / p99(few));
    const p50 = middle(({ small: few, large: many }) => median(many) / median(few));
    ratios.push(ratio);
    middles.push(p50);
    const shown = (['small', 'large'] as const).map((size) =>
      [median, p99].map((of) => middle((times) => of(times[size])).toFixed(1)).join(' '),
    );
    console.log(
      `${kind.padEnd(34)} ${shown.join('   ').padEnd(28)} ${ratio.toFixed(2)} (${p50.toFixed(2)})`,
    );
  }
  const over = (all: number[]) => all.filter((ratio) => ratio > GOALS.ratio).length;
  console.log(
    `P18 pages ratio=${median(ratios).toFixed(2)} worst=${Math.max(...ratios).toFixed(2)} ` +
      `goal=<=${GOALS.ratio} (${over(ratios)} of ${ratios.length} kinds are over it; p50 ` +
      `${median(middles).toFixed(2)}, worst ${Math.max(...middles).toFixed(2)}, ${over(middles)} over)`,
  );
}

type Times = Record<'small' | 'large', number[]>;

async function alternately(ask: Record<keyof Times, () => Promise<number>>): Promise<Times> {
  const times: Times = { small: [], large: [] };
  for (let at = -5; at < REQUESTS; at += 1) {
    const sizes = ['small', 'large'] as const;
    for (const size of at % 2 === 0 ? sizes : sizes.toReversed()) {
      const took = await ask[size]();
      if (at >= 0) times[size].push(took);
    }
  }
  return times;
}

async function asker(client: Client, account: Account, pathOf: (account: Account) => string) {
  let path = pathOf(account);
  if (path.endsWith('cursor=')) {
    const { text } = await client.ask(account.key, path.replace('&cursor=', ''));
    path += /"nextCursor":"([^"]+)"/.exec(text)![1]!;
  }
  return async () => (await client.ask(account.key, path)).took;
}

/** How long others wait meanwhile: pages of both accounts, and recipients who unsubscribe. */
async function deleteBesideOthers(
  client: Client,
  db: Kysely<Database>,
  accounts: { small: Account; large: Account },
): Promise<void> {
  const sends = await db
    .selectFrom('sends')
    .select('id')
    .where('user_id', '=', 'large')
    .orderBy('id')
    .execute();
  const ids = sends.map(({ id }) => id);
  const alone = await othersDuring(wait(ALONE_MS), client, { ...accounts, sends: ids });
  const beside = await othersDuring(deleteList(client, db, accounts.large), client, {
    ...accounts,
    sends: ids.slice(alone.unsubscribes.length),
  });
  const longest = (times: number[]) => Math.max(0, ...times).toFixed(0);
  console.log(`the longest others: ${alone.slowest}; beside the deletion ${beside.slowest}`);
  const shown = (name: 'requests' | 'unsubscribes') =>
    `(${beside[name].length}; p99 ${p99(beside[name]).toFixed(0)}; ` +
    `without a deletion ${longest(alone[name])}, p99 ${p99(alone[name]).toFixed(0)})`;
  console.log(
    `P18 beside=${longest(beside.requests)} ms goal=<=${GOALS.requestMs} ms ${shown('requests')}\n` +
      `P18 unsubscribe=${longest(beside.unsubscribes)} ms goal=<=${GOALS.unsubscribeMs} ms ` +
      shown('unsubscribes'),
  );
}

async function deleteList(client: Client, db: Kysely<Database>, large: Account): Promise<void> {
  const path = `/v1/lead-lists/${large.goingList}`;
  const started = performance.now();
  const deleted = await client.ask(large.key, path, 'DELETE', { mayFail: true });
  // The same activities as in the worker.
  const worker = listDeletionActivities({ db });
  for (let isDone = false; !isDone;) {
    const portions = await worker.removeListPortions({ leadListId: large.goingList });
    console.error(`removed ${portions.progress}`);
    isDone = portions.isDone;
  }
  const removed = performance.now() - started;
  const failure = deleted.status === 200 ? '' : `, and failed: ${deleted.text.slice(0, 200)}`;
  console.log(
    `deleting the list of ${DELETED} leads took ${deleted.took.toFixed(0)} ms${failure}; ` +
      `its rows were gone after ${(removed / 1_000).toFixed(1)} s`,
  );
}

/** Milliseconds that others wait meanwhile: for pages of both accounts, and to unsubscribe. */
async function othersDuring(
  work: Promise<unknown>,
  client: Client,
  { small, large, sends }: { small: Account; large: Account; sends: readonly number[] },
): Promise<Record<'requests' | 'unsubscribes', number[]> & { slowest: string }> {
  const waits = { requests: [] as number[], unsubscribes: [] as number[] };
  const longest = new Map<string, number>();
  let isGoing = true;
  const pages = async (account: Account) => {
    const kinds = Object.entries(KINDS).map(([kind, pathOf]) => ({ kind, path: pathOf(account) }));
    for (let at = 0; isGoing; at = (at + 1) % kinds.length) {
      const { kind, path } = kinds[at]!;
      if (path.endsWith('cursor=')) continue;
      const { took } = await client.ask(account.key, path);
      waits.requests.push(took);
      const name = `${kind} (${account.userId})`;
      longest.set(name, Math.max(took, longest.get(name) ?? 0));
    }
  };
  const unsubscribes = async () => {
    for (const id of sends) {
      if (!isGoing) return;
      const link = new URL(links.unsubscribeUrl(id)).pathname;
      waits.unsubscribes.push((await client.ask('', link, 'POST')).took);
      await wait(20);
    }
  };
  const others = Promise.all([pages(small), pages(large), unsubscribes()]);
  const watched = setInterval(() => {
    const [request, unsubscribe] = [waits.requests, waits.unsubscribes].map((of) =>
      Math.max(...of),
    );
    console.error(
      `so far request ${request!.toFixed(0)} ms, unsubscribe ${unsubscribe!.toFixed(0)} ms`,
    );
  }, 60_000);
  await work;
  clearInterval(watched);
  isGoing = false;
  await others;
  const slowest = [...longest].toSorted(([, one], [, other]) => other - one).slice(0, 5);
  return { ...waits, slowest: slowest.map(([name, ms]) => `${name} ${ms.toFixed(0)}`).join(', ') };
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!;
}
