/**
 * Deletes a campaign: it is hidden at once, and its recipients are removed in portions, the first of them in the
 * transaction of the request (activities/campaigns/open-portions.ts goes on). Nobody who unsubscribes waits for more than
 * a portion. Choice 145.
 */
import { sql, type Transaction } from 'kysely';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import type { Database } from '../../db/tables.ts';
import { FIRST, recipientsAfter } from './recipient-portions.ts';

/** The caller holds the campaign's lock. */
export async function deleteCampaign(
  trx: Transaction<Database>,
  campaign: Campaign,
): Promise<void> {
  const { id } = campaign;
  await trx.deleteFrom('campaign_lists').where('campaign_id', '=', id).execute();
  await trx
    .updateTable('campaigns')
    .set({ deleted_at: new Date(), updated_at: new Date() })
    .where('id', '=', id)
    .execute();
  await removePortion(trx, { id, recipients_removed_to: FIRST });
}

/**
 * Removes the next recipients of a deleted campaign; the caller holds its lock. With the last ones a campaign that never
 * sent goes entirely. Otherwise the messages are kept but hidden: their links have to work (unsubscribing above all),
 * and limits of mailboxes count them.
 */
export async function removePortion(
  trx: Transaction<Database>,
  { id, recipients_removed_to: after }: Pick<Campaign, 'id' | 'recipients_removed_to'>,
): Promise<void> {
  const { range, isLast } = await recipientsAfter(trx, id, after ?? FIRST);
  const portion = sql`campaign_id = ${id} and lead_id > ${range.after} and lead_id <= ${range.to}`;
  // In the order of all writers of recipients, which limits deadlocks.
  await sql`select from recipients where ${portion} order by lead_id for update`.execute(trx);
  await sql`delete from recipients where ${portion}`.execute(trx);
  if (isLast && !(await hasSent(trx, id))) {
    await trx.deleteFrom('campaigns').where('id', '=', id).execute();
    return;
  }
  await trx
    .updateTable('campaigns')
    .set({ recipients_removed_to: isLast ? null : range.to })
    .where('id', '=', id)
    .execute();
}

const hasSent = async (trx: Transaction<Database>, id: number): Promise<boolean> =>
  (await trx
    .selectFrom('sends')
    .select('id')
    .where('campaign_id', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined;
