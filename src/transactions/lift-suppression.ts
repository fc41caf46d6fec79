/** What lifting a suppression brings back, whoever lifts it. Choices 142, 144, 155. */
import type { Transaction } from 'kysely';
import {
  askForWalks,
  findWalks,
  listLargeDomains,
  openLeadsOf,
} from '../db/suppressions/domain-walks.ts';
import { liftLeads, type Lifted } from '../db/suppressions/suppressed-leads.ts';
import { noteLifting, type LiftedFor, type Suppression } from '../db/suppressions/suppressions.ts';
import type { Database } from '../db/tables.ts';

/** In the transaction that has deleted the entry. */
export async function liftDeleted(
  trx: Transaction<Database>,
  row: Suppression,
  by: LiftedFor,
): Promise<Lifted & { openLeads: number | null }> {
  const userId = row.user_id;
  const domains = row.kind === 'domain' ? [row.value] : [];
  const isWalked = (await listLargeDomains(trx, userId, domains)).size > 0;
  const lifted = isWalked ? { leads: 0, campaignIds: [] } : await liftLeads(trx, userId, row);
  const liftedId = await noteLifting(trx, row, { ...by, lifted_leads: lifted.leads });
  if (!isWalked) return { ...lifted, openLeads: 0 };
  await askForWalks(trx, userId, domains, { id: liftedId, reason: row.reason });
  const walks = await findWalks(trx, userId, domains);
  return { ...lifted, openLeads: openLeadsOf(walks.get(row.value)) };
}
