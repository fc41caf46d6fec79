/**
 * A user of the API: a JWT of its own (limits count by user), a wallet, clusters. Calls go by the client that users have;
 * `call` is for what it hides: statuses, whole answers, one request and no repeat of it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOutreach, type Cluster, type Outreach } from '../../clients/typescript/src/index.ts';
import { mintJwt } from '../../src/dev/tokens.ts';
import type { SharedWorld } from './shared-world.ts';

export interface Answer {
  status: number;
  // Tests read whatever the API answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export type { Cluster };

export interface Account {
  userId: string;
  /** Throws on a refusal; a 429 is waited out. */
  api: Outreach;
  /** Rejects only when nobody answers; a 429 is waited out. */
  call(method: string, path: string, body?: object, headers?: object): Promise<Answer>;
  /** Opens a checkout and pays it; resolves when the money is there. */
  fund(amountCents: number): Promise<void>;
  wallet(): Promise<{ balanceCents: number; heldCents: number }>;
  /** POST /v1/clusters/create, or -with-existing-domain; 201. */
  order(domain: string, order?: ClusterOrder): Promise<Cluster>;
  cluster(id: number): Promise<Cluster>;
  /** Reads the cluster until it fits. What is down meanwhile is waited for. */
  until(
    id: number,
    what: string,
    fits: (now: Cluster) => boolean,
    everyMs?: number,
  ): Promise<Cluster>;
  /** Until it neither runs nor undoes: active, failed, or blocked. */
  settled(id: number): Promise<Cluster>;
}

export interface ClusterOrder {
  path?: 'create' | 'create-with-existing-domain';
  useExistingVps?: boolean;
  serverId?: number;
}

/** A provisioning takes seconds; on busy cores and with kills in between up to a minute. */
const UNTIL_LIMIT_MS = 300_000;
/** The longest that a limit of the API may ask to wait. */
const HOUR_SECONDS = 3_600;
/** Below 100 calls a minute. */
const POLL_MS = 700;
/** Quick enough to see each step, for a few seconds. */
export const QUICK_POLL_MS = 200;

/** Unique in the world: what was bought stays bought. */
/** Drills make thousands of them in one world, and count each: no two may be the same. */
export const newName = (prefix: string) => `${prefix}-${randomBytes(6).toString('hex')}`;
export const newDomain = (prefix: string) => `${newName(prefix)}.com`;

export const openAccount = (world: SharedWorld, name: string): Promise<Account> =>
  accountOf(world, newName(name));

/** The account of a user who may have been here before. */
export async function accountOf(world: SharedWorld, userId: string): Promise<Account> {
  const token = await mintJwt(world.file.jwtSecret, userId);
  world.secrets.add(token);
  return accountBy(world, { userId, token });
}

/** What calls need of the world. */
export type Callable = Pick<SharedWorld, 'control' | 'fetch'> & { file: { api: string } };

/** The account that a token opens: a JWT or an API key. */
export function accountBy(
  world: Callable,
  { userId, token }: { userId: string; token: string },
): Account {
  const api = createOutreach({
    baseUrl: world.file.api,
    apiKey: token,
    maxRetryAfterSeconds: HOUR_SECONDS,
    ...(world.fetch && { fetch: world.fetch as typeof fetch }),
  });
  const account: Account = {
    userId,
    api,
    async call(method, path, body, headers = {}) {
      const answer = await (world.fetch ?? fetch)(world.file.api + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      });
      if (answer.status === 429) {
        await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
        return account.call(method, path, body, headers);
      }
      return { status: answer.status, body: await answer.json() };
    },
    async fund(amountCents) {
      const { sessionId } = await api.wallet.fund({ body: { amountCents } });
      await world.control('POST', `/payments/${sessionId}/pay`, {});
      const paid = await api.wallet.verify({ body: { sessionId } });
      if (!paid.credited) throw new Error('The paid session is not credited');
    },
    wallet: () => api.wallet.read(),
    order: (domain, { path = 'create', ...order } = {}) => {
      const body = { domain, ...order };
      return path === 'create'
        ? api.clusters.create({ body })
        : api.clusters.createWithExistingDomain({ body });
    },
    cluster: (id) => api.clusters.read({ id }),
    until: (id, what, fits, everyMs = POLL_MS) =>
      untilCluster(() => account.cluster(id), `Cluster ${id} is not ${what}`, fits, everyMs),
    settled: (id) =>
      account.until(
        id,
        'settled',
        ({ status, provisioning }) => status !== 'provisioning' || provisioning.state === 'blocked',
      ),
  };
  return account;
}

/** An account with this much money in its wallet. */
export async function fundedAccount(world: SharedWorld, name: string, cents: number) {
  const account = await openAccount(world, name);
  await account.fund(cents);
  return account;
}

async function untilCluster(
  read: () => Promise<Cluster>,
  otherwise: string,
  fits: (now: Cluster) => boolean,
  everyMs: number,
): Promise<Cluster> {
  const deadline = Date.now() + UNTIL_LIMIT_MS;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const now = await read();
      if (fits(now)) return now;
      last = { status: now.status, ...now.provisioning };
    } catch (error) {
      last = error;
    }
    await sleep(everyMs);
  }
  const seen = last instanceof Error ? last.message : JSON.stringify(last);
  throw new Error(`${otherwise} in time; last seen: ${seen}`);
}

/** Repeats `look` until it gives something other than undefined; errors are waited out. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined>,
  limitMs = 150_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  let reason: unknown;
  while (Date.now() < deadline) {
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      reason = error;
    }
    await sleep(200);
  }
  throw new Error(`${what} did not come within ${limitMs / 1_000} s`, { cause: reason });
}
