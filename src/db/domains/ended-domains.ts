/** Domains of accounts here that may be nobody's again: their term is over, or they lie elsewhere. Choice 162. */
import type { Kysely, Transaction } from 'kysely';
import { MAIL_LABEL } from '../../domain/domains/dns-plan.ts';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import { findLiveCluster } from '../clusters/clusters.ts';
import { listHostOwners } from '../clusters/servers.ts';
import type { Database } from '../tables.ts';
import { findLatestRenewals } from './domain-renewals.ts';
import { lockDomain, type Domain } from './domains.ts';

/** Those of these names that no cluster is on and that nobody renews: where they are for sale, they have no owner. */
export async function listEndedDomains(
  db: Kysely<Database>,
  names: readonly string[],
  now: Date,
): Promise<Domain[]> {
  if (names.length === 0) return [];
  const over = await db
    .selectFrom('domains')
    .selectAll()
    .where('name', 'in', [...names])
    .where('status', '=', 'active')
    .where((is) => is.or([is('expires_at', '<=', now), is('provider', '=', MANUAL_PROVIDER)]))
    .execute();
  const ids = over.map(({ id }) => id);
  const renewals = await findLatestRenewals(db, ids);
  const ended: Domain[] = [];
  for (const domain of over) {
    if (renewals.get(domain.id)?.state === 'pending') continue;
    if (!(await findLiveCluster(db, domain.id))) ended.push(domain);
  }
  return ended;
}

/**
 * Those of these names after which a server of somebody else is named. It outlives its cluster while it has others,
 * and their MX records name it: whoever bought the name could lead their mail elsewhere.
 */
export async function listNamesInUse(
  db: Kysely<Database>,
  { userId, names }: { userId: string; names: readonly string[] },
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const hosts = new Map(names.map((name) => [`${MAIL_LABEL}.${name}`, name]));
  const owners = await listHostOwners(db, [...hosts.keys()]);
  const others = owners.filter((owner) => owner.user_id !== userId);
  return new Set(others.map((owner) => hosts.get(owner.host_name)!));
}

/** Who wants to buy them, and when. */
interface Buyer {
  userId: string;
  now: Date;
}

/** Those of them that this user may buy: none after which somebody's server is named. */
export async function listEndedFor(
  db: Kysely<Database>,
  names: readonly string[],
  { userId, now }: Buyer,
): Promise<Domain[]> {
  const ended = await listEndedDomains(db, names, now);
  const inUse = await listNamesInUse(db, { userId, names: ended.map(({ name }) => name) });
  return ended.filter(({ name }) => !inUse.has(name));
}

/** Frees the name, which is for sale again. Nothing where the domain is in use by now. Safe to repeat. */
export async function endDomain(
  trx: Transaction<Database>,
  { id, name }: Domain,
  buyer: Buyer,
): Promise<void> {
  await lockDomain(trx, id);
  const still = await listEndedFor(trx, [name], buyer);
  if (!still.some((domain) => domain.id === id)) return;
  await trx
    .updateTable('domains')
    .set({
      status: 'failed',
      error_code: 'DOMAIN_EXPIRED',
      error_message: 'Its registration has ended, and the name was for sale again.',
      updated_at: buyer.now,
    })
    .where('id', '=', id)
    .execute();
}
