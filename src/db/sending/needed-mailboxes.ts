/** Which free mailboxes a campaign's due recipients need: the others are neither locked nor counted. */
import { sql, type RawBuilder } from 'kysely';

/** The due messages, read without locks: never fewer than may be claimed. */
export interface DueNeed {
  /** Mailboxes with a due thread. */
  threads: ReadonlySet<number>;
  /** First messages that are due, `most` at most. */
  firsts: number;
}

/** Of the first messages, in the row without a mailbox, and of each mailbox with a due thread. */
export interface DueRow {
  id: number | null;
  firsts: number;
}

/**
 * Checks only the time, so recipients held back for another reason are counted, too: a superfluous mailbox
 * costs a lock, a missing one would lose its slot. One index lookup for each mailbox, also for those that are not free: it is
 * asked before that is known, together with who they are.
 */
export const dueMailboxesOf = ({
  campaignId,
  now,
  most,
}: {
  campaignId: number;
  now: Date;
  most: number;
}): RawBuilder<DueRow> => sql`/*find-due-mailboxes*/
    select null::bigint as id, count(*)::integer as firsts from (
      select from recipients
      where campaign_id = ${campaignId} and mailbox_id is null and due_at <= ${now}
      order by mailbox_id, due_at limit ${most}) as due
    union all
    select mine.mailbox_id, 0 from campaign_mailboxes as mine
    cross join lateral (select from recipients
      where campaign_id = ${campaignId} and mailbox_id = mine.mailbox_id and due_at <= ${now}
      limit 1) as due
    where mine.campaign_id = ${campaignId}`;

/** What is due for the mailboxes of `free`, and for any. */
export const dueNeedOf = (rows: readonly DueRow[], free: ReadonlySet<number>): DueNeed => ({
  threads: new Set(rows.flatMap(({ id }) => (id !== null && free.has(id) ? [id] : []))),
  firsts: rows.find(({ id }) => id === null)!.firsts,
});

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
