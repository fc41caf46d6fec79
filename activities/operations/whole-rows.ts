/** Whether a row has all that its run recorded but for the end: then the end is all that a restore took. */
import type { Kysely } from 'kysely';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { getRenewal } from '../../src/db/domains/domain-renewals.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { getRecharge } from '../../src/db/wallet/recharges.ts';
import type { EndingKind } from '../../src/domain/operations/flows.ts';

type IsWhole = (db: Kysely<Database>, operation: Operation) => Promise<boolean>;

/** By the operation's kind; a new run looks for the rest, so `false` costs that look alone. */
const WHOLE: Readonly<Record<EndingKind, IsWhole>> = {
  async provisionCluster(db, { resource_id: clusterId }) {
    const { domain_id, server_id } = await getCluster(db, clusterId);
    if (server_id === null) return false;
    const [domain, server] = [await getDomain(db, domain_id), await getServer(db, server_id)];
    return domain.status === 'active' && server.status === 'active';
  },
  buyDomain: async (db, { resource_id }) => (await getDomain(db, resource_id)).status === 'active',
  renewDomain: async (db, { resource_id }) => (await getRenewal(db, resource_id)).state === 'done',
  rechargeWallet: async (db, { resource_id }) =>
    (await getRecharge(db, resource_id)).state !== 'pending',
  // Its password was written with it.
  createMailbox: async () => true,
  connectMailbox: async () => false,
  rotateCredentials: async () => false,
  rotateServerKey: async () => false,
  upgradeServer: async () => false,
  rebuildServer: async () => false,
  destroyCluster: async () => false,
  deleteMailbox: async () => false,
  deleteLeadList: async () => false,
  deleteCustomField: async () => false,
};

export async function isWhole(db: Kysely<Database>, operation: Operation): Promise<boolean> {
  const check = WHOLE[operation.kind as EndingKind] as IsWhole | undefined;
  return check !== undefined && check(db, operation);
}
