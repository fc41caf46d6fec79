/** After a change of a campaign's times: who waits for a window of before is due again, and checked when claimed. */
import { sql, type Kysely } from 'kysely';
import { despiteDeadlocks } from '../deadlocks.ts';
import type { Database } from '../tables.ts';
import type { Campaign } from './campaigns.ts';

/** Recipients of one statement: it takes well below a second. */
const PORTION = 5_000;

/** In portions, since there may be a million of them. A repeat after a death begins anew, and changes nothing twice. */
export async function takeUpOutsideWindow(
  db: Kysely<Database>,
  { id, times_changed_at: changedAt }: Pick<Campaign, 'id' | 'times_changed_at'>,
  signal: AbortSignal,
): Promise<void> {
  if (changedAt === null) return;
  let after: number | null = 0;
  while (after !== null && !signal.aborted)
    after = await takeUpPortion(db, id, { after, changedAt });
  if (after !== null) return;
  await db
    .updateTable('campaigns')
    .set({ times_changed_at: null })
    .where('id', '=', id)
    .where('times_changed_at', '=', changedAt)
    .execute();
}

/** The last lead that was looked at; null: there are no more. */
const takeUpPortion = (
  db: Kysely<Database>,
  campaignId: number,
  { after, changedAt }: { after: number; changedAt: Date },
): Promise<number | null> =>
  despiteDeadlocks(async () => {
    const { rows } = await sql<{ last: number | null }>`
      with portion as (
        select lead_id from recipients where campaign_id = ${campaignId} and lead_id > ${after}
        order by lead_id limit ${PORTION}),
      held as (
        select lead_id from recipients
        where campaign_id = ${campaignId} and lead_id > ${after}
          and lead_id <= (select max(lead_id) from portion)
          and hold_reason = 'outside_window' and updated_at < ${changedAt}
        order by lead_id for update),
      taken as (
        update recipients set hold_reason = null,
          due_at = case when due_at is not null then recipients.updated_at end,
          paused_due_at = case when paused_due_at is not null then recipients.updated_at end
        from held where campaign_id = ${campaignId} and recipients.lead_id = held.lead_id)
      select max(lead_id) as last from portion`.execute(db);
    return rows[0]!.last;
  });
