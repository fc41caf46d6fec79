/**
 * Erases a person from messages. Messages from or to the person are deleted; other people's messages about
 * them are kept, redacted. Found by addresses and by the search index, since a million messages cannot be
 * read: a phone number alone, in another person's message, is not searched for.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import {
  isErasedEmail,
  mentionsName,
  type ErasedPerson,
} from '../../domain/suppressions/erased-person.ts';
import { ERASED, redactPerson } from '../../domain/suppressions/redact-person.ts';
import { findMessagesOf, lastWord } from './erased-messages.ts';
import { writtenEmails } from './erasure-search.ts';
import { countMessages, lockInbox } from '../../db/inbox/inbox-counts.ts';
import type { Database } from '../../db/tables.ts';

interface FoundMessage {
  id: number;
  thread_id: number;
  is_read: boolean;
  in_inbox: boolean;
  addresses: string[];
  from_name: string | null;
  subject: string;
  snippet: string;
  body_text: string;
  facts: Record<string, unknown>;
}

/** Messages per transaction, which locks the inbox. */
const MESSAGES_AT_ONCE = 100;

/**
 * Returns how many messages were deleted or changed. The host keeps its copies: they are the user's. Needs
 * the tombstones to be committed: transactions that store messages later see them.
 */
export async function eraseMessages(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  // Waits for transactions that are storing messages and may not have seen the tombstones.
  await db.transaction().execute((trx) => lockInbox(trx, userId));
  const ids = await findMessagesOf(db, userId, person);
  let erased = 0;
  for (let from = 0; from < ids.length; from += MESSAGES_AT_ONCE) {
    const some = ids.slice(from, from + MESSAGES_AT_ONCE);
    erased += await db
      .transaction()
      .execute((trx) => eraseSome(trx, { userId, ids: some }, person));
  }
  return erased + (await db.transaction().execute((trx) => redactThreads(trx, userId, person)));
}

async function eraseSome(
  trx: Transaction<Database>,
  { userId, ids }: { userId: string; ids: readonly number[] },
  person: ErasedPerson,
): Promise<number> {
  await lockInbox(trx, userId);
  const { rows: found } = await sql<FoundMessage>`
    select id, thread_id, is_read, in_inbox, from_name, subject, snippet, body_text, facts,
      array_remove(from_address || to_addresses || cc_addresses || reply_to, null) as addresses
    from messages where id = any (${ids}::bigint[]) order by id for update`.execute(trx);
  const isOwn = ({ addresses, from_name }: FoundMessage) =>
    addresses.some((address) => isErasedEmail(person, address)) ||
    mentionsName(from_name ?? '', person);
  const own = found.filter(isOwn);
  await deleteMessages(trx, userId, own);
  let changed = 0;
  for (const message of found.filter((each) => !isOwn(each))) {
    if (await redactMessage(trx, message, person)) changed += 1;
  }
  const threads = found.map(({ thread_id: id }) => id);
  const { rows } = await sql<{ id: number; subject: string }>`
    select id, subject from threads where id = any (${threads}::bigint[]) order by id`.execute(trx);
  return own.length + changed + (await redactSubjects(trx, rows, person));
}

async function deleteMessages(
  trx: Transaction<Database>,
  userId: string,
  messages: readonly FoundMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const threads = messages.map(({ thread_id }) => thread_id);
  await sql`delete from messages
    where id = any (${messages.map(({ id }) => id)}::bigint[])`.execute(trx);
  await countMessages(
    trx,
    userId,
    messages.map(({ thread_id: threadId, is_read: isRead, in_inbox: inInbox }) => ({
      before: { threadId, isRead, inInbox },
      after: null,
    })),
  );
  await sql`delete from threads
    where id = any (${threads}::bigint[]) and messages_count = 0`.execute(trx);
  // Counting only ever raises it, and a thread stands in the order by its last message.
  await sql`update threads set last_message_at = last.at
    from (select thread_id, max(received_at) as at from messages
      where thread_id = any (${threads}::bigint[]) group by thread_id) as last
    where threads.id = last.thread_id and threads.last_message_at > last.at`.execute(trx);
}

/** The text is kept redacted; the HTML is deleted, since a name may be spread over tags. */
async function redactMessage(
  trx: Transaction<Database>,
  message: FoundMessage,
  person: ErasedPerson,
): Promise<boolean> {
  const redact = (text: string) => redactPerson(text, person);
  const facts = JSON.stringify(message.facts);
  const texts = {
    subject: redact(message.subject),
    snippet: redact(message.snippet),
    body_text: redact(message.body_text),
    facts: redact(facts),
  };
  const before = { ...message, facts };
  const isFileNamed = await redactFiles(trx, message.id, person);
  const keys = ['subject', 'snippet', 'body_text', 'facts'] as const;
  const isSame = keys.every((key) => texts[key] === before[key]);
  if (isFileNamed || !isSame) await cancelScheduledAbout(trx, message.id);
  if (isSame) return isFileNamed;
  await trx
    .updateTable('messages')
    .set({ ...texts, body_html: null })
    .where('id', '=', message.id)
    .execute();
  await trx
    .updateTable('outgoing_letters')
    .set({ body_html: null })
    .where('message_id', '=', message.id)
    .execute();
  return true;
}

/** Nobody wrote what is left of it. Choice 126. */
const cancelScheduledAbout = (trx: Transaction<Database>, messageId: number) =>
  trx
    .updateTable('outgoing_letters')
    .set({ state: 'cancelled', failure: 'Somebody named in it was erased', attachments: null })
    .where('message_id', '=', messageId)
    .where('state', '=', 'scheduled')
    .execute();

async function redactFiles(
  trx: Transaction<Database>,
  messageId: number,
  person: ErasedPerson,
): Promise<boolean> {
  const files = await trx
    .selectFrom('attachments')
    .select(['id', 'filename'])
    .where('message_id', '=', messageId)
    .execute();
  const named = files.filter(({ filename }) => {
    const words = filename.replaceAll(/[_.-]+/g, ' ');
    return mentionsName(words, person) || redactPerson(filename, person) !== filename;
  });
  if (named.length === 0) return false;
  await sql`update attachments set filename = ${ERASED}
    where id = any (${named.map(({ id }) => id)}::bigint[])`.execute(trx);
  return true;
}

/** Also those whose messages are gone. */
async function redactThreads(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const patterns = [...writtenEmails(person), ...person.names].map((word) => `%${lastWord(word)}%`);
  const { rows } = await sql<{ id: number; subject: string }>`
    select distinct named.id, named.subject from unnest(${patterns}::text[]) as pattern, lateral (
      select id, user_id, subject from threads where lower(subject) like pattern offset 0) as named
    where named.user_id = ${userId}`.execute(trx);
  return redactSubjects(trx, rows, person);
}

/** Returns how many were changed. */
async function redactSubjects(
  trx: Transaction<Database>,
  threads: readonly { id: number; subject: string }[],
  person: ErasedPerson,
): Promise<number> {
  let changed = 0;
  for (const { id, subject } of threads) {
    const redacted = redactPerson(subject, person);
    if (redacted === subject) continue;
    changed += 1;
    await trx.updateTable('threads').set({ subject: redacted }).where('id', '=', id).execute();
  }
  return changed;
}
