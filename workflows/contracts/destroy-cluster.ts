/** Contract of `destroyCluster`: a cluster is taken down, and its server with it where nobody else needs it. */
import type { OperationInput } from './operator.ts';

export const destroyClusterType = 'destroyCluster';
/** A cluster is taken down once: a teardown never ends otherwise. */
export const destroyClusterWorkflowId = (clusterId: number) => `cluster-destroy/${clusterId}`;

export interface DestroyClusterInput extends OperationInput {
  clusterId: number;
  /** Decided, under the server's lock, when the deletion was asked for. */
  deletesServer: boolean;
  /** The vendors of its domain and server, whose queues keep their limits; older runs have none. */
  registrar?: string;
  vps?: string;
}
