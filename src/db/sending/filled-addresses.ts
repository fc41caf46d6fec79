/** Leads that were left out since they had no address, and have got one from an import. Choice 151. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { lockRecipientsOfLeads } from '../leads/lead-locks.ts';
import type { Database } from '../tables.ts';
import { lookAgain } from './changed-addresses.ts';
import { awaitAnswers } from './review-holds.ts';

/** Per transaction: an unsubscription of one of them waits for it. */
const FOLLOWED_AT_ONCE = 50;

/** Accounts that have such leads, without those that rest. From one to the next: an account may have very many. */
export async function listAccountsWithFilled(
  db: Kysely<Database>,
  { limit, resting }: { limit: number; resting: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with recursive account as (
      select min(user_id) as user_id from filled_addresses
      union all
      select (select min(user_id) from filled_addresses where user_id > account.user_id)
      from account where user_id is not null
    )
    select user_id from account
    where user_id is not null and user_id <> all (${[...resting]}::text[])
    limit ${limit}`.execute(db);
  return rows.map(({ user_id: userId }) => userId);
}

/**
 * Looks at the next of them again, as after a change of the address. Safe to repeat, and to run twice at once. Returns the
 * active campaigns that go on.
 */
export async function followFilled(
  trx: Transaction<Database>,
  { userId, now }: { userId: string; now: Date },
  portion = FOLLOWED_AT_ONCE,
): Promise<number[]> {
  const notes = await trx
    .selectFrom('filled_addresses')
    .select(['id', 'lead_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(portion)
    .execute();
  if (notes.length === 0) return [];
  await awaitAnswers(trx, userId);
  const ids = sql`${notes.map(({ lead_id: id }) => id)}::bigint[]`;
  await lockRecipientsOfLeads(
    trx,
    sql`select unnest(${ids}) union select twin.id from leads as own join leads as twin
      on twin.user_id = own.user_id and twin.email_key = own.email_key
      where own.id = any (${ids})`,
  );
  const { rows } = await sql<{ id: number; email_key: string }>`
    select id, email_key from leads where id = any (${ids}) and email_key is not null
      and ${isKeptLead('leads', userId)} order by id`.execute(trx);
  const again = new Set<number>();
  for (const { id: leadId, email_key: emailKey } of rows) {
    const campaigns = await lookAgain(trx, { leadId, emailKey, now }, ['no_email']);
    for (const campaignId of campaigns) again.add(campaignId);
  }
  // Last: who writes such a lead meanwhile notes it anew.
  await trx
    .deleteFrom('filled_addresses')
    .where(
      'id',
      'in',
      notes.map(({ id }) => id),
    )
    .execute();
  return [...again];
}
