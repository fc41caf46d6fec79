/** Compares vendor records with the product's rows after many provisionings. */
import { serverAccess } from '../../../activities/engine/access.ts';
import { getDomain } from '../../../src/db/domains/domains.ts';
import { getCluster } from '../../../src/db/clusters/clusters.ts';
import { isRoleAddress } from '../../../src/domain/mail-reports/role-mailboxes.ts';
import type { ProvisioningWorld } from './provisioning-world.ts';
import { landlordDomain, type CaseResult } from './saga-case.ts';
import { readVendorRecords, type VendorRecords } from './vendor-records.ts';
import { VENDOR_PAIRS } from './vendor-pairs.ts';

/** Everything that should not be there, one line each. */
export async function findResidue(
  world: ProvisioningWorld,
  results: readonly CaseResult[],
): Promise<string[]> {
  const books = await readVendorRecords(world.sandbox);
  const perCase = await Promise.all(results.map((one) => residueOf(world, books, one)));
  return [
    ...perCase.flat(),
    ...(await strayServers(world, books)),
    ...(await openRows(world)),
    ...(await strayMailDomains(world)),
  ];
}

async function residueOf(
  { context }: ProvisioningWorld,
  { orders, records }: VendorRecords,
  { title, domain, clusterId, status }: CaseResult,
): Promise<string[]> {
  const found: string[] = [];
  const cluster = await getCluster(context.db, clusterId);
  const row = await getDomain(context.db, cluster.domain_id);
  const purchases = orders.filter((order) => order.domain === domain && order.kind === 'register');
  const wanted = row.status === 'active' ? 1 : 0;
  if (purchases.length !== wanted) found.push(`${purchases.length} purchases of a ${row.status}`);
  const own = records.filter((record) => record.domain === domain);
  const published = await context.db
    .selectFrom('published_records')
    .selectAll()
    .where('operation_id', '=', cluster.operation_id!)
    .execute();
  if (status === 'active') {
    const count = (type: string, start: string) =>
      own.filter((record) => record.type === type && record.value.startsWith(start)).length;
    const counts = [count('TXT', 'v=spf1'), count('TXT', 'v=DMARC1'), count('TXT', 'v=DKIM1')];
    counts.push(count('MX', ''), count('SRV', ''));
    if (String(counts) !== '1,1,1,1,2') found.push(`SPF, DMARC, DKIM, MX, SRV: ${String(counts)}`);
  } else {
    if (own.length > 0) found.push(`${own.length} records at the registrar`);
    if (published.length > 0) found.push(`${published.length} rows of published records`);
    if (cluster.server_id !== null && !cluster.use_existing_vps) found.push('a server in its row');
  }
  return found.map((what) => `${title}: ${what}`);
}

/** Servers that no active cluster stands on, and keys of servers that are gone. */
async function strayServers(
  { context }: ProvisioningWorld,
  { servers: alive, sshKeys }: VendorRecords,
): Promise<string[]> {
  const owned = await context.db
    .selectFrom('servers')
    .innerJoin('clusters', 'clusters.server_id', 'servers.id')
    .select('servers.intent_name')
    .where('clusters.status', '=', 'active')
    .where('servers.status', '=', 'active')
    .execute();
  const names = new Set(owned.map(({ intent_name }) => intent_name));
  return [
    ...alive.filter(({ name }) => !names.has(name)).map(({ name }) => `server ${name} is alive`),
    ...[...names]
      .filter((name) => alive.filter((server) => server.name === name).length !== 1)
      .map((name) => `server ${name} is not there exactly once`),
    ...sshKeys.filter(({ name }) => !names.has(name)).map(({ name }) => `SSH key ${name} is left`),
  ];
}

async function openRows({ context: { db } }: ProvisioningWorld): Promise<string[]> {
  const open = await db
    .selectFrom('operations')
    .select(['workflow_id', 'state'])
    .where('finished_at', 'is', null)
    .execute();
  const claimed = await db
    .selectFrom('domains')
    .select('name')
    .where('status', '=', 'pending')
    .execute();
  return [
    ...open.map(({ workflow_id, state }) => `${workflow_id} is still ${state}`),
    ...claimed.map(({ name }) => `${name} is still claimed`),
  ];
}

/** Each shared host serves exactly the domains of its active clusters, and no mailbox of a probe. */
async function strayMailDomains({ context }: ProvisioningWorld): Promise<string[]> {
  const rows = await context.db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .selectAll('servers')
    .select('domains.name')
    .where('clusters.status', '=', 'active')
    .execute();
  const hosts = VENDOR_PAIRS.map(async (vendors) => {
    const host = rows.find(({ name }) => name === landlordDomain(vendors));
    if (!host) return [`${landlordDomain(vendors)} has no server`];
    const wanted = rows.filter(({ id }) => id === host.id).map(({ name }) => name);
    const { domains, mailboxes } = await context.mailHost.status(serverAccess(context, host));
    const strangers = domains.filter((name) => !wanted.includes(name));
    const missing = wanted.filter((name) => !domains.includes(name));
    return [
      ...strangers.map((name) => `${host.host_name} still serves ${name}`),
      ...missing.map((name) => `${host.host_name} does not serve ${name}`),
      ...mailboxes
        .filter((address) => !isRoleAddress(address))
        .map((address) => `${host.host_name} has the mailbox ${address}`),
    ];
  });
  return (await Promise.all(hosts)).flat();
}
