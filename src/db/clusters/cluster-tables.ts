/** Row shapes of clusters, their servers and their health snapshots. */
import type { ColumnType, Generated } from 'kysely';
import type { HostSigns, HostTrouble } from '../../domain/clusters/host-health.ts';
import type { Listing, SendingHold } from '../../domain/clusters/sending-hold.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface ServersTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  provider: string;
  intent_name: string;
  external_id: string | null;
  host_name: string;
  ipv4: string | null;
  status: Generated<'creating' | 'active' | 'deleting' | 'deleted'>;
  client_private_key: Buffer;
  client_public_key: string;
  /** Made, and not yet proven; the key of before stays in use until it is. */
  next_client_private_key: Buffer | null;
  next_client_public_key: string | null;
  /** A key of before that may still be on the host. */
  old_client_public_key: string | null;
  host_private_key: Buffer;
  host_public_key: string;
  outbound25: Generated<'open' | 'blocked' | 'unknown'>;
  uses_smarthost: Generated<boolean>;
  port25_checked_at: Date | null;
  /** The blocklists that have its address; empty: none of those that answered. */
  listings: ColumnType<Listing[], string | undefined, string>;
  listings_checked_at: Date | null;
  /** The rebuild that has it; nothing else may change the host meanwhile. */
  rebuild_operation_id: number | null;
  /** Computed from the columns above. */
  sending_hold: ColumnType<SendingHold | null, never, never>;
  sending_held_since: Date | null;
  /** What the host told of itself when it was last asked; null: nothing, or its program is older. */
  host_signs: ColumnType<HostSigns | null, string | null | undefined, string | null>;
  troubles: ColumnType<HostTrouble[], string | undefined, string>;
  troubled_since: Date | null;
  health_checked_at: Date | null;
  /** Digest of the program that it has; null: one that does not tell. */
  program: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface ClustersTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  domain_id: number;
  server_id: number | null;
  operation_id: number | null;
  name: string;
  status: Generated<'provisioning' | 'active' | 'suspended' | 'failed' | 'deleting' | 'deleted'>;
  use_existing_vps: boolean;
  attempt: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** The result of a cluster's last health check. */
export interface HealthSnapshotsTable {
  cluster_id: number;
  looked_at: Date;
  parts: ColumnType<unknown, string, string>;
}

/** The last rebuild of a server. */
export interface ServerRebuildsTable {
  server_id: number;
  operation_id: number;
  /** The file whose mail goes to the new system; null: none, once that is settled. */
  backup: string | null;
  backup_settled_at: Date | null;
  /** The file whose queue no system has delivered since it was saved. */
  queue_backup: string | null;
  /** Requests for a new system, ever; those up to `used_asks` were of rebuilds that are finished. */
  asks: Generated<number>;
  used_asks: Generated<number>;
  /** The attempt whose request may be under way. */
  claim: string | null;
  /** What the vendor listed as its last reinstall before that. */
  listed_before: string | null;
  asked_until: Date | null;
  answered_at: Date | null;
  /** A new system has been seen; what was on the host is gone. */
  wiped_at: Date | null;
  /** This operation has its new system, and asks for no other. */
  done_at: Date | null;
  updated_at: UpdatedAt;
}

export interface ClusterTables {
  server_rebuilds: ServerRebuildsTable;
  servers: ServersTable;
  clusters: ClustersTable;
  cluster_looks: HealthSnapshotsTable;
}
