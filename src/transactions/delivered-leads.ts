/** What delivery results mean for leads. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { DeliveryResult, EndedSession } from '../domain/sending/delivery-results.ts';
import { isKeptLead } from '../db/leads/deleted-lists.ts';
import { samePlan } from '../db/same-plan.ts';
import { suppressLeads } from '../db/suppressions/suppressed-leads.ts';
import { insertSuppressions } from '../db/suppressions/suppressions.ts';
import type { Database } from '../db/tables.ts';

/** Of the leads to whom messages were sent, one statement for each state that is reached. Choice 17. */
export function leadMoves(ends: readonly DeliveryResult[]): RawBuilder<unknown>[] {
  const sent = ends.filter(({ state }) => state === 'sent');
  const idsOf = (isLast: boolean) =>
    sent
      .filter(({ recipient }) => (recipient.status === 'completed') === isLast)
      .map(({ leadId }) => leadId);
  const move = (ids: number[], to: string, from: string[]) => {
    if (ids.length === 0) return [];
    const change = sql`/*end-leads*/
      with locked as (
        select id from leads where id = any (${samePlan(ids, 'bigint[]')})
          and status = any (${samePlan(from, 'text[]')})
        order by id for no key update
      )
      update leads set status = ${to}, updated_at = clock_timestamp()
      where id in (select id from locked)`;
    return [change];
  };
  return [
    ...move(idsOf(false), 'contacted', ['pending', 'active']),
    ...move(idsOf(true), 'completed', ['pending', 'active', 'contacted']),
  ];
}

/**
 * Only 5.x.x about the address suppresses it: docs/sending-rules.md#which-refusals-suppress. All leads with
 * the address have bounced, in any company; one whose address has changed since stays unchanged. Choice 53.
 */
export async function suppressBounced(
  trx: Transaction<Database>,
  { campaignId, userId }: EndedSession,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ email_key: string | null }>`
    with locked as (
      select leads.id from leads
      where leads.user_id = ${userId} and leads.status not in ('unsubscribed', 'bounced')
        and leads.email_key in (select email_key from sends where id = any (${ids}::bigint[]))
        and ${isKeptLead('leads', userId)}
      order by leads.id for no key update
    ), moved as (
      update leads set status = 'bounced', updated_at = clock_timestamp() from locked
      where leads.id = locked.id
    )
    select email_key from sends where id = any (${ids}::bigint[])`.execute(trx);
  const note = `campaign ${campaignId}`;
  const entries = rows.flatMap(({ email_key: value }) =>
    value === null ? [] : [{ kind: 'email' as const, value, reason: 'bounce' as const, note }],
  );
  if (entries.length === 0) return;
  await insertSuppressions(trx, userId, entries);
  await suppressLeads(trx, userId, entries);
}
