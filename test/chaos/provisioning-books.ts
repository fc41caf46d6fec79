/** After a drill: the vendors' books, the ledger and our rows about the clusters of its users. */
import { auditWallets } from '../../src/db/ledger-audit.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { openOrders, type Order, type ProvisioningDrillResult } from './provisioning-drill.ts';

/** One line for each thing that is not as it must be. */
export interface Violations {
  doublePurchases: string[];
  orphanServers: string[];
  lostCents: string[];
  stuck: string[];
}

interface Books {
  registrars: Record<string, { orders: { domain: string; kind: string }[] }>;
  vps: {
    hetzner: { servers: { labels: Record<string, string>; deletedAt: string | null }[] };
    vultr: { servers: { tags: string[]; deletedAt: string | null }[] };
  };
}

/** Spec: Limits. */
const DOMAIN_CENTS = 1_600;
const SERVER_CENTS = 2_500;

/** Looks at the drill's own orders only: others may be at work in the same world. */
export async function findViolations(
  world: SharedWorld,
  { orders }: ProvisioningDrillResult,
): Promise<Violations> {
  const books = await world.door<Books>('GET', '/books');
  const rows = await rowsOf(world, orders);
  const violations: Violations = {
    doublePurchases: [],
    orphanServers: [],
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
    const alive = serversOf(books, domain);
    if (alive !== (row?.status === 'active' ? 1 : 0)) {
      violations.orphanServers.push(`${domain} (${row?.status}) has ${alive} servers`);
    }
  }
  return violations;
}

const purchasesOf = ({ registrars }: Books, domain: string): number =>
  Object.values(registrars)
    .flatMap(({ orders }) => orders)
    .filter((order) => order.domain === domain && order.kind === 'register').length;

const serversOf = ({ vps: { hetzner, vultr } }: Books, domain: string): number =>
  [
    ...hetzner.servers.filter(({ labels }) => labels['domain'] === domain),
    ...vultr.servers.filter(({ tags }) => tags.includes(`domain=${domain}`)),
  ].filter(({ deletedAt }) => deletedAt === null).length;

interface Row {
  id: number;
  userId: string;
  domain: string;
  domainStatus: string;
  status: string;
}

/** By name, so that a second cluster of one order is seen. */
const rowsOf = ({ db }: SharedWorld, orders: readonly Order[]): Promise<Row[]> =>
  db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .select([
      'clusters.id',
      'clusters.user_id as userId',
      'domains.name as domain',
      'domains.status as domainStatus',
      'clusters.status',
    ])
    .where(
      'domains.name',
      'in',
      orders.map(({ domain }) => domain),
    )
    .execute();

/** The ledger with itself, and what each user has left with what that user has got. */
async function lostCents(
  world: SharedWorld,
  orders: readonly Order[],
  rows: readonly Row[],
): Promise<string[]> {
  const found = (await auditWallets(world.db)).map((mismatch) => JSON.stringify(mismatch));
  for (const account of new Set(orders.map((order) => order.account))) {
    const own = rows.filter(({ userId }) => userId === account.userId);
    const spent = own.reduce((sum, row) => sum + spentOn(row), 0);
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

/** A domain that was bought is paid; a server is, where the cluster became active. */
const spentOn = ({ domainStatus, status }: Row): number =>
  (domainStatus === 'active' ? DOMAIN_CENTS : 0) +
  (['active', 'deleting', 'deleted'].includes(status) ? SERVER_CENTS : 0);

/** `200 clusters, 100 kills (worker 30, ...), ...; 0 double purchases, ...`. */
export function summaryOf(
  { orders, kills, faults, parked, seconds }: ProvisioningDrillResult,
  violations: Violations,
): string {
  const victims = Object.entries(kills).map(([victim, times]) => `${victim} ${times}`);
  const died = Object.values(kills).reduce((sum, times) => sum + times, 0);
  const { doublePurchases, orphanServers, lostCents: lost, stuck } = violations;
  return [
    `${orders.length} clusters, ${died} kills (${victims.join(', ')}), ${faults} faults`,
    `${parked} operations waited for a person, ${seconds} s`,
    `${doublePurchases.length} double purchases`,
    `${orphanServers.length} orphan servers`,
    `${lost.length} wallets with lost cents`,
    `${stuck.length} stuck`,
  ].join(', ');
}
