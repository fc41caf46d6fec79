/** What a check of a cluster found. Spec: Clusters; choice 61. */
import { z } from 'zod';
import { HEALTH_PARTS, overallState } from '../../domain/clusters/cluster-health.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, timestamp } from '../../http/schemas.ts';
import { checkClusterHealth } from '../../services/clusters/cluster-health.ts';

const partState = z.enum(['ok', 'warning', 'failing', 'unknown']);
const part = z.object({ state: partState, message: z.string() });

/** `GET /v1/clusters/:id/health`. */
export const clusterHealthRoute = (context: Parameters<typeof checkClusterHealth>[0]): Route =>
  route({
    method: 'get',
    path: '/v1/clusters/:id/health',
    operationId: 'clusters.readHealth',
    tag: 'Clusters',
    summary: 'Checks the server, its ports, its certificate and its names.',
    description:
      '`state` is the worst of all parts. `unknown`: the check failed or timed out. A result is reused ' +
      'for 20 seconds; `lookedAt` is its time.',
    status: 200,
    errors: { 404: ['CLUSTER_NOT_FOUND'] },
    params: idParams,
    response: z
      .object({
        clusterId: z.int(),
        state: partState,
        lookedAt: timestamp,
        ...(Object.fromEntries(HEALTH_PARTS.map((name) => [name, part])) as Record<
          (typeof HEALTH_PARTS)[number],
          typeof part
        >),
      })
      .meta({ id: 'ClusterHealth' }),
    handler: async ({ user, params }) => {
      const { lookedAt, parts } = await checkClusterHealth(context, user.userId, params.id);
      const state = overallState(parts);
      return { clusterId: params.id, state, lookedAt: lookedAt.toISOString(), ...parts };
    },
  });
