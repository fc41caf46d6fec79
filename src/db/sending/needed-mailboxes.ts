/** Which free mailboxes a campaign's due recipients need: the others are neither locked nor counted. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/** The due messages, read without locks: never fewer than may be claimed. */
export interface DueNeed {
  /** Mailboxes with a due thread. */
  threads: ReadonlySet<number>;
  /** First messages that are due, `most` at most. */
  firsts: number;
}

/**
 * Checks only the time, so recipients held back for another reason are counted, too: a superfluous mailbox
 * costs a lock, a missing one would lose its slot. One index lookup for each mailbox.
 */
export async function findDueMailboxes(
  trx: Transaction<Database>,
  {
    campaignId,
    now,
    mailboxIds,
    most,
  }: { campaignId: number; now: Date; mailboxIds: readonly number[]; most: number },
): Promise<DueNeed> {
  const { rows } = await sql<{ id: number | null; firsts: number }>`/*find-due-mailboxes*/
    select null::bigint as id, count(*)::integer as firsts from (
      select from recipients
      where campaign_id = ${campaignId} and mailbox_id is null and due_at <= ${now}
      order by mailbox_id, due_at limit ${most}) as due
    union all
    select mailbox.id, 0 from unnest(${[...mailboxIds]}::bigint[]) as mailbox (id)
    cross join lateral (select from recipients
      where campaign_id = ${campaignId} and mailbox_id = mailbox.id and due_at <= ${now}
      limit 1) as due`.execute(trx);
  return {
    threads: new Set(rows.flatMap(({ id }) => (id === null ? [] : [id]))),
    firsts: rows.find(({ id }) => id === null)!.firsts,
  };
}

export interface Batch<M> {
  batch: M[];
  /** In the same order. */
  rest: M[];
}

/**
 * The next mailboxes to lock: all that have a thread, and as many others as there are first messages, in the
 * order given. Leaving out the rest does not change which mailbox sends: a first message goes to the first
 * mailboxes in order that have a slot left.
 */
export function nextBatch<M>(
  mailboxes: readonly M[],
  { threads, firsts }: DueNeed,
  of: (mailbox: M) => { id: number; takesFirst: boolean },
): Batch<M> {
  const batch: M[] = [];
  const rest: M[] = [];
  let left = firsts;
  for (const mailbox of mailboxes) {
    const { id, takesFirst } = of(mailbox);
    const isForFirst = !threads.has(id) && takesFirst && left > 0;
    if (isForFirst) left -= 1;
    (isForFirst || threads.has(id) ? batch : rest).push(mailbox);
  }
  return { batch, rest };
}
