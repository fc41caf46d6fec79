/** Activities of every long job's workflow: read the state of its row, and record a request there. */
import { mailboxImportRows } from '../../src/transactions/mailboxes/mailbox-imports.ts';
import { placementTestRows } from '../../src/transactions/placement/placement-tests.ts';
import { campaignRows } from '../../src/transactions/campaign-states.ts';
import { emailValidationRows } from '../../src/db/email-validation/email-validation-jobs.ts';
import { inboxSyncRows } from '../../src/db/inbox/inbox-syncs.ts';
import { wakeJobOf } from '../../src/db/shards/shard-jobs.ts';
import type { JobRows } from '../../src/db/job-rows.ts';
import { leadImportRows } from '../../src/db/leads/lead-imports.ts';
import { trackingDomainRows } from '../../src/db/domains/tracking-domain-states.ts';
import { leadProcessRows } from '../../src/db/discovery/lead-process-states.ts';
import { mapsImportRows } from '../../src/db/maps/maps-imports.ts';
import { mapsRunRows } from '../../src/db/maps/maps-runs.ts';
import { notePlace } from '../../src/db/operations/operation-places.ts';
import { getOperation, insertOperationEvent } from '../../src/db/operations/operations.ts';
import { outgoingMessageRows } from '../../src/db/sending/outgoing-messages.ts';
import { warmupRows } from '../../src/db/warmup/warmups.ts';
import type { JobType } from '../../src/domain/operations/flows.ts';
import { handPlaceOn, type PlaceContext } from '../operations/places.ts';
import type { JobRequest, JobState } from '../../src/domain/operations/jobs.ts';

/** The rows behind each kind of job. */
export const jobRows: Readonly<Record<JobType, JobRows>> = {
  lead_process: leadProcessRows,
  maps_run: mapsRunRows,
  maps_import: mapsImportRows,
  lead_import: leadImportRows,
  mailbox_import: mailboxImportRows,
  placement_test: placementTestRows,
  email_validation: emailValidationRows,
  campaign: campaignRows,
  inbox_sync: inboxSyncRows,
  tracking_domain: trackingDomainRows,
  warmup: warmupRows,
  outgoing_letter: outgoingMessageRows,
};

interface RequestInput {
  operationId: number;
  request: JobRequest;
  actor: string;
  reason: string;
}

export const jobActivities = (context: PlaceContext) => ({
  /** Records who asked for what, where the row's state allows it. Safe to repeat. */
  async applyJobRequest(input: RequestInput): Promise<{ state: JobState }> {
    const { operationId, request, actor, reason } = input;
    const operation = await getOperation(context.db, operationId);
    const { resource_type, resource_id, step } = operation;
    const now = await context.db.transaction().execute(async (trx) => {
      const rows = jobRows[resource_type as JobType];
      const before = await rows.lockState(trx, resource_id, operationId);
      await rows.apply(trx, resource_id, request, operationId);
      const state = await rows.lockState(trx, resource_id, operationId);
      // Also where whoever asked has changed the row already.
      await wakeJobOf(trx, { operationId, now: new Date() });
      if (state !== before) {
        const kind = `${request}_requested` as const;
        await insertOperationEvent(trx, { operationId, kind, step, actor, reason });
      }
      await notePlace(trx, operationId, state === 'paused');
      return { state };
    });
    if (now.state === 'paused') await handPlaceOn(context, operation);
    return now;
  },

  /** The state that the row asks of its workflow now. */
  async readJobState({ operationId }: { operationId: number }): Promise<{ state: JobState }> {
    const operation = await getOperation(context.db, operationId);
    const { resource_type, resource_id } = operation;
    const now = await context.db.transaction().execute(async (trx) => {
      const rows = jobRows[resource_type as JobType];
      const state = await rows.lockState(trx, resource_id, operationId);
      await notePlace(trx, operationId, state === 'paused');
      return { state };
    });
    if (now.state === 'paused') await handPlaceOn(context, operation);
    return now;
  },
});
