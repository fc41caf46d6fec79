/** Whether a seed has ever shown a message: its address is its owner's word alone, and may be anybody's. Choice 123. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * `new`: nothing was sent to it; `shown`: a message was found in it; `open`: the first one is still looked for; `silent`:
 * what was sent was never found, and nothing more may be sent.
 */
export type SeedProof = 'new' | 'shown' | 'open' | 'silent';

/** By account and address, so that making the seed anew proves nothing. Locks the seed: one claim at a time. */
export async function proveSeed(
  trx: Transaction<Database>,
  { userId, address, testId }: { userId: string; address: string; testId: number },
): Promise<SeedProof> {
  await trx
    .selectFrom('placement_seeds')
    .select('id')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .forNoKeyUpdate()
    .execute();
  const { rows } = await sql<{ sent: number; is_shown: boolean; is_open: boolean }>`
    select count(*)::int as sent,
      coalesce(bool_or(message.outcome in ('inbox', 'spam', 'other')), false) as is_shown,
      coalesce(bool_or(message.outcome is null and test.status = 'processing'), false) as is_open
    from placement_tests as test
    join placement_messages as message on message.test_id = test.id
    where test.user_id = ${userId} and message.address = ${address} and test.id <> ${testId}
      and message.state in ('claimed', 'sending', 'sent', 'uncertain')`.execute(trx);
  const { sent, is_shown: isShown, is_open: isOpen } = rows[0]!;
  if (sent === 0) return 'new';
  if (isShown) return 'shown';
  return isOpen ? 'open' : 'silent';
}
