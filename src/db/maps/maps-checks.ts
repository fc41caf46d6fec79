/** Verdicts on the addresses of places, stored with the place, by address. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { ContactCheck } from '../../domain/maps/maps.ts';
import type { Database } from '../tables.ts';

export interface ItemEmails {
  itemId: number;
  emails: string[];
}

/** Items of a run that have addresses without a verdict, with those addresses. */
export async function listUnverifiedItems(
  db: Kysely<Database>,
  runId: number,
  page: { after: number; limit: number },
): Promise<ItemEmails[]> {
  const { rows } = await sql<ItemEmails>`
    select i.id as "itemId", array_agg(distinct e.email) as emails
    from maps_items i
      cross join lateral (
        select found ->> 'email' as email from jsonb_array_elements(i.contacts -> 'emails') as found
      ) e
    where i.run_id = ${runId} and i.id > ${page.after} and i.contacts is not null
      and not coalesce(i.contacts -> 'checks', '{}') ? e.email
    group by i.id order by i.id limit ${page.limit}`.execute(db);
  return rows;
}

/**
 * Stores verdicts on addresses that the place still has: those of a person who was erased meanwhile are not
 * written again. The caller has locked the run, or the import; an erasure waits for that lock.
 */
export async function keepChecks(
  trx: Transaction<Database>,
  checks: readonly { itemId: number; checks: Record<string, ContactCheck> }[],
): Promise<void> {
  if (checks.length === 0) return;
  await sql`
    update maps_items i set contacts = jsonb_set(i.contacts, '{checks}',
      coalesce(i.contacts -> 'checks', '{}') || coalesce(
        (select jsonb_object_agg(given.key, given.value) from jsonb_each(c.checks) as given
          where exists (
            select from jsonb_array_elements(i.contacts -> 'emails') as found
            where found ->> 'email' = given.key)),
        '{}'))
    from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) as c ("itemId" bigint, checks jsonb)
    where i.id = c."itemId" and i.contacts is not null`.execute(trx);
}
