/** Locks on campaigns by what comes back of their messages, shared with each other. Choice 115. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { holdCampaign } from './campaigns.ts';

/**
 * Holds the campaign of an answered message against a change of the setting that the answer looks at. Where the
 * answer ends more recipients than its own, against all changes: they lock recipients in another order. First
 * in the transaction.
 */
export async function holdForAnswer(trx: Transaction<Database>, sendId: number): Promise<void> {
  const { rows } = await sql<{ id: number; stops: boolean }>`
    select id, stop_company_on_reply as stops from campaigns
    where id = (select campaign_id from sends where id = ${sendId}) for key share`.execute(trx);
  const campaign = rows[0];
  if (campaign?.stops) await holdCampaign(trx, campaign.id).execute();
}

/**
 * Before outcomes of several messages are recorded in one transaction, whose order is by chance: holds campaigns that
 * have more than one of them, or would end more recipients, against changes. `campaignIds` has one for each message.
 */
export async function holdForOutcomes(
  trx: Transaction<Database>,
  campaignIds: readonly number[],
): Promise<void> {
  if (campaignIds.length === 0) return;
  const several = campaignIds.filter((id, at) => campaignIds.indexOf(id) !== at);
  await sql`
    select from campaigns where id = any (${[...campaignIds]}::bigint[])
      and (id = any (${several}::bigint[]) or stop_company_on_reply)
    order by id for share`.execute(trx);
}
