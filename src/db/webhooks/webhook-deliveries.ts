/** Deliveries as clients see them: the log of an endpoint, and a delivery that is queued again. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { DeliveryState } from '../../domain/webhooks/webhooks.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { WebhookDeliveriesTable } from './event-tables.ts';
import { MAX_COUNTED } from '../pages.ts';
import type { Database } from '../tables.ts';

export type Delivery = Selectable<WebhookDeliveriesTable> & { event_type: EventType };

const withType = (db: Kysely<Database>) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('events', 'events.id', 'webhook_deliveries.event_id')
    .selectAll('webhook_deliveries')
    .select('events.type as event_type');

export interface DeliveryPage {
  webhookId: number;
  state?: DeliveryState | undefined;
  limit: number;
  offset: number;
}

/** Newest first. A long log is counted up to `MAX_COUNTED`. */
export async function listDeliveries(
  db: Kysely<Database>,
  { webhookId, state, limit, offset }: DeliveryPage,
): Promise<{ rows: Delivery[]; total: number }> {
  let counted = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
  let query = withType(db).where('webhook_deliveries.webhook_id', '=', webhookId);
  if (state !== undefined) {
    counted = counted.where('state', '=', state);
    query = query.where('webhook_deliveries.state', '=', state);
  }
  const [rows, { total }] = await Promise.all([
    query.orderBy('webhook_deliveries.id', 'desc').limit(limit).offset(offset).execute(),
    db
      .selectFrom(counted.select('id').limit(MAX_COUNTED).as('bounded'))
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(total) };
}

export const findUserDelivery = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Delivery | undefined> =>
  withType(db)
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .where('webhook_deliveries.id', '=', id)
    .where('webhooks.user_id', '=', userId)
    .executeTakeFirst();

/**
 * Serializes changes of the endpoint's queue: only under this lock may a delivery begin to wait for the one
 * before it, or stop waiting.
 */
export const lockQueue = (trx: Transaction<Database>, webhookId: number) =>
  trx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/**
 * Queues it again, to be tried at once, with the full retry period; one that waits for an earlier one of its
 * resource keeps waiting. Under `lockQueue`.
 */
export async function requeueDelivery(trx: Transaction<Database>, id: number): Promise<void> {
  await sql`
    update webhook_deliveries set
      next_attempt_at = case when state = 'pending' and next_attempt_at is null then null
        else now() end,
      state = 'pending', attempts = 0, requeued_at = now(), delivered_at = null, updated_at = now()
    where id = ${id}`.execute(trx);
}

/**
 * Failed deliveries are due at once; not those in progress, nor those that wait for another. Under
 * `lockQueue`.
 */
export async function endBackOff(
  trx: Transaction<Database>,
  webhookId: number,
  now: Date,
): Promise<void> {
  await sql`
    update webhook_deliveries set next_attempt_at = ${now}, updated_at = ${now}
    where webhook_id = ${webhookId} and state = 'pending' and next_attempt_at > ${now}
      and leased_until is null`.execute(trx);
}
