/** Whether servers may send, as their own probes and the blocklists say, and who is told when that changes. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Listing } from '../../domain/clusters/sending-hold.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { Database } from '../tables.ts';
import { lockServer, type Server } from './servers.ts';

/** How a host's messages leave, as it says itself. */
export interface OutgoingRoute {
  outbound25: Server['outbound25'];
  usesSmarthost: boolean;
}

/**
 * Records what the host says. Safe to repeat; clients are told of changes only. True when a hold has ended:
 * campaigns may be waiting for it.
 */
export const recordOutgoingRoute = (
  db: Kysely<Database>,
  serverId: number,
  { outbound25, usesSmarthost }: OutgoingRoute,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute((trx) =>
    changeServer(trx, serverId, now, {
      outbound25,
      uses_smarthost: usesSmarthost,
      port25_checked_at: now,
    }),
  );

/** Records what the blocklists say; else like `recordOutgoingRoute`. */
export const recordListings = (
  db: Kysely<Database>,
  serverId: number,
  listings: readonly Listing[],
  now: Date,
): Promise<boolean> =>
  db.transaction().execute((trx) =>
    changeServer(trx, serverId, now, {
      listings: JSON.stringify(listings),
      listings_checked_at: now,
    }),
  );

/** Of a server that was given back before it was used: tells nobody. */
export async function noteListedAddress(
  trx: Transaction<Database>,
  serverId: number,
  { ipv4, listings }: { ipv4: string; listings: readonly Listing[] },
): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ ipv4, listings: JSON.stringify(listings) })
    .where('id', '=', serverId)
    .execute();
}

/**
 * Keeps a server from sending, and everybody but this rebuild off its host; without one both end. True when a hold
 * has ended.
 */
export const recordRebuild = (
  trx: Transaction<Database>,
  serverId: number,
  operationId: number | null,
  now: Date,
): Promise<boolean> => changeServer(trx, serverId, now, { rebuild_operation_id: operationId });

type Change = Partial<
  Pick<
    Server,
    | 'outbound25'
    | 'uses_smarthost'
    | 'port25_checked_at'
    | 'listings_checked_at'
    | 'rebuild_operation_id'
  >
> & { listings?: string };

async function changeServer(
  trx: Transaction<Database>,
  serverId: number,
  now: Date,
  change: Change,
): Promise<boolean> {
  const before = await lockServer(trx, serverId);
  const after = await trx
    .updateTable('servers')
    .set(change)
    .where('id', '=', serverId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (after.sending_hold === before.sending_hold) return false;
  await trx
    .updateTable('servers')
    .set({ sending_held_since: after.sending_hold === null ? null : now, updated_at: now })
    .where('id', '=', serverId)
    .execute();
  await tellClusters(trx, after, now);
  return after.sending_hold === null;
}

/** Each cluster of the server is told in its own name. */
async function tellClusters(trx: Transaction<Database>, server: Server, now: Date): Promise<void> {
  const clusters = await trx
    .selectFrom('clusters')
    .select(['id', 'user_id'])
    .where('server_id', '=', server.id)
    .where('status', 'in', ['provisioning', 'active', 'suspended'])
    .orderBy('id')
    .execute();
  const { sending_hold: reason, ipv4: address } = server;
  await insertEvents(
    trx,
    clusters.map(({ id, user_id: userId }) => {
      const to = { userId, resource: `cluster/${id}` };
      const facts = { clusterId: id, address, at: now.toISOString() };
      if (reason === null) {
        return { ...to, type: 'cluster.sending_resumed' as const, payload: facts };
      }
      const lists = reason === 'blocklisted' ? server.listings.map(({ list }) => list) : [];
      return {
        ...to,
        type: 'cluster.sending_held' as const,
        payload: { ...facts, reason, lists },
      };
    }),
  );
}

/** What of a server is due for a look. */
export interface DueHost {
  server: Server;
  isRouteDue: boolean;
  isHealthDue: boolean;
  areListingsDue: boolean;
}

/** Servers in use, by id after this one, of which something was last looked at before these times. */
export async function listDueHosts(
  db: Kysely<Database>,
  due: { afterId: number; limit: number; heldBefore: Date; otherBefore: Date; listedBefore: Date },
): Promise<DueHost[]> {
  const { afterId, limit, heldBefore, otherBefore, listedBefore } = due;
  const isRouteDue = sql<boolean>`coalesce(port25_checked_at, '-infinity') <
    case when outbound25 = 'blocked' then ${heldBefore}::timestamptz else ${otherBefore} end`;
  const isHealthDue = sql<boolean>`coalesce(health_checked_at, '-infinity') <
    case when troubles <> '[]' then ${heldBefore}::timestamptz else ${otherBefore} end`;
  const areListingsDue = sql<boolean>`coalesce(listings_checked_at, '-infinity') <
    case when listings <> '[]' then ${otherBefore}::timestamptz else ${listedBefore} end`;
  const rows = await db
    .selectFrom('servers')
    .selectAll('servers')
    .select([
      isRouteDue.as('is_route_due'),
      isHealthDue.as('is_health_due'),
      areListingsDue.as('are_listings_due'),
    ])
    .where('servers.status', '=', 'active')
    .where('servers.rebuild_operation_id', 'is', null)
    .where('servers.id', '>', afterId)
    .where((eb) => eb.or([isRouteDue, isHealthDue, areListingsDue]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('clusters')
          .select('clusters.id')
          .whereRef('clusters.server_id', '=', 'servers.id')
          .where('clusters.status', 'in', ['active', 'suspended']),
      ),
    )
    .orderBy('servers.id')
    .limit(limit)
    .execute();
  return rows.map(({ is_route_due, is_health_due, are_listings_due, ...server }) => ({
    server,
    isRouteDue: is_route_due,
    isHealthDue: is_health_due,
    areListingsDue: are_listings_due,
  }));
}
