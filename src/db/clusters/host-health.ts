/** How mail hosts are, as they tell it, and which clients are told that their disk fills up. */
import type { Kysely, Transaction } from 'kysely';
import type { HostSigns, HostTrouble } from '../../domain/clusters/host-health.ts';
import type { Database } from '../tables.ts';
import { insertEvents } from '../webhooks/events.ts';
import { lockServer, type Server } from './servers.ts';

/** What was found of a host; a host that does not answer has no signs, and keeps the program that it had. */
export interface HostFinding {
  signs: HostSigns | null;
  troubles: readonly HostTrouble[];
  program?: string | null;
}

/** Records what was found. Safe to repeat; clients are told once that a disk fills up. */
export const recordHostHealth = (
  db: Kysely<Database>,
  serverId: number,
  { signs, troubles, program }: HostFinding,
  now: Date,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await lockServer(trx, serverId);
    const since = troubles.length === 0 ? null : (before.troubled_since ?? now);
    const after = await trx
      .updateTable('servers')
      .set({
        host_signs: signs && JSON.stringify(signs),
        troubles: JSON.stringify(troubles),
        troubled_since: since,
        health_checked_at: now,
        ...(program !== undefined && { program }),
      })
      .where('id', '=', serverId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (signs && fillsUp(after) && !fillsUp(before)) {
      await tellClusters(trx, after, { usedPercent: signs.diskUsedPercent, at: now });
    }
  });

const fillsUp = ({ troubles }: Server): boolean => troubles.some(({ kind }) => kind === 'disk');

/** Each cluster of the server is told in its own name. */
async function tellClusters(
  trx: Transaction<Database>,
  server: Server,
  { usedPercent, at }: { usedPercent: number; at: Date },
): Promise<void> {
  const clusters = await trx
    .selectFrom('clusters')
    .select(['id', 'user_id'])
    .where('server_id', '=', server.id)
    .where('status', 'in', ['active', 'suspended'])
    .orderBy('id')
    .execute();
  await insertEvents(
    trx,
    clusters.map(({ id, user_id: userId }) => ({
      userId,
      resource: `cluster/${id}`,
      type: 'cluster.disk_filling' as const,
      payload: { clusterId: id, address: server.ipv4, usedPercent, at: at.toISOString() },
    })),
  );
}
