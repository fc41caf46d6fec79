/** Endpoints of clients and their secrets. Choice 45. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { WebhooksTable } from './event-tables.ts';
import type { Database } from '../tables.ts';
import type { ENABLED, NEW_HEALTH } from './webhook-health.ts';

export type Webhook = Selectable<WebhooksTable>;

/** What a sealed secret is bound to, the previous one included. */
export const secretBinding = (webhookId: number) => `webhook:${webhookId}:secret`;

export const insertWebhook = (
  trx: Transaction<Database>,
  webhook: {
    userId: string;
    url: string;
    eventTypes: string[];
    description: string | null;
    includeContent: boolean;
  },
): Promise<Webhook> =>
  trx
    .insertInto('webhooks')
    .values({
      user_id: webhook.userId,
      url: webhook.url,
      event_types: webhook.eventTypes,
      description: webhook.description,
      include_content: webhook.includeContent,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const findWebhook = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Webhook | undefined> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** A page, newest first. */
export async function listWebhooks(
  db: Kysely<Database>,
  userId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: Webhook[]; total: number }> {
  const query = db.selectFrom('webhooks').where('user_id', '=', userId);
  const [rows, total] = await Promise.all([
    query.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    countWebhooks(db, userId),
  ]);
  return { rows, total };
}

export async function countWebhooks(db: Kysely<Database>, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export interface WebhookChange extends Partial<typeof NEW_HEALTH & typeof ENABLED> {
  url?: string;
  event_types?: string[];
  description?: string | null;
  is_active?: boolean;
  include_content?: boolean;
  secret?: Buffer;
}

/** Undefined when there is no such endpoint. */
export const updateWebhook = (
  db: Kysely<Database>,
  userId: string,
  id: number,
  change: WebhookChange,
): Promise<Webhook | undefined> =>
  db
    .updateTable('webhooks')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();

/** The previous secret signs in addition to the new one until `previousExpiresAt`. */
export const replaceWebhookSecret = (
  db: Kysely<Database>,
  userId: string,
  id: number,
  { secret, previousExpiresAt }: { secret: Buffer; previousExpiresAt: Date },
): Promise<Webhook | undefined> =>
  db
    .updateTable('webhooks')
    .set({
      secret,
      previous_secret: sql<Buffer | null>`secret`,
      previous_secret_expires_at: previousExpiresAt,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();

/** Its deliveries go with it. True when there was one. */
export async function deleteWebhook(
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
