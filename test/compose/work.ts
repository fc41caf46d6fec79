/** Work through the composed API while its containers come and go. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, control } from '../../src/dev/tour/client.ts';
import type { Tour } from '../../src/dev/tour/tour.ts';

const ACTIVE_MS = 300_000;
const POLL_MS = 1_500;
export const CLUSTER_CENTS = 4_100;

interface Cluster {
  id: number;
  status: string;
  provisioning: { state: string; message: string };
}

export interface Account {
  clusters: { id: number; status: string }[];
  mailboxes: number;
  balanceCents: number;
}

/** Orders a cluster; `done` resolves when it is active. */
export async function beginCluster(tour: Tour) {
  const begun = Date.now();
  const body = { domain: `compose-${randomBytes(4).toString('hex')}.com` };
  const { id } = await patiently(() => api<Cluster>(tour, 'POST', '/v1/clusters/create', { body }));
  return {
    id,
    done: async (): Promise<number> => {
      for (;;) {
        const cluster = await patiently(() => api<Cluster>(tour, 'GET', `/v1/clusters/${id}`));
        if (cluster.status === 'active') return Math.round((Date.now() - begun) / 1_000);
        const { state, message } = cluster.provisioning;
        if (cluster.status === 'failed' || Date.now() - begun > ACTIVE_MS) {
          throw new Error(`cluster ${id} is ${cluster.status}, ${state}: ${message}`);
        }
        await sleep(POLL_MS);
      }
    },
  };
}

/** Orders one and waits for it. */
export async function orderCluster(tour: Tour): Promise<{ id: number; seconds: number }> {
  const { id, done } = await beginCluster(tour);
  return { id, seconds: await done() };
}

/** What has to outlive containers. */
export async function readAccount(tour: Tour): Promise<Account> {
  const get = <Data>(path: string) => patiently(() => api<Data>(tour, 'GET', path));
  const clusters = await get<Account['clusters']>('/v1/clusters?limit=100');
  const mailboxes = await get<unknown[]>('/v1/mailboxes?limit=100');
  const { balanceCents } = await get<{ balanceCents: number }>('/wallet');
  return {
    clusters: clusters.map(({ id, status }) => ({ id, status })),
    mailboxes: mailboxes.length,
    balanceCents,
  };
}

interface Books {
  registrars: { namecom: { orders: { domain: string }[] } };
  vps: Record<'hetzner' | 'vultr', { servers: { deletedAt: string | null }[] }>;
}

/** Rejects where a vendor sold more, or less, than there are clusters. */
export async function compareBooks(tour: Tour): Promise<string> {
  const { clusters } = await readAccount(tour);
  const books = await control<Books>(tour, 'GET', '/books');
  const domains = books.registrars.namecom.orders.map(({ domain }) => domain);
  const all = [...books.vps.hetzner.servers, ...books.vps.vultr.servers];
  const servers = all.filter(({ deletedAt }) => deletedAt === null).length;
  const inactive = clusters.filter(({ status }) => status !== 'active');
  const seen = `${clusters.length} clusters, ${domains.length} domains, ${servers} servers`;
  const isRight =
    inactive.length === 0 &&
    new Set(domains).size === domains.length &&
    domains.length === clusters.length &&
    servers === clusters.length;
  if (!isRight) throw new Error(`${seen}, ${inactive.length} not active`);
  return `${seen}, each bought once`;
}

/** Repeats what the API cannot answer while it is away: refused connections and errors of a server. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + ACTIVE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { message, cause } = error as Error;
      const words = `${message} ${cause instanceof Error ? cause.message : ''}`;
      const isAway = /fetch failed|ECONNREFUSED|ECONNRESET|answered 5\d\d|terminated/.test(words);
      if (!isAway || Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
