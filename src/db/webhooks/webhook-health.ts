/** Updates the health of endpoints from attempts, and disables endpoints that keep failing. Choice 45. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { DAY_MS } from '../../domain/day.ts';
import type { DeliveryAnswer } from '../../domain/webhooks/webhooks.ts';
import {
  WELL,
  disabledReason,
  healthAfter,
  type DisabledReason,
  type HealthRules,
  type WebhookHealth,
} from '../../domain/webhooks/webhook-health.ts';
import { insertEvents } from './events.ts';
import type { Database } from '../tables.ts';

/** An endpoint as an attempt saw it. */
export interface AskedEndpoint {
  webhook_id: number;
  url: string;
}

export interface AttemptOutcome {
  answer: DeliveryAnswer;
  now: Date;
  /** Its new response time; undefined when the row has it already. */
  answerMs: number | undefined;
  rules: HealthRules;
}

interface LockedEndpoint {
  user_id: string;
  url: string;
  is_active: boolean;
  failures: number;
  failing_since: Date | null;
  open_until: Date | null;
  noticed_at: Date | null;
}

/** At most one message of an endpoint a day, however often it is enabled again. */
const NOTICE_EVERY_MS = DAY_MS;

/**
 * Locks the endpoint and records the attempt's result. An endpoint disabled by it gets an event. Returns the
 * reason when it was disabled; no change where its URL has changed meanwhile.
 */
export async function noteHealth(
  trx: Transaction<Database>,
  { webhook_id: id, url }: AskedEndpoint,
  { answer, now, answerMs, rules }: AttemptOutcome,
): Promise<DisabledReason | undefined> {
  const { rows } = await sql<LockedEndpoint>`
    select user_id, url, is_active, failures, failing_since, open_until, noticed_at
    from webhooks where id = ${id} for no key update`.execute(trx);
  const row = rows[0];
  if (!row || row.url !== url) return undefined;
  const before = {
    failures: row.failures,
    failingSince: row.failing_since,
    openUntil: row.open_until,
  };
  const after = healthAfter(before, answer, now, rules);
  const isOther = after !== before && !(after === WELL && row.failures === 0);
  if (isOther || answerMs !== undefined) await writeHealth(trx, id, after, answerMs);
  const reason = row.is_active ? disabledReason(after, answer, now, rules) : undefined;
  if (reason) await disable(trx, { ...row, id }, { reason, now, failingSince: after.failingSince });
  return reason;
}

const writeHealth = (
  trx: Transaction<Database>,
  id: number,
  { failures, failingSince, openUntil }: WebhookHealth,
  answerMs: number | undefined,
) =>
  trx
    .updateTable('webhooks')
    .set({
      failures,
      failing_since: failingSince,
      open_until: openUntil,
      ...(answerMs !== undefined && { answer_ms: answerMs }),
    })
    .where('id', '=', id)
    .execute();

async function disable(
  trx: Transaction<Database>,
  webhook: LockedEndpoint & { id: number },
  { reason, now, failingSince }: { reason: DisabledReason; now: Date; failingSince: Date | null },
): Promise<void> {
  const { id, user_id: userId, noticed_at: noticedAt } = webhook;
  const isNoticed = noticedAt !== null && now.getTime() - noticedAt.getTime() < NOTICE_EVERY_MS;
  const disabled = { is_active: false, disabled_at: now, disabled_reason: reason };
  await trx
    .updateTable('webhooks')
    .set({ ...disabled, notice_due_at: isNoticed ? null : now, updated_at: now })
    .where('id', '=', id)
    .execute();
  const times = { failingSince: failingSince?.toISOString() ?? null };
  const payload = { webhookId: id, reason, ...times, disabledAt: now.toISOString() };
  await insertEvents(trx, [
    { userId, type: 'webhook.disabled', resource: `webhook/${id}`, payload },
  ]);
}

/** Set when an endpoint's URL changes or it is enabled again: its health is unknown. */
export const NEW_HEALTH = { answer_ms: null, failures: 0, failing_since: null, open_until: null };

/** What is set when it is enabled again. */
export const ENABLED = {
  disabled_at: null,
  disabled_reason: null,
  notice_due_at: null,
};

/** Ends the pause of an endpoint: one attempt is made at once, as at the regular end of the pause. */
export async function endRest(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ open_until: null })
    .where('id', '=', id)
    .where('open_until', 'is not', null)
    .execute();
}
