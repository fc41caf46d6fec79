/** What the vendors believe about one domain, and what the API's client was charged for it. */
import type { Account } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** A world that shows its vendors' books. */
type Booked = Pick<SharedWorld, 'control'>;

interface Books {
  registrars: {
    namecom: {
      orders: { domain: string; kind: string; amountCents: number }[];
      records: { domain: string; type: string; name: string; value: string }[];
    };
  };
  vps: {
    hetzner: {
      servers: { name: string; labels: Record<string, string>; deletedAt: string | null }[];
      sshKeys: { name: string }[];
    };
    vultr: { servers: { tags: string[]; deletedAt: string | null }[] };
  };
}

export interface DomainBooks {
  orders: number;
  liveServers: number;
  records: { type: string; name: string; value: string }[];
}

export async function booksOf(world: Booked, domain: string): Promise<DomainBooks> {
  const books = await world.control<Books>('GET', '/books');
  const { orders, records } = books.registrars.namecom;
  const { hetzner, vultr } = books.vps;
  const servers = [
    ...hetzner.servers.filter(({ labels }) => labels['domain'] === domain),
    ...vultr.servers.filter(({ tags }) => tags.includes(`domain=${domain}`)),
  ];
  return {
    orders: orders.filter((order) => order.domain === domain && order.kind === 'register').length,
    liveServers: servers.filter(({ deletedAt }) => deletedAt === null).length,
    records: records
      .filter((record) => record.domain === domain)
      .map(({ type, name, value }) => ({ type, name, value })),
  };
}

/** What became of an order: the cluster, the vendors' books about it, and the wallet. */
export async function outcomeOf(
  world: Booked,
  account: Pick<Account, 'settled' | 'wallet'>,
  cluster: { id: number; domain: string },
) {
  const { status, provisioning } = await account.settled(cluster.id);
  const { orders, liveServers } = await booksOf(world, cluster.domain);
  const { balanceCents, heldCents } = await account.wallet();
  const code = provisioning.error?.code;
  return { status, state: provisioning.state, code, orders, liveServers, balanceCents, heldCents };
}

/** Active; one domain and one server in the books; `balanceCents` left, none of them held. */
export const provisioned = (balanceCents: number): Awaited<ReturnType<typeof outcomeOf>> => ({
  status: 'active',
  state: 'completed',
  code: undefined,
  orders: 1,
  liveServers: 1,
  balanceCents,
  heldCents: 0,
});

/** Failed with `code`, nothing bought, all money back. */
export const refused = (code: string, balanceCents: number) => ({
  ...provisioned(balanceCents),
  status: 'failed',
  state: 'failed',
  code,
  orders: 0,
  liveServers: 0,
});
