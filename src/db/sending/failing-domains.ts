/** Sending domains that lack DNS records required for deliverability. Choice 45. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { lockDomain } from '../domains/domains.ts';
import { insertEvents } from '../webhooks/events.ts';
import { markMailboxes } from './sending-mailboxes.ts';
import type { Database } from '../tables.ts';

/**
 * Excludes the mailboxes from sending, and tells clients of each of their domains once: not again before all
 * of the domain's mailboxes have recovered. Locks domains, then mailboxes.
 */
export async function markDnsFailing(
  trx: Transaction<Database>,
  mailboxIds: readonly number[],
  now: Date,
): Promise<void> {
  if (mailboxIds.length === 0) return;
  const { rows: domains } = await sql<FailingRow>`
    select id, name, user_id, dns_failing_since from domains
    where id in (select clusters.domain_id from mailboxes
      join clusters on clusters.id = mailboxes.cluster_id
      where mailboxes.id = any (${[...mailboxIds]}::bigint[]))
    order by id for no key update`.execute(trx);
  const ids = domains.map(({ id }) => id);
  const before = await listFailing(trx, ids);
  await markMailboxes(trx, mailboxIds, 'dns_failing', now);
  const after = await listFailing(trx, ids);
  const isNew = ({ id, dns_failing_since: failingSince }: FailingRow) =>
    after.has(id) && !before.has(id) && failingSince === null;
  const newlyFailing = domains.filter(isNew);
  await insertEvents(
    trx,
    newlyFailing.map(({ id, name, user_id: userId }) => ({
      userId,
      type: 'domain.dns_failing',
      resource: `domain/${id}`,
      payload: { domainId: id, domain: name, mailboxIds: after.get(id)!, at: now.toISOString() },
    })),
  );
}

interface FailingRow {
  id: number;
  name: string;
  user_id: string;
  dns_failing_since: Date | null;
}

/**
 * Records the result of a check of the domain's records: failing checks, by name; none = it is fine. Clients
 * are told once, unless a campaign that lost its mailboxes has told them already. Safe to repeat.
 */
export const recordDomainDns = (
  db: Kysely<Database>,
  domainId: number,
  { failing, now }: { failing: readonly string[]; now: Date },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, domainId);
    if ((domain.dns_failing_since !== null) === failing.length > 0) return;
    await trx
      .updateTable('domains')
      .set({ dns_failing_since: failing.length > 0 ? now : null, updated_at: now })
      .where('id', '=', domainId)
      .execute();
    const mailboxIds = (await listFailing(trx, [domainId])).get(domainId) ?? [];
    if (failing.length === 0 || mailboxIds.length > 0) return;
    const payload = {
      domainId,
      domain: domain.name,
      mailboxIds,
      checks: [...failing],
      at: now.toISOString(),
    };
    const { user_id: userId } = domain;
    const resource = `domain/${domainId}`;
    await insertEvents(trx, [{ userId, type: 'domain.dns_failing', resource, payload }]);
  });

/** By domain: its mailboxes excluded for its records. */
async function listFailing(
  trx: Transaction<Database>,
  domainIds: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ domain_id: number; mailbox_ids: number[] }>`
    select clusters.domain_id, json_agg(mailboxes.id order by mailboxes.id) as mailbox_ids
    from mailboxes join clusters on clusters.id = mailboxes.cluster_id
    where clusters.domain_id = any (${[...domainIds]}::bigint[])
      and mailboxes.failing_reason = 'dns_failing'
    group by clusters.domain_id`.execute(trx);
  return new Map(rows.map(({ domain_id, mailbox_ids }) => [domain_id, mailbox_ids]));
}
