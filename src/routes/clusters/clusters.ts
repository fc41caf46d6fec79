/** The routes of clusters. Spec: Clusters, Limits; choices 13-16, 61. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { bodyId, idParams, offsetOf, pageQuery } from '../../http/schemas.ts';
import { deleteCluster } from '../../services/clusters/cluster-deletion.ts';
import {
  cancelCluster,
  createCluster,
  createClusterOnDomain,
  getClusterView,
  listClusters,
  renameCluster,
  retryCluster,
} from '../../services/clusters/clusters.ts';
import { MAX_CLUSTER_NAME } from '../../domain/clusters/cluster-names.ts';
import { clusterHealthRoute } from './cluster-health.ts';
import { cluster, present, statuses } from './cluster-shapes.ts';
import { domainName } from '../domains/domain-name.ts';

type Needs = Pick<Context, 'db' | 'config' | 'registrars' | 'temporal' | 'startOperation'> &
  Parameters<typeof clusterHealthRoute>[0];

export const clusterRoutes = (context: Needs): Route[] => [
  create(context),
  createWithExistingDomain(context),
  list(context),
  read(context),
  clusterHealthRoute(context),
  rename(context),
  retry(context),
  cancel(context),
  remove(context),
];

const order = z.object({
  domain: domainName,
  useExistingVps: z.boolean().default(false),
  serverId: bodyId.optional().describe('One of the caller’s servers, with useExistingVps.'),
  vpsId: bodyId.optional().describe('Alias of serverId.'),
});

const create = (context: Needs) =>
  orderRoute(context, createCluster, {
    operationId: 'clusters.create',
    path: '/v1/clusters/create',
    summary: 'Buys a domain and turns a server into its mail host.',
    description:
      '$16.00 for the domain and $25.00 for the server (nothing with `useExistingVps`) are held ' +
      'now and captured as each part succeeds; what failed is released. Poll ' +
      '`GET /v1/clusters/:id`: `provisioning` tells the step, and why it waits.',
    errors: {
      400: ['DOMAIN_ALREADY_OWNED', 'DOMAIN_UNAVAILABLE', 'DOMAIN_IN_USE', 'NO_EXISTING_VPS'],
      402: ['INSUFFICIENT_BALANCE'],
      404: ['SERVER_NOT_FOUND'],
      429: ['DOMAIN_SPENDING_LIMIT'],
    },
  });

const createWithExistingDomain = (context: Needs) =>
  orderRoute(context, createClusterOnDomain, {
    operationId: 'clusters.createWithExistingDomain',
    path: '/v1/clusters/create-with-existing-domain',
    summary: 'Turns a server into the mail host of a domain that is in the account.',
    description: '$25.00 for the server, nothing with `useExistingVps`.',
    errors: {
      400: ['INVALID_STATE', 'DOMAIN_IN_USE', 'NO_EXISTING_VPS'],
      402: ['INSUFFICIENT_BALANCE'],
      404: ['DOMAIN_NOT_FOUND', 'SERVER_NOT_FOUND'],
    },
  });

const orderRoute = (
  context: Needs,
  place: typeof createCluster,
  facts: Pick<Route, 'operationId' | 'path' | 'summary' | 'errors'> & { description: string },
) =>
  route({
    ...facts,
    method: 'post',
    tag: 'Clusters',
    status: 201,
    repeatable: true,
    body: order,
    response: cluster,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const { vpsId, serverId = vpsId, ...rest } = body;
      const placed = await place(context, user.userId, { ...rest, serverId }, requestKey);
      const row = present(placed);
      noteWorkflow(row.jobId);
      return { ...row, ipAddress: null };
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/clusters',
    operationId: 'clusters.list',
    tag: 'Clusters',
    summary: 'Lists the clusters; deleted ones only with `?status=deleted`.',
    status: 200,
    paged: true,
    query: pageQuery.extend({ status: z.enum(statuses).optional() }),
    response: z.array(cluster),
    handler: async ({ user, query }) => {
      const page = { status: query.status, limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await listClusters(context, user.userId, page);
      return paged(rows.map(present), query, total);
    },
  });

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/clusters/:id',
    operationId: 'clusters.read',
    tag: 'Clusters',
    summary: 'Reads a cluster and the progress of its provisioning.',
    status: 200,
    errors: { 404: ['CLUSTER_NOT_FOUND'] },
    params: idParams,
    response: cluster,
    handler: async ({ user, params }) =>
      present(await getClusterView(context, user.userId, params.id)),
  });

const rename = (context: Needs) =>
  route({
    method: 'patch',
    path: '/clusters/:id/rename',
    operationId: 'clusters.rename',
    tag: 'Clusters',
    summary: 'Changes the display name.',
    status: 200,
    errors: { 404: ['CLUSTER_NOT_FOUND'] },
    params: idParams,
    body: z.object({ name: z.string().trim().min(1).max(MAX_CLUSTER_NAME) }),
    response: z.object({ id: z.int(), name: z.string() }),
    handler: ({ user, params, body }) => renameCluster(context, user.userId, params.id, body.name),
  });

const retry = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/clusters/:id/retry',
    operationId: 'clusters.retry',
    tag: 'Clusters',
    summary: 'Runs the blocked step again, or begins a new attempt on a failed cluster.',
    description:
      'A new attempt holds only what is still needed: a domain that was bought is not paid twice. ' +
      'While it runs this changes nothing.',
    status: 200,
    errors: {
      400: [
        'INVALID_STATE',
        'DOMAIN_ALREADY_OWNED',
        'DOMAIN_UNAVAILABLE',
        'DOMAIN_IN_USE',
        'NO_EXISTING_VPS',
      ],
      402: ['INSUFFICIENT_BALANCE'],
      404: ['CLUSTER_NOT_FOUND', 'SERVER_NOT_FOUND'],
      429: ['DOMAIN_SPENDING_LIMIT'],
    },
    repeatable: true,
    params: idParams,
    response: cluster,
    handler: async ({ user, params, requestKey, noteWorkflow }) => {
      const row = present(await retryCluster(context, user.userId, params.id, requestKey));
      noteWorkflow(row.jobId);
      return row;
    },
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/clusters/:id/cancel',
    operationId: 'clusters.cancel',
    tag: 'Clusters',
    summary: 'Undoes a provisioning and refunds it; ends `failed` with `CANCELLED`.',
    description: 'A domain that was bought stays in the account, and its $16.00 stay captured.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['CLUSTER_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    response: cluster,
    handler: async ({ user, params, noteWorkflow }) => {
      const row = present(await cancelCluster(context, user.userId, params.id));
      noteWorkflow(row.jobId);
      return row;
    },
  });

const remove = (context: Needs) =>
  route({
    method: 'delete',
    path: '/v1/clusters/:id',
    operationId: 'clusters.delete',
    tag: 'Clusters',
    summary: 'Takes an active or failed cluster down, for good.',
    description:
      'The answer comes at once with `status: "deleting"`; `provisioning` tells how far it is. Its ' +
      'mailboxes leave their campaigns and warm-ups and are read a last time; our DNS records go, ' +
      'the domain and its other records stay. A server that carries other clusters stays. Nothing ' +
      'is refunded. A blocked step is run again by `POST /v1/clusters/:id/retry`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['CLUSTER_NOT_FOUND'] },
    params: idParams,
    response: cluster,
    handler: async ({ user, params, noteWorkflow }) => {
      const row = present(await deleteCluster(context, user.userId, params.id));
      noteWorkflow(row.jobId);
      return row;
    },
  });
