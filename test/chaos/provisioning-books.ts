/** After a drill: vendor records, the ledger and our rows about the clusters of its users. */
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import type { Order } from './cluster-orders.ts';
import { openOrders, type ProvisioningDrillResult } from './provisioning-drill.ts';

/** One line for each violation. */
export interface Violations {
  doublePurchases: string[];
  orphanServers: string[];
  lostCents: string[];
  stuck: string[];
}

interface Server {
  name: string;
  deletedAt: string | null;
}

interface Books {
  registrars: Record<string, { orders: { domain: string; kind: string }[] }>;
  vps: {
    hetzner: { servers: (Server & { labels: Record<string, string> })[] };
    vultr: { servers: (Server & { tags: string[] })[] };
  };
}

/** Spec: Limits. */
const DOMAIN_CENTS = 1_600;
const SERVER_CENTS = 2_500;

/** Checks only the drill's own orders: others may run in the same world. */
export async function findViolations(
  world: SharedWorld,
  { orders }: ProvisioningDrillResult,
): Promise<Violations> {
  const books = await world.control<Books>('GET', '/books');
  const rows = await rowsOf(world, orders);
  const violations: Violations = {
    doublePurchases: [],
    orphanServers: serverViolations(books, rows),
    lostCents: await lostCents(world, orders, rows),
    stuck: (await openOrders(world, orders)).map(({ domain, state }) => `${domain}: ${state}`),
  };
  for (const { domain, clusterId } of orders) {
    const mine = rows.filter((row) => row.domain === domain);
    if (mine.length !== 1) violations.doublePurchases.push(`${domain} has ${mine.length} clusters`);
    const row = mine.find(({ id }) => id === clusterId);
    const bought = purchasesOf(books, domain);
    const wanted = row?.domainStatus === 'active' ? 1 : 0;
    if (bought !== wanted) {
      violations.doublePurchases.push(
        `${domain} (${row?.domainStatus}) was bought ${bought} times`,
      );
    }
  }
  return violations;
}

const purchasesOf = ({ registrars }: Books, domain: string): number =>
  Object.values(registrars)
    .flatMap(({ orders }) => orders)
    .filter((order) => order.domain === domain && order.kind === 'register').length;

/** Existing servers that were rented for one of these domains, with the names that we gave them. */
function serversFor({ vps: { hetzner, vultr } }: Books, domains: ReadonlySet<string>) {
  const all = [
    ...hetzner.servers.map(({ labels, ...server }) => ({ ...server, domain: labels['domain'] })),
    ...vultr.servers.map(({ tags, ...server }) => ({ ...server, domain: domainIn(tags) })),
  ];
  return all.filter(({ domain, deletedAt }) => deletedAt === null && domains.has(domain ?? ''));
}

const domainIn = (tags: readonly string[]) =>
  tags.find((tag) => tag.startsWith('domain='))?.slice('domain='.length);

/** A server exists exactly while an active cluster uses it, whoever it was rented for. */
function serverViolations(books: Books, rows: readonly Row[]): string[] {
  const alive = serversFor(books, new Set(rows.map(({ domain }) => domain)));
  const active = rows.filter(({ status }) => status === 'active');
  const wanted = new Set(active.map(({ server }) => server ?? 'none'));
  return [
    ...alive
      .filter(({ name }) => !wanted.has(name))
      .map(({ name, domain }) => `${name}, rented for ${domain}, carries no active cluster`),
    ...[...wanted].flatMap((wantedName) => {
      const found = alive.filter(({ name }) => name === wantedName).length;
      return found === 1 ? [] : [`the server ${wantedName} is there ${found} times`];
    }),
  ];
}

interface Row {
  id: number;
  userId: string;
  domain: string;
  domainStatus: string;
  status: string;
  /** The name under which its server was ordered. */
  server: string | null;
}

/** By name, so that a second cluster of one order is noticed. */
const rowsOf = ({ db }: SharedWorld, orders: readonly Order[]): Promise<Row[]> =>
  db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .leftJoin('servers', 'servers.id', 'clusters.server_id')
    .select([
      'clusters.id',
      'clusters.user_id as userId',
      'domains.name as domain',
      'domains.status as domainStatus',
      'clusters.status',
      'servers.intent_name as server',
    ])
    .where(
      'domains.name',
      'in',
      orders.map(({ domain }) => domain),
    )
    .execute();

/** Checks the ledger itself, and each user's balance against what they have bought. */
async function lostCents(
  world: SharedWorld,
  orders: readonly Order[],
  rows: readonly Row[],
): Promise<string[]> {
  const found = (await auditWallets(world.db)).map((mismatch) => JSON.stringify(mismatch));
  for (const account of new Set(orders.map((order) => order.account))) {
    const own = orders.filter((order) => order.account === account);
    const spent = own.reduce((sum, order) => sum + spentOn(order, rows), 0);
    const { funded } = await world.db
      .selectFrom('ledger_transactions')
      .select(({ fn }) => fn.sum<string>('amount_cents').as('funded'))
      .where('user_id', '=', account.userId)
      .where('type', '=', 'credit')
      .executeTakeFirstOrThrow();
    const { balanceCents, heldCents } = await account.wallet();
    if (balanceCents !== Number(funded) - spent || heldCents !== 0) {
      const facts = { balanceCents, heldCents, funded: Number(funded), spent };
      found.push(`${account.userId}: ${JSON.stringify(facts)}`);
    }
  }
  return found;
}

/**
 * A domain that was bought with its cluster is paid; a new server is, where the cluster became active.
 * Without a cluster a domain is sold at DOMAIN_DIRECT_PRICE_CENTS, which is 0 in this world.
 */
function spentOn({ origin, rentsServer, clusterId }: Order, rows: readonly Row[]): number {
  const row = rows.find(({ id }) => id === clusterId);
  if (!row) return 0;
  const isBought = origin === 'with the cluster' && row.domainStatus === 'active';
  const isServed = rentsServer && ['active', 'deleting', 'deleted'].includes(row.status);
  return (isBought ? DOMAIN_CENTS : 0) + (isServed ? SERVER_CENTS : 0);
}

/** `200 clusters, 100 kills (worker 30, ...), ...; 0 double purchases, ...`. */
export function summaryOf(
  { orders, kills, faults, blocked, seconds }: ProvisioningDrillResult,
  violations: Violations,
): string {
  const victims = Object.entries(kills).map(([victim, times]) => `${victim} ${times}`);
  const died = Object.values(kills).reduce((sum, times) => sum + times, 0);
  const { doublePurchases, orphanServers, lostCents: lost, stuck } = violations;
  return [
    `${orders.length} clusters (${formsOf(orders)}), ${died} kills (${victims.join(', ')}), ${faults} faults`,
    `${blocked} operations waited for a person, ${seconds} s`,
    `${doublePurchases.length} double purchases`,
    `${orphanServers.length} orphan servers`,
    `${lost.length} wallets with lost cents`,
    `${stuck.length} stuck`,
  ].join(', ');
}

/** The number of orders in each form, as it was finally answered. */
function formsOf(orders: readonly Order[]): string {
  const counts = new Map<string, number>();
  for (const { origin, rentsServer } of orders) {
    const form = `domain ${origin}, ${rentsServer ? 'new' : 'existing'} server`;
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].map(([form, times]) => `${form}: ${times}`).join('; ');
}
