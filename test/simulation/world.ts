/** Rows of simulated campaigns beyond those of `campaign-world`: messages, windows, and their runs. */
import { sql, type Kysely } from 'kysely';
import { insertOperation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import type { Pace } from '../../src/domain/operations/operations.ts';
import type { SimulatedWindow } from './book.ts';
import type { ClientContext } from './clients.ts';

/** Every message of the sequence contains its mark. */
export const bodyOf = (mark: string) => `Hi {{firstName|there}}, a word: ${mark}.`;

/** Of a message as it came. */
export const markIn = (body: string): string => /a word: (\w+)\./.exec(body)?.[1] ?? '';

export async function writeSteps(
  db: Kysely<Database>,
  campaignId: number,
  marks: readonly string[],
  /** By position: the marks of further texts. */
  variants: readonly (readonly string[])[] = [],
): Promise<void> {
  for (const [position, mark] of marks.entries()) {
    const bodies = [campaignId, position, position === 0 ? 0 : null, bodyOf(mark)] as const;
    const others = (variants[position] ?? []).map((one) => ({ bodyTemplate: bodyOf(one) }));
    await sql`
      insert into campaign_steps (campaign_id, position, delay_days, subject_template, body_template, variants)
      values (${sql.join(bodies.slice(0, 3))}, ${position === 0 ? 'Hello {{firstName}}' : null},
        ${bodies[3]}, ${JSON.stringify(others)})
      on conflict (campaign_id, position) do update set body_template = excluded.body_template,
        variants = excluded.variants`.execute(db);
  }
}

/** Written like a start does: signals find the run by it. */
export async function noteRun(
  db: Kysely<Database>,
  { userId, campaignId }: { userId: string; campaignId: number },
): Promise<void> {
  const pace: Pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 86_400 };
  await db.transaction().execute((trx) =>
    insertOperation(
      trx,
      runCampaignFlow,
      { campaignId, pace },
      {
        userId,
        run: 1,
        summary: `Send campaign ${campaignId}`,
        requested: { actor: 'simulation', reason: 'started' },
      },
    ),
  );
}

export async function openWindow(
  db: Kysely<Database>,
  campaignId: number,
  window: SimulatedWindow,
): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({
      timezone: window.timezone,
      active_days: [...window.activeDays],
      start_time: window.startTime,
      end_time: window.endTime,
      use_recipient_timezone: window.isOfRecipient ?? false,
      updated_at: new Date(),
    })
    .where('id', '=', campaignId)
    .execute();
}

/** Replaces Temporal: a signal of any kind wakes the workflow with that id. */
export const signalsTo = (wake: (workflowId: string) => void) =>
  ({
    withDeadline: <T>(_deadline: number, work: () => Promise<T>) => work(),
    workflow: {
      getHandle: (workflowId: string) => ({ signal: async () => wake(workflowId) }),
    },
  }) as unknown as ClientContext['temporal'];
