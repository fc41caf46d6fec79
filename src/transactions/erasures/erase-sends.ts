/** Erases a person from sends and events; the fact that a message was sent is kept. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { ErasedPerson } from '../../domain/suppressions/erased-person.ts';
import { ERASED, redactPerson } from '../../domain/suppressions/redact-person.ts';
import {
  byIndexes,
  LOOKED_AT_ONCE,
  portionsFound,
  searchedTexts,
  speaksOf,
  writtenEmails,
} from './erasure-search.ts';
import { eraseSendTexts } from './erase-send-texts.ts';
import type { Database } from '../../db/tables.ts';

/** Messages per transaction. */
const ROWS_AT_ONCE = 500;

/**
 * Sends to the person, with their texts; in sends to others the person's name is redacted. A send to a deleted
 * lead whose address was not kept may have been to the person where the domain is theirs. Each is found by an index of its
 * own, since millions of messages cannot be read: a phone number alone, in a text to somebody else, is not searched for.
 */
export async function eraseSends(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
  leadIds: readonly number[],
): Promise<number> {
  const own = new Set(await byIndexes(db, (trx) => findOwn(trx, userId, person, leadIds)));
  const named = await byIndexes(db, (trx) => findNaming(trx, userId, person));
  const refused = await findRefused(db, userId, person);
  const ids = [...new Set([...own, ...named, ...refused])].toSorted((one, other) => one - other);
  let erased = 0;
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const batch = ids.slice(from, from + ROWS_AT_ONCE);
    erased += await db.transaction().execute((trx) => eraseBatch(trx, batch, { person, own }));
  }
  return erased;
}

async function findOwn(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
  leadIds: readonly number[],
): Promise<number[]> {
  const domains = writtenEmails(person).map((email) => email.slice(email.lastIndexOf('@') + 1));
  const { rows } = await sql<{ id: number }>`
    select id from sends where user_id = ${userId} and email_key = any (${person.emails}::text[])
      and recipient_domain <> ${ERASED}
    union
    select id from sends where lead_id = any (${[...leadIds]}::bigint[])
      and user_id = ${userId} and recipient_domain <> ${ERASED}
    union
    select id from sends where former_lead_id = any (${[...leadIds]}::bigint[])
      and user_id = ${userId} and recipient_domain <> ${ERASED}
    union
    select id from sends where user_id = ${userId} and email_key is null
      and recipient_domain = any (${domains}::text[])
      and not exists (select from leads where leads.id = sends.lead_id)`.execute(trx);
  return rows.map(({ id }) => id);
}

/** By their texts. */
async function findNaming(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const { emails, pages, names } = searchedTexts(person);
  const queries = sql`
    select plainto_tsquery('simple', translate(words, '<>@/.:_-+', '         ')) as query
    from unnest(${[...emails, ...pages]}::text[]) as words
    union all
    select to_tsquery('simple', names) from unnest(${names}::text[]) as names`;
  const texts = sql<{ send_id: number }>`
    select send_id from send_texts where words_of(subject || ' ' || body_text) @@ query`;
  const ids: number[] = [];
  for await (const found of portionsFound(trx, queries, texts)) {
    const { rows } = await sql<{ id: number }>`
      select id from sends where user_id = ${userId}
        and id = any (${found.map(({ send_id: id }) => id)}::bigint[])`.execute(trx);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** By what a server said that is more than a receipt. The condition is that of `sends_with_words`. */
async function findRefused(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const ids: number[] = [];
  for (let after = 0; ;) {
    const { rows } = await byIndexes(db, (trx) =>
      sql<{ id: number; is_named: boolean }>`
      select id, ${speaksOf(sql`concat_ws(' ', subject, smtp_reply, rejection)`, person)} as is_named
      from sends where user_id = ${userId} and id > ${after}
        and (rejection is not null or smtp_reply not like '2%' or smtp_reply like '%@%')
      order by id limit ${LOOKED_AT_ONCE}`.execute(trx),
    );
    ids.push(...rows.flatMap(({ id, is_named: isNamed }) => (isNamed ? [id] : [])));
    if (rows.length < LOOKED_AT_ONCE) return ids;
    after = rows.at(-1)!.id;
  }
}

/** Of messages that were found; how many were to the person or have changed. */
async function eraseBatch(
  trx: Transaction<Database>,
  ids: readonly number[],
  { person, own }: { person: ErasedPerson; own: ReadonlySet<number> },
): Promise<number> {
  const sendIds = ids.filter((id) => own.has(id));
  const texts = await lockSends(trx, ids, sendIds);
  await sql`
    update sends set subject = '', smtp_reply = null, rejection = null,
      recipient_domain = ${ERASED}, email_key = null
    where id = any (${sendIds}::bigint[])`.execute(trx);
  const others = texts.filter(({ id }) => !own.has(id));
  const changed = [
    ...(await redactSends(trx, others, person)),
    ...(await eraseSendTexts(trx, { lookedAt: others.map(({ id }) => id), sendIds }, person)),
  ];
  return sendIds.length + new Set(changed).size;
}

/** What a send says of somebody in words. */
interface SendWords {
  id: number;
  subject: string;
  smtp_reply: string | null;
  rejection: string | null;
}

/** Without the words of the person's own, which are deleted unread. */
async function lockSends(
  trx: Transaction<Database>,
  ids: readonly number[],
  own: readonly number[],
): Promise<readonly SendWords[]> {
  const isOther = sql`id <> all (${[...own]}::bigint[])`;
  const { rows } = await sql<SendWords>`
    select id, case when ${isOther} then subject end as subject,
      case when ${isOther} then smtp_reply end as smtp_reply,
      case when ${isOther} then rejection end as rejection
    from sends where id = any (${ids}::bigint[]) order by id for no key update`.execute(trx);
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

/** Events contain ids; where one has a text, the person is redacted in it. Those of ids alone are not read. */
export async function eraseEvents(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  let erased = 0;
  let after = { txid: '0', id: 0 };
  for (;;) {
    const rows = await byIndexes(db, (trx) => findEvents(trx, userId, person, after));
    for (const { id, payload } of rows) {
      if (payload === null) continue;
      const before = JSON.stringify(payload);
      const redacted = redactPerson(before, person);
      if (redacted === before) continue;
      erased += 1;
      await sql`update events set payload = ${redacted}::jsonb where id = ${id}`.execute(db);
    }
    const last = rows.at(-1);
    if (!last || rows.length < LOOKED_AT_ONCE) return erased;
    after = { txid: last.txid, id: last.id };
  }
}

/** Behind that one; without the payload where it cannot be about the person. The condition is that of `events_with_words`. */
async function findEvents(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
  after: { txid: string; id: number },
): Promise<{ id: number; txid: string; payload: object | null }[]> {
  const { rows } = await sql<{ id: number; txid: string; payload: object | null }>`
    select id, txid::text as txid,
      case when ${speaksOf(sql`payload::text`, person)} then payload end as payload
    from events
    where user_id = ${userId} and (txid, id) > (${after.txid}::xid8, ${after.id})
      and ((payload - 'messageId')::text like '%@%' or type not in ('email.sent', 'email.opened',
        'email.bounced', 'email.replied', 'email.auto_replied', 'email.unsubscribed',
        'email.complained', 'message.received', 'message.interest_changed'))
    order by events.txid, id limit ${LOOKED_AT_ONCE}`.execute(trx);
  return rows;
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
