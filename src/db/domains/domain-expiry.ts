/** Domains that expire soon, and events about it for their owners. Choices 25, 45. */
import type { Kysely } from 'kysely';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import { dueNotice } from '../../domain/domains/domain-renewals.ts';
import { lockDomain, type Domain } from './domains.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { Database } from '../tables.ts';

/** Active domains at a registrar that expire between two times, by id, after `afterId`. */
export const listExpiringDomains = (
  db: Kysely<Database>,
  { from, to, afterId, limit }: { from: Date; to: Date; afterId: number; limit: number },
): Promise<Domain[]> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('status', '=', 'active')
    .where('provider', '!=', MANUAL_PROVIDER)
    .where('expires_at', '>', from)
    .where('expires_at', '<', to)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();

/**
 * Tells clients once per expiry that the domain expires, and again where `renewalError` (a code) says that it
 * does not renew by itself. True when this call told them.
 */
export const tellExpiring = (
  db: Kysely<Database>,
  id: number,
  { expiresAt, now, renewalError }: { expiresAt: Date; now: Date; renewalError: string | null },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, id);
    const { expires_at: end, expiring_told_for: lastNotice, user_id: userId } = domain;
    // It has just been renewed.
    if (end?.getTime() !== expiresAt.getTime()) return false;
    const notice = dueNotice({ expiresAt, lastNotice, isFailing: renewalError !== null }, now);
    if (!notice) return false;
    await trx
      .updateTable('domains')
      .set({ expiring_told_for: notice, updated_at: now })
      .where('id', '=', id)
      .execute();
    const payload = {
      domainId: id,
      domain: domain.name,
      expiresAt: expiresAt.toISOString(),
      autoRenew: domain.auto_renew,
      renewalError,
    };
    const resource = `domain/${id}`;
    await insertEvents(trx, [{ userId, type: 'domain.expiring', resource, payload }]);
    return true;
  });
