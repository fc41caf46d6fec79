/** Wire shapes of clusters. Spec: Clusters; choices 13, 14. */
import { z } from 'zod';
import { clientSteps, problemOf } from '../../domain/client-words.ts';
import { SENDING_HOLDS } from '../../domain/clusters/sending-hold.ts';
import { timestamp } from '../../http/schemas.ts';
import type { getClusterView } from '../../services/clusters/clusters.ts';
import { operationStep } from '../operations/operation-shapes.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

/** Choice 13. */
export const statuses = [
  'provisioning',
  'active',
  'suspended',
  'failed',
  'deleting',
  'deleted',
] as const;

const provisioning = z
  .object({
    step: z.string().nullable(),
    state: z.enum(['running', 'blocked', 'compensating', 'completed', 'failed']),
    completedSteps: z.int(),
    totalSteps: z.int(),
    steps: z.array(operationStep),
    message: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Provisioning' });

export const cluster = z
  .object({
    id: z.int(),
    domain: z.string(),
    name: z.string(),
    status: z.enum(statuses),
    ipAddress: z.string().nullable(),
    jobId: z.string(),
    serverId: z.int().nullable(),
    mailServer: z.object({ host: z.string(), imapPort: z.int(), smtpPort: z.int() }).nullable(),
    health: z.object({
      outbound25: z.enum(['open', 'blocked', 'unknown']),
      sendingHold: z
        .enum(SENDING_HOLDS)
        .nullable()
        .describe(
          'What keeps campaigns from sending, until it is gone; warm-up waits for the port, too.',
        ),
      blocklists: z.array(z.string()).describe('Those that have the address of the server.'),
    }),
    mailboxesCount: z.int(),
    provisioning,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Cluster' });

type View = Awaited<ReturnType<typeof getClusterView>>;

const STATES: Record<NonNullable<View['state']>, z.infer<typeof provisioning>['state']> = {
  pending: 'running',
  running: 'running',
  blocked: 'blocked',
  compensating: 'compensating',
  succeeded: 'completed',
  failed: 'failed',
};

/** A cluster with the progress of its current operation. */
export function present(view: View): z.input<typeof cluster> {
  const steps = view.steps ?? [];
  const counted = steps.filter(({ state }) => state !== 'skipped');
  const isUp = view.server_status === 'active';
  const error = problemOf(view, view.domain);
  const progressAt = view.progress_at ?? view.updated_at;
  return {
    id: view.id,
    domain: view.domain,
    name: view.name,
    status: view.status,
    ipAddress: view.ipv4,
    jobId: jobOf(view),
    serverId: view.server_id,
    mailServer:
      isUp && view.status === 'active'
        ? { host: view.host_name!, imapPort: 993, smtpPort: 465 }
        : null,
    health: {
      outbound25: view.outbound25 ?? 'unknown',
      sendingHold: view.sending_hold,
      blocklists: (view.listings ?? []).map(({ list }) => list),
    },
    mailboxesCount: Number(view.mailboxes_count ?? 0),
    provisioning: {
      step: view.step,
      state: STATES[view.state ?? 'pending'],
      completedSteps: counted.filter(({ state }) => state === 'completed').length,
      totalSteps: counted.length,
      steps: clientSteps(steps),
      // For a failed cluster the row repeats the error.
      message: (view.state === 'failed' ? error?.message : view.message) ?? '',
      error,
    },
    createdAt: view.created_at.toISOString(),
    updatedAt: (progressAt > view.updated_at ? progressAt : view.updated_at).toISOString(),
  };
}

/** As Temporal and its UI know it; empty where there was no operation yet. */
const jobOf = ({ workflow_id, run_key }: View): string =>
  workflow_id === null ? '' : workflowIdOf({ workflow_id, run_key });
