/** How the workflow of a tracking domain uses its row. Choice 131. */
import type { Transaction } from 'kysely';
import type { JobState } from '../../domain/operations/jobs.ts';
import type { JobRows } from '../job-rows.ts';
import { findLatestOperation } from '../operations/operations.ts';
import type { Database } from '../tables.ts';
import { insertEvents } from '../webhooks/events.ts';
import { lockTrackingDomain } from './tracking-domains.ts';

/** It cannot be paused; whoever cancels its work deletes nothing, and may begin it again. */
export const trackingDomainRows: JobRows = {
  lockState,
  async apply(trx, id, request, operationId) {
    if (request === 'cancel')
      await end(trx, id, { operationId, message: 'Its work was cancelled' });
  },
  async settle(trx, id, { outcome, operationId, error }) {
    if (outcome === 'succeeded') return;
    await end(trx, id, { operationId, message: error?.message ?? 'Its work has failed' });
  },
};

/** Nobody looks at the name any more until a request asks for it. */
async function end(
  trx: Transaction<Database>,
  id: number,
  { operationId, message }: { operationId: number | undefined; message: string },
): Promise<void> {
  if ((await lockState(trx, id, operationId)) === 'over') return;
  const { status, name, user_id: userId } = await lockTrackingDomain(trx, id);
  await trx
    .updateTable('tracking_domains')
    .set({
      error_code: 'WORK_FAILED',
      error_message: `${message}. Ask for it again: POST /v1/tracking-domains/${id}/check`,
      status: status === 'active' ? 'failing' : status,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
  if (status !== 'active') return;
  const at = new Date().toISOString();
  const payload = { trackingDomainId: id, name, at, errorCode: 'WORK_FAILED' };
  const event = { type: 'tracking_domain.failing', resource: `tracking_domain/${id}` } as const;
  await insertEvents(trx, [{ userId, ...event, payload }]);
}

/** A run that has ended, or was followed by another one, is over. */
async function lockState(
  trx: Transaction<Database>,
  id: number,
  operationId?: number,
): Promise<JobState> {
  const row = await lockTrackingDomain(trx, id);
  if (row.deleted_at !== null || row.error_code === 'WORK_FAILED') return 'over';
  if (operationId === undefined) return 'active';
  const latest = await findLatestOperation(trx, 'tracking_domain', id);
  return latest?.id === operationId ? 'active' : 'over';
}
