/** The queue of deliveries: which are due, which wait for an earlier one, and the results of attempts. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { DeliveryAnswer, DeliveryState } from '../../domain/webhooks/webhooks.ts';
import { FAILURES_IN_A_ROW, type DisabledReason } from '../../domain/webhooks/webhook-health.ts';
import type { DueEndpoint } from '../../domain/webhooks/webhook-places.ts';
import type { AnswerContent } from '../../domain/webhooks/event-payloads.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { Database } from '../tables.ts';
import { lockQueue } from './webhook-deliveries.ts';
import { noteHealth, type AttemptOutcome } from './webhook-health.ts';

/** A claimed delivery, with all data that an attempt needs. */
export interface DueDelivery {
  id: number;
  webhook_id: number;
  event_id: number;
  resource: string;
  attempts: number;
  /** Since when it is tried. */
  queued_at: Date;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
  event_type: EventType;
  event_created_at: Date;
  payload: Record<string, unknown>;
  /** Content sent in addition to the event. */
  content: AnswerContent | null;
}

/**
 * Endpoints with due deliveries that are not paused, in the order of their ids. Skips from endpoint to
 * endpoint through the index: a million deliveries of one cost as much as a single one.
 */
export async function listDueWebhooks(db: Kysely<Database>, now: Date): Promise<DueEndpoint[]> {
  const { rows } = await sql<DueEndpoint>`
    with recursive waiting (id) as (
      select min(webhook_id) from webhook_deliveries
      where state = 'pending' and next_attempt_at is not null
      union all
      select (
        select min(webhook_id) from webhook_deliveries
        where state = 'pending' and next_attempt_at is not null and webhook_id > waiting.id)
      from waiting where waiting.id is not null
    )
    select webhooks.id, user_id as "userId", answer_ms as "answerMs",
      failures >= ${FAILURES_IN_A_ROW} as "isFailing"
    from waiting join webhooks using (id)
    where is_active and (open_until is null or open_until <= ${now}) and exists (
      select from webhook_deliveries
      where webhook_id = webhooks.id and state = 'pending' and next_attempt_at <= ${now})
    order by webhooks.id`.execute(db);
  return rows;
}

/** The result of one attempt of a delivery. */
export interface AttemptEnd {
  answer: DeliveryAnswer;
  state: DeliveryState;
  nextAttemptAt: Date | null;
  now: Date;
}

/** Read at delivery: an event holds no personal data, and data erased since is not sent. */
const ANSWER_CONTENT = sql`
  select json_build_object('from', from_address, 'fromName', from_name, 'subject', subject,
    'snippet', snippet) as told
  from messages where events.type = 'message.received'
    and messages.id = (events.payload->>'inboxId')::bigint`;

/** Most rows of one batch. */
const LOOKED_AT = 200;

/**
 * Claims up to `limit` due deliveries of an endpoint until `leasedUntil`; of each resource only the oldest
 * pending one, the others begin to wait for it. A process that dies only delays its deliveries.
 */
export const claimDeliveries = (
  db: Kysely<Database>,
  claim: { webhookId: number; limit: number; now: Date; leasedUntil: Date },
): Promise<DueDelivery[]> =>
  db.transaction().execute(async (trx) => {
    const { webhookId, limit, now, leasedUntil } = claim;
    if (!(await lockQueue(trx, webhookId))) return [];
    const { rows } = await sql<DueDelivery>`
      with due as (
        select id, resource, exists (
          select from webhook_deliveries as before
          where before.webhook_id = ${webhookId} and before.resource = queued.resource
            and before.state = 'pending' and before.id < queued.id) as is_behind
        from webhook_deliveries as queued
        where webhook_id = ${webhookId} and state = 'pending' and next_attempt_at <= ${now}
        order by next_attempt_at, id limit ${LOOKED_AT}
      ), behind as (
        update webhook_deliveries set next_attempt_at = null
        where id in (select id from due where is_behind)
      ), taken as (
        update webhook_deliveries
        set next_attempt_at = ${leasedUntil}, leased_until = ${leasedUntil}, updated_at = ${now}
        where id in (select id from due where not is_behind order by id limit ${limit})
        returning *
      )
      select taken.id, taken.webhook_id, taken.event_id, taken.resource, taken.attempts,
        coalesce(taken.requeued_at, taken.created_at) as queued_at, webhooks.url, webhooks.secret, webhooks.previous_secret,
        webhooks.previous_secret_expires_at, events.type as event_type,
        events.created_at as event_created_at, events.payload, content.told as content
      from taken join events on events.id = taken.event_id
        join webhooks on webhooks.id = taken.webhook_id
        left join lateral (${ANSWER_CONTENT}) content on include_content
      order by taken.id`.execute(trx);
    return rows;
  });

/**
 * Records an attempt's result for the delivery and its endpoint; returns the reason when the endpoint was
 * disabled. After the last attempt (`state` is not pending) the next delivery of the resource is due. Choice
 * 45: later events of a resource wait.
 */
export const endAttempt = (
  db: Kysely<Database>,
  delivery: Pick<DueDelivery, 'id' | 'webhook_id' | 'resource' | 'attempts' | 'url'>,
  end: AttemptEnd & AttemptOutcome,
): Promise<DisabledReason | undefined> =>
  db.transaction().execute(async (trx) => {
    const disabled = await noteHealth(trx, delivery, end);
    const { numUpdatedRows } = await trx
      .updateTable('webhook_deliveries')
      .set({
        state: end.state,
        next_attempt_at: end.nextAttemptAt,
        attempts: delivery.attempts + 1,
        leased_until: null,
        last_status: end.answer.status,
        last_error: end.answer.error,
        updated_at: end.now,
        ...(end.state === 'delivered' && { delivered_at: end.now }),
      })
      .where('id', '=', delivery.id)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    if (numUpdatedRows > 0n && end.state !== 'pending') await wakeNext(trx, delivery, end.now);
    return disabled;
  });

/** An attempt aborted by us does not count: the delivery is due at once. */
export async function giveBack(db: Kysely<Database>, id: number, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now, leased_until: null, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

const wakeNext = (
  trx: Transaction<Database>,
  { webhook_id, resource }: Pick<DueDelivery, 'webhook_id' | 'resource'>,
  now: Date,
) =>
  sql`
    update webhook_deliveries set next_attempt_at = ${now}
    where next_attempt_at is null and id = (
      select id from webhook_deliveries
      where webhook_id = ${webhook_id} and resource = ${resource} and state = 'pending'
      order by id limit 1)`.execute(trx);
