/** Whether a seed has ever shown a message: its address is its owner's word alone, and may be anybody's. Choice 123. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * `new`: nothing was sent to it; `shown`: a message was found in it; `open`: the first one is still looked for, or its
 * look was broken off and says nothing; `silent`: what was sent was not found, and nothing more may be sent.
 */
export type SeedProof = 'new' | 'shown' | 'open' | 'silent';

/** Of an account, as another test than this one sees it. */
interface SeedOfTest {
  userId: string;
  address: string;
  testId: number;
}

/** What may have arrived at the address by other tests. By account and address: making the seed anew proves nothing. */
const sentBefore = ({ userId, address, testId }: SeedOfTest) => sql`
  from placement_tests as test
  join placement_messages as message on message.test_id = test.id
  where test.user_id = ${userId} and message.address = ${address} and test.id <> ${testId}
    and message.state in ('claimed', 'sending', 'sent', 'uncertain')`;

const isShown = sql`(message.outcome in ('inbox', 'spam', 'other') or message.shown_at is not null)`;
/** Only a completed look says `missing`: a cancelled test and a seed that could not be read say nothing. */
const isUndecided = sql`(message.outcome is null or message.outcome = 'failed')`;

/** Locks the seed: one claim at a time. */
export async function proveSeed(trx: Transaction<Database>, seed: SeedOfTest): Promise<SeedProof> {
  await trx
    .selectFrom('placement_seeds')
    .select('id')
    .where('user_id', '=', seed.userId)
    .where('address', '=', seed.address)
    .forNoKeyUpdate()
    .execute();
  const { rows } = await sql<{ sent: number; is_shown: boolean; is_open: boolean }>`
    select count(*)::int as sent, coalesce(bool_or(${isShown}), false) as is_shown,
      coalesce(bool_or(${isUndecided}), false) as is_open
    ${sentBefore(seed)}`.execute(trx);
  const [{ sent, is_shown: wasShown, is_open: isOpen }] = rows as [(typeof rows)[0]];
  if (sent === 0) return 'new';
  if (wasShown) return 'shown';
  return isOpen ? 'open' : 'silent';
}

export interface UnseenMessage {
  id: number;
  /** With angle brackets. */
  messageId: string;
}

/** There is mostly one: no second one is sent before the first was found. */
const MOST_UNSEEN = 5;

/** Messages whose look has ended and says nothing, newest first; none where the seed is proven already. */
export async function listUnseen(db: Kysely<Database>, seed: SeedOfTest): Promise<UnseenMessage[]> {
  const { rows } = await sql<UnseenMessage>`
    select message.id, message.message_id as "messageId"
    ${sentBefore(seed)} and ${isUndecided}
      and (message.outcome is not null or test.status <> 'processing')
      and not exists (select ${sentBefore(seed)} and ${isShown})
    order by message.id desc limit ${MOST_UNSEEN}`.execute(db);
  return rows;
}

/** The seed has shown it after its test. What the test said of it stays. */
export async function noteShown(db: Kysely<Database>, id: number, at: Date): Promise<void> {
  await db
    .updateTable('placement_messages')
    .set({ shown_at: at })
    .where('id', '=', id)
    .where('shown_at', 'is', null)
    .execute();
}
