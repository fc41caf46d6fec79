/** Owners still to be notified that their endpoint was disabled. Choice 45. */
import { sql, type Kysely } from 'kysely';
import type { DisabledReason } from '../../domain/webhooks/webhook-health.ts';
import type { Database } from '../tables.ts';

export interface DueNotice {
  id: number;
  url: string;
  /** The account's address. */
  email: string;
  reason: DisabledReason;
  disabledAt: Date;
  failingSince: Date | null;
}

/** Older notices are dropped. */
const NEWS_FOR = sql`interval '3 days'`;
/** After this time the claiming process has died, or the relay refused the message: it is tried again. */
const LEASE = sql`interval '10 minutes'`;

/** Claims the notice that has waited longest. */
export async function claimNotice(db: Kysely<Database>, now: Date): Promise<DueNotice | undefined> {
  const { rows } = await sql<DueNotice>`
    update webhooks set notice_due_at = ${now}::timestamptz + ${LEASE} from users
    where users.user_id = webhooks.user_id and webhooks.id = (
      select id from webhooks
      where notice_due_at <= ${now} and disabled_at > ${now}::timestamptz - ${NEWS_FOR}
      order by notice_due_at limit 1 for no key update skip locked)
    returning webhooks.id, url, users.email, disabled_reason as reason,
      disabled_at as "disabledAt", failing_since as "failingSince"`.execute(db);
  return rows[0];
}

export async function endNotice(
  db: Kysely<Database>,
  { id, disabledAt }: Pick<DueNotice, 'id' | 'disabledAt'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ notice_due_at: null, noticed_at: now })
    .where('id', '=', id)
    .where('disabled_at', '=', disabledAt)
    .execute();
}
