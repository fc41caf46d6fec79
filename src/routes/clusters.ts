/** The routes of clusters. Spec: Clusters, Limits; choices 13-16, 61. */
import { z } from 'zod';
import type { Context } from '../context.ts';
import { paged } from '../http/envelope.ts';
import { route, type Route } from '../http/route.ts';
import { bodyId, idParams, offsetOf, pageQuery, timestamp } from '../http/schemas.ts';
import {
  cancelCluster,
  createCluster,
  createClusterOnDomain,
  getClusterView,
  listClusters,
  renameCluster,
  retryCluster,
} from '../services/clusters.ts';
import { domainName } from './domain-name.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

export const clusterRoutes = (context: Needs): Route[] => [
  create(context),
  createWithExistingDomain(context),
  list(context),
  read(context),
  rename(context),
  retry(context),
  cancel(context),
];

const statuses = ['provisioning', 'active', 'suspended', 'failed', 'deleting', 'deleted'] as const;

const provisioning = z
  .object({
    step: z.string().nullable(),
    state: z.enum(['running', 'blocked', 'compensating', 'completed', 'failed']),
    completedSteps: z.int(),
    totalSteps: z.int(),
    steps: z.array(
      z.object({
        name: z.string(),
        state: z.enum([
          'pending',
          'running',
          'blocked',
          'completed',
          'skipped',
          'failed',
          'undone',
        ]),
      }),
    ),
    message: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Provisioning' });

const cluster = z
  .object({
    id: z.int(),
    domain: z.string(),
    name: z.string(),
    status: z.enum(statuses),
    ipAddress: z.string().nullable(),
    jobId: z.string(),
    serverId: z.int().nullable(),
    mailServer: z.object({ host: z.string(), imapPort: z.int(), smtpPort: z.int() }).nullable(),
    health: z.object({ outbound25: z.enum(['open', 'blocked', 'unknown']) }),
    mailboxesCount: z.int(),
    provisioning,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Cluster' });

const order = z.object({
  domain: domainName,
  useExistingVps: z.boolean().default(false),
  serverId: bodyId.optional().describe('One of the caller’s servers, with useExistingVps.'),
});

const create = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/clusters/create',
    tag: 'Clusters',
    summary: 'Buys a domain and turns a server into its mail host.',
    description:
      '$16.00 for the domain and $25.00 for the server (nothing with `useExistingVps`) are held ' +
      'now and captured as each part succeeds; what failed is released. Poll ' +
      '`GET /v1/clusters/:id`: `provisioning` tells the step, and why it waits.',
    status: 201,
    errors: [402],
    body: order,
    response: cluster,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const row = present(await createCluster(context, user.userId, body, requestKey));
      noteWorkflow(row.jobId);
      return { ...row, ipAddress: null };
    },
  });

const createWithExistingDomain = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/clusters/create-with-existing-domain',
    tag: 'Clusters',
    summary: 'Turns a server into the mail host of a domain that is in the account.',
    description: '$25.00 for the server, nothing with `useExistingVps`.',
    status: 201,
    errors: [402, 404],
    body: order,
    response: cluster,
    handler: async ({ user, body, requestKey, noteWorkflow }) => {
      const row = present(await createClusterOnDomain(context, user.userId, body, requestKey));
      noteWorkflow(row.jobId);
      return { ...row, ipAddress: null };
    },
  });

const list = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/clusters',
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
    tag: 'Clusters',
    summary: 'Reads a cluster and the progress of its provisioning.',
    status: 200,
    errors: [404],
    params: idParams,
    response: cluster,
    handler: async ({ user, params }) =>
      present(await getClusterView(context, user.userId, params.id)),
  });

const rename = (context: Needs) =>
  route({
    method: 'patch',
    path: '/clusters/:id/rename',
    tag: 'Clusters',
    summary: 'Changes the display name.',
    status: 200,
    errors: [404],
    params: idParams,
    body: z.object({ name: z.string().trim().min(1).max(100) }),
    response: z.object({ id: z.int(), name: z.string() }),
    handler: ({ user, params, body }) => renameCluster(context, user.userId, params.id, body.name),
  });

const retry = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/clusters/:id/retry',
    tag: 'Clusters',
    summary: 'Runs the blocked step again, or begins a new attempt on a failed cluster.',
    description:
      'A new attempt holds only what is still needed: a domain that was bought is not paid twice. ' +
      'While it runs this changes nothing.',
    status: 200,
    errors: [402, 404],
    params: idParams,
    response: cluster,
    handler: async ({ user, params, noteWorkflow }) => {
      const row = present(await retryCluster(context, user.userId, params.id));
      noteWorkflow(row.jobId);
      return row;
    },
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/clusters/:id/cancel',
    tag: 'Clusters',
    summary: 'Undoes a provisioning and refunds it; ends `failed` with `CANCELLED`.',
    description: 'A domain that was bought stays in the account, and its $16.00 stay captured.',
    status: 200,
    errors: [404],
    params: idParams,
    response: cluster,
    handler: async ({ user, params, noteWorkflow }) => {
      const row = present(await cancelCluster(context, user.userId, params.id));
      noteWorkflow(row.jobId);
      return row;
    },
  });

type View = Awaited<ReturnType<typeof getClusterView>>;

const STATES: Record<NonNullable<View['state']>, z.infer<typeof provisioning>['state']> = {
  pending: 'running',
  running: 'running',
  blocked: 'blocked',
  compensating: 'compensating',
  succeeded: 'completed',
  failed: 'failed',
};

function present(view: View): z.input<typeof cluster> {
  const steps = view.steps ?? [];
  const counted = steps.filter(({ state }) => state !== 'skipped');
  const isUp = view.server_status === 'active';
  const progressAt = view.progress_at ?? view.updated_at;
  return {
    id: view.id,
    domain: view.domain,
    name: view.name,
    status: view.status,
    ipAddress: view.ipv4,
    jobId: view.workflow_id ?? '',
    serverId: view.server_id,
    mailServer:
      isUp && view.status === 'active'
        ? { host: view.host_name!, imapPort: 993, smtpPort: 465 }
        : null,
    health: { outbound25: view.outbound25 ?? 'unknown' },
    mailboxesCount: Number(view.mailboxes_count ?? 0),
    provisioning: {
      step: view.step,
      state: STATES[view.state ?? 'pending'],
      completedSteps: counted.filter(({ state }) => state === 'completed').length,
      totalSteps: counted.length,
      steps,
      message: view.message ?? '',
      error:
        view.error_code === null
          ? null
          : { code: view.error_code, message: view.error_message ?? '' },
    },
    createdAt: view.created_at.toISOString(),
    updatedAt: (progressAt > view.updated_at ? progressAt : view.updated_at).toISOString(),
  };
}
