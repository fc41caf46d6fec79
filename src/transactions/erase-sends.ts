/** Erases a person from sends and events; the fact that a message was sent is kept. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { ErasedPerson } from '../domain/suppressions/erased-person.ts';
import { ERASED, redactPerson } from '../domain/suppressions/redact-person.ts';
import { speaksOf, writtenEmails } from './erasure-search.ts';
import { eraseSendTexts } from './erase-send-texts.ts';
import type { Database } from '../db/tables.ts';

/** Rows checked per transaction. */
const ROWS_AT_ONCE = 5_000;

/**
 * Sends to the person, with their texts; in sends to others the person's name is redacted. A send to a deleted
 * lead whose address was not kept may have been to the person where the domain is theirs.
 * Campaign by campaign and batch by batch, since no index finds a name in a reply.
 */
export async function eraseSends(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
  leadIds: readonly number[],
): Promise<number> {
  const { rows: campaigns } = await sql<{ id: number }>`
    select id from campaigns where user_id = ${userId} order by id`.execute(db);
  let erased = 0;
  for (const { id: campaignId } of campaigns) {
    let after = FIRST;
    for (;;) {
      const page = await db
        .transaction()
        .execute((trx) => eraseSendsOf(trx, { campaignId, after, leadIds }, person));
      erased += page.erased;
      if (!page.next) break;
      after = page.next;
    }
  }
  return erased;
}

interface SendPlace {
  leadId: number;
  step: number;
}

/** Precedes sends to corrected addresses, whose `lead_id` is negative. */
const FIRST: SendPlace = { leadId: Number.MIN_SAFE_INTEGER, step: -1 };

/** The batch of a campaign after a position; `next` is where to continue, null at its end. */
async function eraseSendsOf(
  trx: Transaction<Database>,
  {
    campaignId,
    after,
    leadIds,
  }: { campaignId: number; after: SendPlace; leadIds: readonly number[] },
  person: ErasedPerson,
): Promise<{ erased: number; next: SendPlace | null }> {
  const domains = writtenEmails(person).map((email) => email.slice(email.lastIndexOf('@') + 1));
  const { rows } = await sql<SendPlace & { id: number; is_own: boolean; is_named: boolean }>`
    select id, lead_id as "leadId", step, recipient_domain <> ${ERASED} and (
      coalesce(email_key = any (${person.emails}::text[]), false)
      or lead_id = any (${leadIds}::bigint[]) or former_lead_id = any (${leadIds}::bigint[])
      or (email_key is null and recipient_domain = any (${domains}::text[])
        and not exists (select from leads where leads.id = sends.lead_id))) as is_own,
      ${speaksOf(sql`concat_ws(' ', subject, smtp_reply, rejection)`, person)} as is_named
    from sends
    where campaign_id = ${campaignId} and (lead_id, step) > (${after.leadId}, ${after.step})
    order by lead_id, step limit ${ROWS_AT_ONCE}`.execute(trx);
  const idsOf = (some: typeof rows) => some.map(({ id }) => id);
  const own = new Set(idsOf(rows.filter(({ is_own }) => is_own)));
  const texts = await lockSends(
    trx,
    idsOf(rows.filter(({ id, is_named }) => is_named || own.has(id))),
  );
  await sql`
    update sends set subject = '', smtp_reply = null, rejection = null,
      recipient_domain = ${ERASED}, email_key = null
    where id = any (${[...own]}::bigint[])`.execute(trx);
  const others = texts.filter(({ id }) => !own.has(id));
  const changed = [
    ...(await redactSends(trx, others, person)),
    ...(await eraseSendTexts(trx, { lookedAt: idsOf(rows), sendIds: [...own] }, person)),
  ];
  const last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  return {
    erased: own.size + new Set(changed).size,
    next: last ? { leadId: last.leadId, step: last.step } : null,
  };
}

/** What a send says of somebody in words. */
interface SendWords {
  id: number;
  subject: string;
  smtp_reply: string | null;
  rejection: string | null;
}

async function lockSends(
  trx: Transaction<Database>,
  ids: readonly number[],
): Promise<readonly SendWords[]> {
  const { rows } = await sql<SendWords>`
    select id, subject, smtp_reply, rejection from sends
    where id = any (${ids}::bigint[]) order by id for no key update`.execute(trx);
  return rows;
}

/**
 * Redacts the person in sends to others. Their addresses stay: by these an unsubscription, a bounce or an
 * answer finds whom it is about. Returns the ids of what changed.
 */
async function redactSends(
  trx: Transaction<Database>,
  sends: readonly SendWords[],
  person: ErasedPerson,
): Promise<number[]> {
  const redact = (text: string | null) => text && redactPerson(text, person);
  const changed: number[] = [];
  for (const { id, ...before } of sends) {
    const subject = redactPerson(before.subject, person);
    const smtpReply = redact(before.smtp_reply);
    const rejection = redact(before.rejection);
    const isSame =
      subject === before.subject &&
      smtpReply === before.smtp_reply &&
      rejection === before.rejection;
    if (isSame) continue;
    changed.push(id);
    await sql`update sends set subject = ${subject}, smtp_reply = ${smtpReply},
      rejection = ${rejection} where id = ${id}`.execute(trx);
  }
  return changed;
}

/** Events contain ids; where one has a text, the person is redacted in it. */
export async function eraseEvents(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  let erased = 0;
  let after = { txid: '0', id: 0 };
  for (;;) {
    const { rows } = await sql<{ id: number; txid: string; payload: object; is_own: boolean }>`
      select id, txid::text as txid, payload, ${speaksOf(sql`payload::text`, person)} as is_own
      from events
      where user_id = ${userId} and (txid, id) > (${after.txid}::xid8, ${after.id})
      order by txid, id limit ${ROWS_AT_ONCE}`.execute(db);
    for (const { id, payload, is_own: isOwn } of rows) {
      const before = JSON.stringify(payload);
      const redacted = isOwn ? redactPerson(before, person) : before;
      if (redacted === before) continue;
      erased += 1;
      await sql`update events set payload = ${redacted}::jsonb where id = ${id}`.execute(db);
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return erased;
    after = { txid: last.txid, id: last.id };
  }
}

/** Warm-up messages to a seed address that was the person's. */
export async function eraseWarmupMessages(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update warmup_letters set to_address = ${ERASED}, smtp_reply = null
    from mailboxes
    where mailboxes.id = from_mailbox_id and mailboxes.user_id = ${userId}
      and lower(to_address) = any (${writtenEmails(person)}::text[])`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
