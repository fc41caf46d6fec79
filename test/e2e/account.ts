/** A user of the API: a JWT of its own (limits count by user), a wallet, clusters. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintJwt } from '../../src/dev/tokens.ts';
import type { SharedWorld } from './shared-world.ts';

export interface Answer {
  status: number;
  // Tests read whatever the API answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** The parts of a cluster that tests look at. Spec: Clusters; choices 13, 14. */
export interface ClusterAnswer {
  id: number;
  domain: string;
  status: string;
  jobId: string;
  serverId: number | null;
  ipAddress: string | null;
  mailServer: { host: string } | null;
  health: { sendingHold: string | null };
  provisioning: {
    step: string | null;
    state: string;
    steps: { name: string; state: string }[];
    error: { code: string; message: string } | null;
  };
}

export interface Account {
  userId: string;
  /** Rejects only when nobody answers; a 429 is waited out. */
  call(method: string, path: string, body?: object, headers?: object): Promise<Answer>;
  /** `data` of an answer with this status; throws on any other. */
  ask<Data>(status: number, method: string, path: string, body?: object): Promise<Data>;
  /** Opens a checkout and pays it; resolves when the money is there. */
  fund(amountCents: number): Promise<void>;
  wallet(): Promise<{ balanceCents: number; heldCents: number }>;
  /** POST /v1/clusters/create, or -with-existing-domain; 201. */
  order(domain: string, order?: ClusterOrder): Promise<ClusterAnswer>;
  cluster(id: number): Promise<ClusterAnswer>;
  /** Reads the cluster until it fits. What is down meanwhile is waited for. */
  until(
    id: number,
    what: string,
    fits: (now: ClusterAnswer) => boolean,
    everyMs?: number,
  ): Promise<ClusterAnswer>;
  /** Until it neither runs nor undoes: active, failed, or blocked. */
  settled(id: number): Promise<ClusterAnswer>;
}

export interface ClusterOrder {
  path?: 'create' | 'create-with-existing-domain';
  useExistingVps?: boolean;
  serverId?: number;
}

/** A provisioning takes seconds; on busy cores and with kills in between up to a minute. */
const UNTIL_LIMIT_MS = 150_000;
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
  const account: Account = {
    userId,
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
    async ask(status, method, path, body) {
      const answer = await account.call(method, path, body);
      if (answer.status === status) return answer.body.data;
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    },
    async fund(amountCents) {
      const { sessionId } = await account.ask<{ sessionId: string }>(201, 'POST', '/wallet/fund', {
        amountCents,
      });
      await world.control('POST', `/payments/${sessionId}/pay`, {});
      const paid = await account.ask<{ credited: boolean }>(200, 'POST', '/wallet/verify', {
        sessionId,
      });
      if (!paid.credited) throw new Error('The paid session is not credited');
    },
    wallet: () => account.ask(200, 'GET', '/wallet'),
    order: (domain, { path = 'create', ...order } = {}) =>
      account.ask(201, 'POST', `/v1/clusters/${path}`, { domain, ...order }),
    cluster: (id) => account.ask(200, 'GET', `/v1/clusters/${id}`),
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
  read: () => Promise<ClusterAnswer>,
  otherwise: string,
  fits: (now: ClusterAnswer) => boolean,
  everyMs: number,
): Promise<ClusterAnswer> {
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
  limitMs = 60_000,
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
