/** Fetches of links: kept until they can be classified as a person's or a program's. Choice 55. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { BURST_SECONDS, judgeFetches } from '../domain/sending/link-fetches.ts';
import { despiteDeadlocks } from '../db/deadlocks.ts';
import { recordSendOutcome } from './send-outcomes.ts';
import type { SendOutcome } from '../db/sending/outcome-events.ts';
import type { Database } from '../db/tables.ts';

/** A burst is classified only when it is complete; times are in whole seconds. */
const JUDGED_AFTER_SECONDS = BURST_SECONDS + 2;
/** Classified fetches are kept as context for those after them. */
const KEPT_SECONDS = 60;
const SENDS_AT_ONCE = 100;

export interface NewFetch {
  sendId: number;
  /** '' for the tracking pixel. */
  target: string;
  at: Date;
  isMachine: boolean;
}

/**
 * Stores a fetch for classification, unless the same one is stored for the message already. False when the
 * message was deleted with its campaign.
 */
export async function insertFetch(db: Kysely<Database>, fetch: NewFetch): Promise<boolean> {
  const { sendId, target, at, isMachine } = fetch;
  const noted = sql.ref(columnOf(target === '', isMachine));
  const { rows } = await sql<{ is_known: boolean }>`
    with send as (select id, ${noted} as noted_at from sends where id = ${sendId}),
    added as (
      insert into link_fetches (send_id, target, at, is_machine)
      select id, ${target}, date_trunc('second', ${at}::timestamptz), ${isMachine}
      from send where noted_at is null
      on conflict do nothing
    )
    select exists (select from send) as is_known`.execute(db);
  return rows[0]!.is_known;
}

/**
 * Classifies the fetches that are old enough, message by message, and records the outcomes. Safe to repeat
 * and to run concurrently. Returns how many messages it has processed.
 */
export async function judgeDueFetches(
  db: Kysely<Database>,
  now: Date,
  settings: { DAY_SECONDS: number },
): Promise<number> {
  const before = new Date(now.getTime() - JUDGED_AFTER_SECONDS * 1_000);
  const { rows: due } = await sql<{ send_id: number }>`
    select distinct send_id from link_fetches where not is_judged and at <= ${before}
    order by send_id limit ${SENDS_AT_ONCE}`.execute(db);
  for (const { send_id: sendId } of due) {
    await despiteDeadlocks(() =>
      db.transaction().execute((trx) => judgeSend(trx, { sendId, before, settings })),
    );
  }
  await sql`delete from link_fetches
    where is_judged and at < ${new Date(now.getTime() - KEPT_SECONDS * 1_000)}`.execute(db);
  return due.length;
}

async function judgeSend(
  trx: Transaction<Database>,
  { sendId, before, settings }: { sendId: number; before: Date; settings: { DAY_SECONDS: number } },
): Promise<void> {
  const { rows } = await sql<{
    target: string;
    at: Date;
    isMachine: boolean;
    is_judged: boolean;
    handed_at: Date;
  }>`
    select target, at, is_machine as "isMachine", is_judged,
      coalesce(sends.sent_at, text.written_at, sends.claimed_at) as handed_at
    from link_fetches join sends on sends.id = link_fetches.send_id
      left join send_texts as text on text.send_id = sends.id
    where link_fetches.send_id = ${sendId} order by at, target
    for update of link_fetches`.execute(trx);
  const handedAt = rows[0]?.handed_at;
  if (!handedAt) return;
  const verdicts = judgeFetches(handedAt, rows);
  for (const [n, { target, at, is_judged: isJudged }] of rows.entries()) {
    if (isJudged || at > before) continue;
    await recordSendOutcome(trx, sendId, outcomeOf(target, at, verdicts[n]!), settings);
  }
  await sql`update link_fetches set is_judged = true
    where send_id = ${sendId} and not is_judged and at <= ${before}`.execute(trx);
}

/** A program's fetch is only counted; it causes no event. */
function outcomeOf(target: string, at: Date, isMachine: boolean): SendOutcome {
  if (target === '') return { kind: isMachine ? 'machine_opened' : 'opened', at };
  if (isMachine) return { kind: 'machine_clicked', at };
  return { kind: 'clicked', at, url: target };
}

const columnOf = (isOpening: boolean, isMachine: boolean) =>
  `${isMachine ? 'machine_' : ''}${isOpening ? 'opened' : 'clicked'}_at` as const;
