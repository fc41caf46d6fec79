/** States of discovery processes: where a request leads, and how they end. Choice 19. */
import { sql, type Transaction } from 'kysely';
import type { LeadProcessStatus } from '../../domain/discovery/discovery.ts';
import type { JobRequest, JobState } from '../../domain/operations/jobs.ts';
import { PURCHASE_KEPT_DAYS } from './contact-purchases.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { JobEnd, JobRows } from '../job-rows.ts';
import { lockLeadProcess, type LeadProcess } from './lead-processes.ts';
import type { Database } from '../tables.ts';

/** What a status means to the workflow. Choice 19. */
export const jobStateOf = (status: LeadProcessStatus): JobState =>
  status === 'processing' ? 'active' : status === 'paused' ? 'paused' : 'over';

/** Choice 19: from which states a request is legal, and where it leads. */
export const REQUESTS: Record<
  JobRequest,
  { from: readonly LeadProcessStatus[]; to: LeadProcessStatus }
> = {
  pause: { from: ['processing'], to: 'paused' },
  resume: { from: ['paused'], to: 'processing' },
  cancel: { from: ['processing', 'paused'], to: 'cancelled' },
};

export const leadProcessRows: JobRows = {
  lockState: async (trx, id) => jobStateOf((await lockLeadProcess(trx, id)).status),
  apply: async (trx, id, request) => {
    const { from, to } = REQUESTS[request];
    await moveLeadProcess(trx, [id], { from, to });
  },
  settle,
};

/** Moves those of `ids` that are in one of the states `from`; returns their ids. */
export async function moveLeadProcess(
  trx: Transaction<Database>,
  ids: readonly number[],
  change: {
    from: readonly LeadProcessStatus[];
    to: LeadProcessStatus;
    error?: { code: string; message: string } | undefined;
    note?: string | undefined;
  },
): Promise<number[]> {
  if (ids.length === 0) return [];
  const isFinal = jobStateOf(change.to) === 'over';
  const rows = await trx
    .updateTable('lead_processes')
    .set({
      status: change.to,
      updated_at: new Date(),
      ...(isFinal && { completed_at: new Date(), step: null }),
      ...(change.to === 'completed' && { progress_percent: 100 }),
      ...(change.error && { error_code: change.error.code, error_message: change.error.message }),
      ...(change.note !== undefined && { note: change.note }),
    })
    .where('id', 'in', [...ids])
    .where('status', 'in', [...change.from])
    .returning(['id', 'user_id', 'lead_list_id', 'found_leads', 'error_code'])
    .execute();
  const moved = rows.map(({ id }) => id);
  if (isFinal) await forgetCandidates(trx, moved);
  const { to } = change;
  if (to === 'completed' || to === 'failed') {
    await insertEvents(
      trx,
      rows.map((row) => endedEvent(row, to)),
    );
  }
  return moved;
}

const endedEvent = (
  row: Pick<LeadProcess, 'id' | 'user_id' | 'lead_list_id' | 'found_leads' | 'error_code'>,
  status: 'completed' | 'failed',
) => ({
  userId: row.user_id,
  type: `lead_process.${status}` as const,
  resource: `lead_process/${row.id}`,
  payload: {
    processId: row.id,
    status,
    leadListId: row.lead_list_id,
    foundLeads: row.found_leads,
    errorCode: row.error_code,
  },
});

/** A vendor's failure does not discard what was found before it. Choice 63. */
const VENDOR_CODES = new Set([
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_REJECTED',
  'PROVIDER_AUTH',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'OUTCOME_UNKNOWN',
]);

async function settle(trx: Transaction<Database>, id: number, end: JobEnd): Promise<void> {
  const from = ['processing', 'paused'] as const;
  const { error } = end;
  if (end.outcome === 'succeeded') {
    await moveLeadProcess(trx, [id], { from, to: 'completed' });
  } else if (error?.code === 'CANCELLED') {
    await moveLeadProcess(trx, [id], { from, to: 'cancelled' });
  } else {
    const { found_leads } = await lockLeadProcess(trx, id);
    const isPartial = found_leads > 0 && error !== undefined && VENDOR_CODES.has(error.code);
    await moveLeadProcess(
      trx,
      [id],
      isPartial ? { from, to: 'completed', note: error.message } : { from, to: 'failed', error },
    );
  }
}

/**
 * Cancels processes that still fill a list about to be deleted; call it first in that transaction. Returns
 * their ids: their workflows end by themselves at their next page. Choice 4.
 */
export async function cancelProcessesOfList(
  trx: Transaction<Database>,
  leadListId: number,
): Promise<number[]> {
  const rows = await trx
    .selectFrom('lead_processes')
    .select('id')
    .where('lead_list_id', '=', leadListId)
    .where('status', 'in', ['processing', 'paused'])
    .orderBy('id')
    .forUpdate()
    .execute();
  return moveLeadProcess(
    trx,
    rows.map(({ id }) => id),
    { from: ['processing', 'paused'], to: 'cancelled', note: 'Its lead list was deleted' },
  );
}

/** Deletes contacts of finished processes that did not become leads, and all expired purchases. */
async function forgetCandidates(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['lead_process_contacts', 'lead_process_ads'] as const) {
    await trx
      .deleteFrom(table)
      .where('process_id', 'in', [...ids])
      .execute();
  }
  await trx
    .deleteFrom('contact_purchases')
    .where('asked_at', '<', sql<Date>`now() - make_interval(days => ${PURCHASE_KEPT_DAYS})`)
    .execute();
}
