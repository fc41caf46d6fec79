/**
 * Operations of users on a world whose links break; each is repeated with its key until it is answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, fundedAccount, newDomain, newName, type Account } from '../e2e/account.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { purchaseTimes } from './purchase-times.ts';

export const KINDS = ['list', 'lead', 'domain', 'mailbox', 'wallet'] as const;
export type Kind = (typeof KINDS)[number];

/** A request that was answered, whose result has to exist once. */
export interface Done {
  kind: Kind;
  account: Account;
  /** A name that is unique in the world. */
  name: string;
}

export interface Shop {
  accounts: Account[];
  /** Mailboxes are created on them. */
  clusters: { account: Account; id: number; domain: string }[];
}

/** In ten operations; the rest are leads. */
const SHARES: readonly Kind[] = ['list', 'list', 'list', 'domain', 'mailbox', 'wallet'];
const OF = 12;
/** A user may make 1,000 calls an hour. */
const OPERATIONS_PER_USER = 100;
/** A twelfth of them are mailboxes, all requested by the users who have the clusters. */
const OPERATIONS_PER_CLUSTER = 5_000;
/** One for the probes, the others for operations until each link has had each fault. */
const SPARE_USERS = 6;
export const FUNDS_CENTS = 5_000;
export const PAID_CENTS = 1_000;
const AGAIN_MS = 250;
/** What a slower probe waited for is told. */
const TOLD_MS = 5_000;

/** Users with money, the first of them with a cluster each. */
export async function openShop(world: SharedWorld, operations: number): Promise<Shop> {
  const users = Math.ceil(operations / OPERATIONS_PER_USER) + SPARE_USERS;
  const accounts: Account[] = [];
  for (let n = 0; n < users; n += 1) {
    accounts.push(await fundedAccount(world, 'links', FUNDS_CENTS));
  }
  const owners = accounts.slice(0, Math.ceil(operations / OPERATIONS_PER_CLUSTER));
  const clusters = await Promise.all(
    owners.map(async (account) => {
      const domain = newDomain('links');
      const { id } = await account.order(domain);
      const { status } = await account.settled(id);
      if (status !== 'active') throw new Error(`The cluster is ${status}`);
      return { account, id, domain };
    }),
  );
  return { accounts, clusters };
}

/** One operation of a kind that `random` draws; resolves when it has its expected answer. */
export async function operate(world: SharedWorld, shop: Shop, random: () => number): Promise<Done> {
  const kind = SHARES[Math.floor(random() * OF)] ?? 'lead';
  const drawn = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const cluster = drawn(shop.clusters);
  const account = kind === 'mailbox' ? cluster.account : drawn(shop.accounts);
  const name = newName(kind);
  switch (kind) {
    case 'list':
      await persistently(account, '/v1/lead-lists', { name }, name);
      break;
    case 'lead':
      await persistently(account, '/v1/leads', leadOf(name), name);
      break;
    case 'domain':
      await persistently(account, '/v1/domains', { domain: `${name}.com` }, name);
      break;
    case 'mailbox': {
      const email = `${name}@${cluster.domain}`;
      await persistently(account, `/v1/mailboxes/cluster/${cluster.id}`, { email }, name);
      break;
    }
    case 'wallet':
      await pay(world, account, name);
      break;
    default:
      return kind satisfies never;
  }
  return { kind, account, name };
}

/** Spec: Leads, rule 1. */
const leadOf = (name: string) => ({
  company_name: name,
  people: [{ firstName: 'Lin', lastName: 'Kwell', email: `${name}@links-drill.test` }],
});

/** A checkout, its payment and webhook; polled until the money has arrived. */
async function pay(world: SharedWorld, account: Account, key: string): Promise<void> {
  const { sessionId } = await persistently<{ sessionId: string }>(
    account,
    '/wallet/fund',
    { amountCents: PAID_CENTS },
    key,
  );
  await world.control('POST', `/payments/${sessionId}/pay`, {});
  for (;;) {
    const { body } = await post(account, '/wallet/verify', { sessionId }, `${key}-verify`);
    if (body?.data?.credited === true) return;
    await sleep(AGAIN_MS);
  }
}

/** The same request with the same key, until it is answered 2xx; throws on final errors. */
async function persistently<Data>(
  account: Account,
  path: string,
  body: object,
  key: string,
): Promise<Data> {
  for (;;) {
    const answer = await post(account, path, body, key);
    if (answer.status >= 200 && answer.status < 300) return answer.body.data;
    if (answer.status >= 400 && answer.status < 500) {
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    await sleep(AGAIN_MS);
  }
}

/** No answer counts as status 0. */
const post = (account: Account, path: string, body: object, key: string) =>
  account
    .call('POST', path, body, { 'idempotency-key': key })
    .catch(() => ({ status: 0, body: undefined }));

/** A purchase uses every link: it begins now, and is over when its domain belongs to the user. */
export async function probe(
  world: SharedWorld,
  account: Account,
  report: (line: string) => void,
): Promise<{ done: Done; tookMs: number }> {
  const name = newName('probe');
  const since = Date.now();
  await persistently(account, '/v1/domains', { domain: `${name}.com` }, name);
  await eventually(`The purchase of ${name}`, async () => {
    const row = await world.db
      .selectFrom('domains')
      .select('status')
      .where('name', '=', `${name}.com`)
      .executeTakeFirst();
    return row?.status === 'active' || undefined;
  });
  const tookMs = Date.now() - since;
  if (tookMs > TOLD_MS) {
    const times = await purchaseTimes(world, { domain: `${name}.com`, since });
    report(`${name} took ${tookMs} ms: ${times}`);
  }
  return { done: { kind: 'domain', account, name }, tookMs };
}
