/** After a restore: the vendors' and the payment processor's books, and our rows about the drill's orders. */
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { CLUSTER_CENTS, type Order } from './order.ts';

/** What was true at the moment to which everything is put back. */
export interface Remembered {
  /** The servers of clusters that were active, by domain. */
  active: Map<string, string>;
}

interface Server {
  name: string;
  deletedAt: string | null;
  labels?: Record<string, string>;
  tags?: string[];
}

interface Books {
  registrars: Record<string, { orders: { domain: string; kind: string }[] }>;
  vps: { hetzner: { servers: Server[] }; vultr: { servers: Server[] } };
  payments: {
    sessions: { clientReferenceId: string | null; paymentStatus: string; amountCents: number }[];
  };
}

interface Row {
  id: number;
  userId: string;
  domain: string;
  owner: string;
  domainStatus: string;
  status: string;
  server: string | null;
  serverOwner: string | null;
  isOver: boolean;
  /** What its operation says. */
  state: string;
  step: string | null;
  message: string | null;
  error: string | null;
}

export async function recordMoment(
  world: SharedWorld,
  orders: readonly Order[],
): Promise<Remembered> {
  const rows = await rowsOf(world, orders);
  const active = rows.filter(({ status, server }) => status === 'active' && server !== null);
  return { active: new Map(active.map(({ domain, server }) => [domain, server!])) };
}

interface Asked {
  orders: readonly Order[];
  remembered: Remembered;
}

/** One line for each thing that is not as it should be. */
export async function findProblems(world: SharedWorld, asked: Asked): Promise<string[]> {
  const books = await world.control<Books>('GET', '/books');
  const rows = await rowsOf(world, asked.orders);
  return [
    ...asked.orders.flatMap((order) => orderProblems(order, books, rows)),
    ...serverProblems(books, rows, asked),
    ...(await walletProblems(world, books, asked.orders)),
  ];
}

/** Each order has one cluster, of its own user, as its client wants it, on a domain that was bought once. */
function orderProblems(order: Order, { registrars }: Books, rows: readonly Row[]): string[] {
  const { domain, account, isDestroyed } = order;
  const bought = Object.values(registrars)
    .flatMap(({ orders }) => orders)
    .filter((one) => one.domain === domain && one.kind === 'register').length;
  const mine = rows.filter((row) => row.domain === domain);
  const [row] = mine;
  const wanted = isDestroyed ? 'deleted' : 'active';
  const owners = [row?.userId, row?.owner, row?.serverOwner ?? account.userId];
  return [
    ...(bought === 1 ? [] : [`${domain} was bought ${bought} times`]),
    ...(mine.length === 1 ? [] : [`lost: ${domain} has ${mine.length} clusters`]),
    ...(row && (row.status !== wanted || !row.isOver)
      ? [`${domain} is ${row.status}, not ${wanted}: ${wordsOf(row)}`]
      : []),
    ...(row && owners.some((one) => one !== account.userId) ? [`${domain} is another user's`] : []),
  ];
}

const wordsOf = ({ state, step, message, error }: Row) =>
  [state, step ?? 'no step', error ?? message ?? ''].join(', ');

/** A server exists exactly while an active cluster uses it; those that were active are the same ones. */
function serverProblems(
  books: Books,
  rows: readonly Row[],
  { orders, remembered }: Asked,
): string[] {
  const domains = new Set(orders.map(({ domain }) => domain));
  const alive = [...books.vps.hetzner.servers, ...books.vps.vultr.servers].filter(
    (server) => server.deletedAt === null && domains.has(domainOf(server) ?? ''),
  );
  const active = rows.filter(({ status }) => status === 'active');
  const orphans = alive.filter(({ name }) => !active.some(({ server }) => server === name));
  const missing = active.filter(
    ({ server, domain }) =>
      alive.filter((one) => one.name === server && domainOf(one) === domain).length !== 1,
  );
  const replaced = active.filter(
    ({ domain, server }) =>
      remembered.active.has(domain) && remembered.active.get(domain) !== server,
  );
  return [
    ...orphans.map(({ name }) => `orphan: the server ${name} carries no active cluster`),
    ...missing.map(({ domain }) => `lost: the server of ${domain} is not there`),
    ...replaced.map(({ domain }) => `lost: ${domain} was active on another server`),
  ];
}

/** The names that the vendors' consoles show. */
export async function serversAlive(world: SharedWorld): Promise<Set<string>> {
  const { vps } = await world.control<Books>('GET', '/books');
  const servers = [...vps.hetzner.servers, ...vps.vultr.servers];
  return new Set(servers.filter(({ deletedAt }) => deletedAt === null).map(({ name }) => name));
}

const domainOf = ({ labels, tags }: Server) =>
  labels?.['domain'] ?? tags?.find((tag) => tag.startsWith('domain='))?.slice('domain='.length);

/** What a user paid at the processor, less the price of what they have or had, is what they have left. */
async function walletProblems(
  world: SharedWorld,
  books: Books,
  orders: readonly Order[],
): Promise<string[]> {
  const found = (await auditWallets(world.db)).map((one) => `wallet: ${JSON.stringify(one)}`);
  const paid = paidCents(books);
  for (const account of new Set(orders.map((order) => order.account))) {
    const own = orders.filter((order) => order.account === account).length;
    const expected = (paid.get(account.userId) ?? 0) - own * CLUSTER_CENTS;
    const { balanceCents, heldCents } = await account.wallet();
    if (balanceCents === expected && heldCents === 0) continue;
    const facts = JSON.stringify({ balanceCents, heldCents, expected });
    found.push(`wallet of ${account.userId}: ${facts}`);
  }
  return found;
}

/** By user, as the processor has it. */
const paidCents = ({ payments }: Books) => {
  const paid = new Map<string, number>();
  for (const { clientReferenceId: userId, paymentStatus, amountCents } of payments.sessions) {
    if (userId === null || paymentStatus !== 'paid') continue;
    paid.set(userId, (paid.get(userId) ?? 0) + amountCents);
  }
  return paid;
};

const rowsOf = ({ db }: SharedWorld, orders: readonly Order[]): Promise<Row[]> =>
  db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .innerJoin('operations', 'operations.id', 'clusters.operation_id')
    .leftJoin('servers', 'servers.id', 'clusters.server_id')
    .select(['clusters.id', 'clusters.user_id as userId', 'domains.name as domain'])
    .select(['domains.user_id as owner', 'domains.status as domainStatus', 'clusters.status'])
    .select(['servers.intent_name as server', 'servers.user_id as serverOwner'])
    .select(['operations.state', 'operations.step', 'operations.message'])
    .select('operations.error_message as error')
    .select((eb) => eb('operations.finished_at', 'is not', null).as('isOver'))
    .where(
      'domains.name',
      'in',
      orders.map(({ domain }) => domain),
    )
    .execute() as Promise<Row[]>;
