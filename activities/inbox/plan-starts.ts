/** Plans which campaigns the writers of new answers enter. Choice 116. */
import type { Transaction } from 'kysely';
import { planStarts } from '../../src/db/campaigns/subsequence-starts.ts';
import type { Database } from '../../src/db/tables.ts';

/** In the transaction that stores the messages; those that are no person's answer plan nothing. */
export const planForStored = (
  trx: Transaction<Database>,
  added: ReadonlyMap<string, number>,
  { DAY_SECONDS: daySeconds }: { DAY_SECONDS: number },
): Promise<void> => planStarts(trx, [...added.values()], { now: new Date(), daySeconds });
