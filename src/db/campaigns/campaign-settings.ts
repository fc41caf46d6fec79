/** The mailboxes and lists of campaigns. Choices 9, 12. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { freeUnwritten } from './recipient-drops.ts';

/** Why a removed mailbox still belongs to a campaign: its threads continue from it. */
export const REMOVED = 'removed';

/** Those of `ids` that are live mailboxes of the user. */
export async function ownMailboxIds(
  db: Kysely<Database>,
  userId: string,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('mailboxes')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', 'in', ['pending', 'active'])
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * A follow-up stays on its mailbox: a mailbox taken off a started campaign only gets no new leads, and is
 * used again when it is put back. docs/sending-rules.md#a-thread-keeps-its-mailbox.
 */
export async function replaceMailboxes(
  trx: Transaction<Database>,
  campaignId: number,
  { mailboxIds, hasBegun }: { mailboxIds: readonly number[]; hasBegun: boolean },
): Promise<void> {
  let others = trx.selectFrom('campaign_mailboxes').where('campaign_id', '=', campaignId);
  if (mailboxIds.length > 0) others = others.where('mailbox_id', 'not in', [...mailboxIds]);
  const gone = (await others.select('mailbox_id').execute()).map(({ mailbox_id }) => mailbox_id);
  if (gone.length > 0) {
    const where = { campaignId, gone };
    await (hasBegun ? markRemoved(trx, where) : deleteMailboxes(trx, where));
    await freeUnwritten(trx, { campaignId, mailboxIds: gone, now: new Date() });
  }
  if (mailboxIds.length === 0) return;
  await trx
    .insertInto('campaign_mailboxes')
    .values(mailboxIds.map((mailbox_id) => ({ campaign_id: campaignId, mailbox_id })))
    .onConflict((conflict) =>
      conflict
        .columns(['campaign_id', 'mailbox_id'])
        .doUpdateSet({ out_reason: null, out_at: null })
        .where('campaign_mailboxes.out_reason', '=', REMOVED),
    )
    .execute();
}

interface Gone {
  campaignId: number;
  gone: number[];
}

const markRemoved = (trx: Transaction<Database>, { campaignId, gone }: Gone) =>
  trx
    .updateTable('campaign_mailboxes')
    .set({ out_reason: REMOVED, out_at: new Date() })
    .where('campaign_id', '=', campaignId)
    .where('mailbox_id', 'in', gone)
    .execute();

const deleteMailboxes = (trx: Transaction<Database>, { campaignId, gone }: Gone) =>
  trx
    .deleteFrom('campaign_mailboxes')
    .where('campaign_id', '=', campaignId)
    .where('mailbox_id', 'in', gone)
    .execute();

/** By campaign: the mailboxes that are assigned now. */
export async function listMailboxIds(
  db: Kysely<Database>,
  campaignIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows =
    campaignIds.length === 0
      ? []
      : await db
          .selectFrom('campaign_mailboxes')
          .select(['campaign_id', 'mailbox_id'])
          .where('campaign_id', 'in', [...campaignIds])
          .where('out_reason', 'is distinct from', REMOVED)
          .orderBy('mailbox_id')
          .execute();
  return grouped(
    campaignIds,
    rows.map((row) => [row.campaign_id, row.mailbox_id]),
  );
}

export async function replaceLists(
  trx: Transaction<Database>,
  campaignId: number,
  leadListIds: readonly number[],
): Promise<void> {
  await trx.deleteFrom('campaign_lists').where('campaign_id', '=', campaignId).execute();
  if (leadListIds.length === 0) return;
  await trx
    .insertInto('campaign_lists')
    .values(leadListIds.map((lead_list_id) => ({ campaign_id: campaignId, lead_list_id })))
    .execute();
}

/** By campaign: the lists that are enrolled at each start. */
export async function listLeadListIds(
  db: Kysely<Database>,
  campaignIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows =
    campaignIds.length === 0
      ? []
      : await db
          .selectFrom('campaign_lists')
          .selectAll()
          .where('campaign_id', 'in', [...campaignIds])
          .orderBy('lead_list_id')
          .execute();
  return grouped(
    campaignIds,
    rows.map((row) => [row.campaign_id, row.lead_list_id]),
  );
}

function grouped(keys: readonly number[], pairs: [number, number][]): Map<number, number[]> {
  const groups = new Map<number, number[]>(keys.map((key) => [key, []]));
  for (const [key, value] of pairs) groups.get(key)!.push(value);
  return groups;
}
