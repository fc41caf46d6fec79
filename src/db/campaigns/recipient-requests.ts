/** Pausing, resuming and removing single recipients of a campaign. Choice 9. */
import { sql, type Transaction } from 'kysely';
import { ADDRESS_HOLDS } from '../../domain/campaigns/address-risk.ts';
import type { RecipientRequest, RecipientStatus } from '../../domain/campaigns/campaigns.ts';
import { endDuplicates, isTwin } from './recipient-drops.ts';
import { mailboxOfAnswer } from './subsequence-starts.ts';
import type { Database } from '../tables.ts';

/** The states from which a request is legal; a request in state `to` is a repeat and changes nothing. */
const REQUESTS: Record<RecipientRequest, { from: RecipientStatus[]; to: RecipientStatus[] }> = {
  pause: { from: ['queued', 'in_progress'], to: ['paused'] },
  resume: { from: ['paused'], to: ['queued', 'in_progress'] },
  // Also recipients who may return: by another address, a lifted suppression, or proof of delivery.
  remove: {
    from: ['queued', 'in_progress', 'paused', 'skipped', 'bounced', 'failed'],
    to: ['removed'],
  },
};

/** The result of the request, by lead. A lead in none of these is not in the campaign. */
export interface RequestedRecipients {
  changed: number[];
  unchanged: number[];
  /** With the final state. */
  ended: Map<number, RecipientStatus>;
}

/**
 * A message whose delivery has not begun is released, so that it cannot begin any more; one in delivery is
 * finished. The caller holds the campaign's lock: nothing is claimed meanwhile. Lock order: messages,
 * recipients.
 */
export async function requestOfRecipients(
  trx: Transaction<Database>,
  { campaignId, leadIds, now }: { campaignId: number; leadIds: readonly number[]; now: Date },
  request: RecipientRequest,
): Promise<RequestedRecipients> {
  const { from, to } = REQUESTS[request];
  const ids = [...leadIds];
  const messages = await trx
    .selectFrom('sends')
    .select(['id', 'lead_id', 'state'])
    .where('campaign_id', '=', campaignId)
    .where(sql<boolean>`lead_id = any (${ids}::bigint[])`)
    .where('state', 'in', ['claimed', 'sending'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const rows = await trx
    .selectFrom('recipients')
    .select(['lead_id', 'status'])
    .where('campaign_id', '=', campaignId)
    .where(sql<boolean>`lead_id = any (${ids}::bigint[])`)
    .orderBy('lead_id')
    .forNoKeyUpdate()
    .execute();
  const idsOf = (wanted: readonly RecipientStatus[]) =>
    rows.filter(({ status }) => wanted.includes(status)).map(({ lead_id }) => lead_id);
  const changed = idsOf(from);
  const where = { campaignId, changed, now };
  if (changed.length > 0 && request === 'resume') await resume(trx, where);
  else if (changed.length > 0) {
    const mine = messages.filter(({ lead_id }) => changed.includes(lead_id));
    await takeBack(
      trx,
      campaignId,
      mine.filter(({ state }) => state === 'claimed').map(({ id }) => id),
    );
    const begun = mine.map(({ lead_id }) => lead_id);
    await (request === 'pause' ? pause(trx, { ...where, begun }) : remove(trx, where));
  }
  const over = rows.filter(({ status }) => ![...from, ...to].includes(status));
  return {
    changed,
    unchanged: idsOf(to),
    ended: new Map(over.map(({ lead_id, status }) => [lead_id, status])),
  };
}

/** Releases messages like a session that could not send them. */
async function takeBack(
  trx: Transaction<Database>,
  campaignId: number,
  sendIds: readonly number[],
): Promise<void> {
  if (sendIds.length === 0) return;
  await sql`
    with put_off as (
      update sends set state = 'deferred', attempts = attempts - 1
      where id = any (${[...sendIds]}::bigint[]) and attempts > 0
    ), unused as (
      delete from sends where id = any (${[...sendIds]}::bigint[]) and attempts = 0
      returning lead_id, step
    )
    update recipients set mailbox_id = ${mailboxOfAnswer} from unused
    where recipients.campaign_id = ${campaignId} and recipients.lead_id = unused.lead_id
      and unused.step = 0`.execute(trx);
}

interface Changed {
  campaignId: number;
  changed: readonly number[];
  now: Date;
}

/** While a message is claimed, `due_at` only says when a lost claim is found; the message was due before. */
const pause = (
  trx: Transaction<Database>,
  { campaignId, changed, now, begun }: Changed & { begun: readonly number[] },
) =>
  sql`
    update recipients set status = 'paused', due_at = null, updated_at = ${now},
      paused_due_at = case when lead_id = any (${[...begun]}::bigint[]) then ${now}::timestamptz
        else coalesce(due_at, updated_at) end
    where campaign_id = ${campaignId} and lead_id = any (${[...changed]}::bigint[])`.execute(trx);

/**
 * The date stays the same; a recipient held for their address is checked again, one whose last message
 * did not arrive gets the next one, and one that was given the address of another is left out.
 */
async function resume(
  trx: Transaction<Database>,
  { campaignId, changed, now }: Changed,
): Promise<void> {
  await sql`
    update recipients set status = case when step = 0 then 'queued' else 'in_progress' end,
      due_at = coalesce(paused_due_at, ${now}), paused_due_at = null, updated_at = ${now},
      hold_reason = case when hold_reason = any (${[...ADDRESS_HOLDS, 'undelivered']}::text[]) then null
        else hold_reason end
    where campaign_id = ${campaignId} and lead_id = any (${[...changed]}::bigint[])`.execute(trx);
  await endDuplicates(trx, changed, campaignId);
}

/** What it would wait for if it were put back stays with it: the day of a return, a message nobody got. */
const remove = (trx: Transaction<Database>, { campaignId, changed, now }: Changed) =>
  sql`
    update recipients set status = 'removed', due_at = null,
      paused_due_at = case when hold_reason = 'auto_reply' then coalesce(due_at, paused_due_at) end,
      hold_reason = case when hold_reason in ('auto_reply', 'undelivered') then hold_reason end,
      updated_at = ${now}
    where campaign_id = ${campaignId} and lead_id = any (${[...changed]}::bigint[])`.execute(trx);

/** Whether the campaign has any of the leads, in whatever state. */
export async function hasRecipientsAmong(
  trx: Transaction<Database>,
  campaignId: number,
  leadIds: readonly number[],
): Promise<boolean> {
  if (leadIds.length === 0) return false;
  const row = await trx
    .selectFrom('recipients')
    .select('lead_id')
    .where('campaign_id', '=', campaignId)
    .where(sql<boolean>`lead_id = any (${[...leadIds]}::bigint[])`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Threads of leads that were removed, or left out for another one, after their first message and are now put back. */
export const listRemovedThreads = async (
  trx: Transaction<Database>,
  campaignId: number,
  leadIds: readonly number[],
): Promise<number[]> => {
  const rows = await trx
    .selectFrom('recipients')
    .select('lead_id')
    .where('campaign_id', '=', campaignId)
    .where(sql<boolean>`lead_id = any (${[...leadIds]}::bigint[])`)
    .where(sql<boolean>`(status = 'removed' or ${isTwin()})`)
    .where('step', '>', 0)
    .execute();
  return rows.map(({ lead_id }) => lead_id);
};
