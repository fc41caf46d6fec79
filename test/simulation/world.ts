/** Rows of simulated campaigns beyond those of `campaign-world`: messages, windows, and their runs. */
import { sql, type Kysely } from 'kysely';
import { insertOperation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import type { SendWindow } from '../../src/domain/campaigns/campaigns.ts';
import { WORKFLOW_QUEUE } from '../../workflows/contracts/queues.ts';
import { runCampaignType, runCampaignWorkflowId } from '../../workflows/contracts/run-campaign.ts';
import type { ClientContext } from './clients.ts';

/** Every message of the sequence carries its mark. */
export const bodyOf = (mark: string) => `Hi {{firstName|there}}, a word: ${mark}.`;

export async function writeSteps(
  db: Kysely<Database>,
  campaignId: number,
  marks: readonly string[],
): Promise<void> {
  for (const [position, mark] of marks.entries()) {
    const bodies = [campaignId, position, position === 0 ? 0 : null, bodyOf(mark)] as const;
    await sql`
      insert into campaign_steps (campaign_id, position, delay_days, subject_template, body_template)
      values (${sql.join(bodies.slice(0, 3))}, ${position === 0 ? 'Hello {{firstName}}' : null},
        ${bodies[3]})
      on conflict (campaign_id, position) do update set body_template = excluded.body_template`.execute(
      db,
    );
  }
}

/** As a start writes it: signals find the run by it. */
export async function noteRun(
  db: Kysely<Database>,
  { userId, campaignId }: { userId: string; campaignId: number },
): Promise<void> {
  await db.transaction().execute((trx) =>
    insertOperation(trx, {
      userId,
      kind: runCampaignType,
      workflowId: runCampaignWorkflowId(campaignId, 1),
      taskQueue: WORKFLOW_QUEUE,
      summary: `Send campaign ${campaignId}`,
      input: { campaignId },
      resourceType: 'campaign',
      resourceId: campaignId,
      steps: [],
      requested: { actor: 'simulation', reason: 'started' },
    }),
  );
}

export async function openWindow(
  db: Kysely<Database>,
  campaignId: number,
  window: SendWindow,
): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({
      timezone: window.timezone,
      active_days: [...window.activeDays],
      start_time: window.startTime,
      end_time: window.endTime,
      updated_at: new Date(),
    })
    .where('id', '=', campaignId)
    .execute();
}

/** Stands where Temporal does: a signal of any kind wakes the workflow with that id. */
export const signalsTo = (wake: (workflowId: string) => void) =>
  ({
    withDeadline: <T>(_deadline: number, work: () => Promise<T>) => work(),
    workflow: {
      getHandle: (workflowId: string) => ({ signal: async () => wake(workflowId) }),
    },
  }) as unknown as ClientContext['temporal'];
