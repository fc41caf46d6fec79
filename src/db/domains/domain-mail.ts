/** What the live cluster on a domain requires of its DNS records. */
import type { Kysely } from 'kysely';
import type { Cluster } from '../clusters/clusters.ts';
import type { Database } from '../tables.ts';

/** The live cluster of a domain, once its server has an address and its DKIM key exists. */
export interface DomainMail {
  clusterId: number;
  clusterStatus: Cluster['status'];
  hostName: string;
  ipv4: string;
  dkimSelector: string;
  dkimPublicKey: string;
}

/** The same with the domain's name, for the daily check of all domains. */
export interface ServedDomain extends DomainMail {
  domainId: number;
  domain: string;
}

const SERVED: Cluster['status'][] = ['provisioning', 'active', 'suspended'];

/** Undefined where no cluster needs any records (yet). */
export async function findDomainMail(
  db: Kysely<Database>,
  domainId: number,
): Promise<ServedDomain | undefined> {
  const row = await selectMail(db)
    .where('clusters.domain_id', '=', domainId)
    .where('clusters.status', 'in', SERVED)
    .executeTakeFirst();
  return row && complete(row);
}

/** Domains of active clusters, by id, after `afterId`. */
export async function listServedDomains(
  db: Kysely<Database>,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ServedDomain[]> {
  const rows = await selectMail(db)
    .where('clusters.status', '=', 'active')
    .where('domains.id', '>', afterId)
    .where('servers.ipv4', 'is not', null)
    .where('domains.dkim_public_key', 'is not', null)
    .orderBy('domains.id')
    .limit(limit)
    .execute();
  return rows.map((row) => complete(row)!);
}

const selectMail = (db: Kysely<Database>) =>
  db
    .selectFrom('clusters')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .select([
      'domains.id as domainId',
      'domains.name as domain',
      'clusters.id as clusterId',
      'clusters.status as clusterStatus',
      'servers.host_name as hostName',
      'servers.ipv4',
      'domains.dkim_selector as dkimSelector',
      'domains.dkim_public_key as dkimPublicKey',
    ]);

type MailRow = Awaited<ReturnType<ReturnType<typeof selectMail>['executeTakeFirstOrThrow']>>;

function complete(row: MailRow): ServedDomain | undefined {
  const { ipv4, dkimSelector, dkimPublicKey, ...cluster } = row;
  if (ipv4 === null || dkimSelector === null || dkimPublicKey === null) return undefined;
  return { ...cluster, ipv4, dkimSelector, dkimPublicKey };
}
