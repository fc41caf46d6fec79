/** What each source of contacts (own website, finders) yielded for a discovery process. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { LeadProcessFindersTable } from './discovery-tables.ts';
import type { Database } from '../tables.ts';

export type LeadProcessFinder = Selectable<LeadProcessFindersTable> & {
  /** Purchases whose answers were lost: their cost is unknown. */
  uncertain: number;
};

/** The name under which companies' own websites are counted. */
export const WEBSITE = 'website';

export const listFinders = (
  db: Kysely<Database>,
  processId: number,
): Promise<LeadProcessFinder[]> =>
  db
    .selectFrom('lead_process_finders')
    .selectAll()
    .select(
      sql<number>`(select count(*) from contact_purchases as bought
        where bought.process_id = lead_process_finders.process_id
          and bought.vendor = lead_process_finders.vendor and bought.state = 'uncertain')`.as(
        'uncertain',
      ),
    )
    .where('process_id', '=', processId)
    .orderBy('place')
    .orderBy('vendor')
    .execute();

/** Inserts missing rows; `vendors` in the order in which they are asked. */
export async function ensureFinders(
  db: Kysely<Database>,
  processId: number,
  vendors: readonly string[],
): Promise<void> {
  await db
    .insertInto('lead_process_finders')
    .values(vendors.map((vendor, place) => ({ process_id: processId, vendor, place })))
    .onConflict((conflict) => conflict.columns(['process_id', 'vendor']).doNothing())
    .execute();
}

export interface FinderGain {
  asked?: number;
  contacts?: number;
  reused?: number;
  credits?: number;
}

export async function addToFinder(
  db: Kysely<Database>,
  processId: number,
  vendor: string,
  gain: FinderGain,
): Promise<void> {
  const { asked = 0, contacts = 0, reused = 0, credits = 0 } = gain;
  await db
    .updateTable('lead_process_finders')
    .set({
      asked: sql<number>`asked + ${asked}::int`,
      contacts: sql<number>`contacts + ${contacts}::int`,
      reused: sql<number>`reused + ${reused}::int`,
      credits: sql<number>`credits + ${credits}::int`,
    })
    .where('process_id', '=', processId)
    .where('vendor', '=', vendor)
    .execute();
}

/** Not asked again for this process. */
export async function stopFinder(
  db: Kysely<Database>,
  processId: number,
  vendor: string,
  note: string,
): Promise<void> {
  await db
    .updateTable('lead_process_finders')
    .set({ state: 'stopped', note })
    .where('process_id', '=', processId)
    .where('vendor', '=', vendor)
    .where('state', '=', 'active')
    .execute();
}
