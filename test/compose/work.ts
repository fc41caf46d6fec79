/** Work through the composed API while its containers come and go. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isOutreachError,
  OutreachConnectionError,
  waitForCluster,
} from '../../clients/typescript/src/index.ts';
import { api, control } from '../../src/dev/tour/client.ts';
import type { Tour } from '../../src/dev/tour/tour.ts';

const ACTIVE_MS = 300_000;
const POLL_MS = 1_500;
export const CLUSTER_CENTS = 4_100;

export interface Account {
  clusters: { id: number; status: string }[];
  mailboxes: number;
  balanceCents: number;
}

/** Orders a cluster; `done` resolves when it is active. */
export async function beginCluster(tour: Tour) {
  const begun = Date.now();
  const body = { domain: `compose-${randomBytes(4).toString('hex')}.com` };
  const idempotencyKey = randomUUID();
  const create = () => api(tour).clusters.create({ body }, { idempotencyKey });
  const { id } = await patiently(create);
  return {
    id,
    done: async (): Promise<number> => {
      const pace = { pollSeconds: POLL_MS / 1_000, timeLimitSeconds: ACTIVE_MS / 1_000 };
      await patiently(() => waitForCluster(api(tour), { id }, pace));
      return Math.round((Date.now() - begun) / 1_000);
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
  const { clusters: all, mailboxes: boxes, wallet } = api(tour);
  const { items: clusters } = await patiently(async () => all.list({ limit: 100 }));
  const { items: mailboxes } = await patiently(async () => boxes.list({ limit: 100 }));
  const { balanceCents } = await patiently(() => wallet.read());
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
      const isDown = isOutreachError(error) && error.status >= 500;
      const isAway = isDown || error instanceof OutreachConnectionError;
      if (!isAway || Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
