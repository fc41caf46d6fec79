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
} from '../domain/suppressions/erased-person.ts';
import { ERASED, redactPerson } from '../domain/suppressions/redact-person.ts';
import { writtenEmails } from './erasure-search.ts';
import { countMessages, lockInbox } from '../db/inbox/inbox-counts.ts';
import type { Database } from '../db/tables.ts';

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
  const ids = await findMessages(db, userId, person);
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
  return own.length + changed;
}

/**
 * Messages with the person's address, and those whose text contains their address or all words of their name:
 * each by an index of its own, one word after the other.
 */
async function findMessages(
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number[]> {
  const { names, profiles, shared } = person;
  const emails = writtenEmails(person);
  const pages = [...profiles, ...shared.profiles].map((page) => page.split('/').at(-1)!);
  const words = [...emails, ...emails.map((email) => email.replace('@', ' ')), ...names, ...pages];
  const files = [...new Set(words.map((word) => `%${lastWord(word)}%`))];
  const { rows } = await sql<{ id: number }>`
    select m.id from unnest(${emails}::text[]) as address, lateral (
      select id from messages where user_id = ${userId} and lower(from_address) = address
      union all
      select id from messages where user_id = ${userId} and lower(reply_to) = address
      union all
      select id from messages where user_id = ${userId}
        and letter_recipients(to_addresses, cc_addresses) @> array[address]) as m
    union
    select m.id from unnest(${words}::text[]) as word, lateral (
      select id from messages
      where user_id = ${userId} and search @@ plainto_tsquery('simple', word)) as m
    union
    select m.id from unnest(${files}::text[]) as pattern
      cross join lateral (
        select message_id from attachments where lower(filename) like pattern offset 0) as named
      join messages as m on m.id = named.message_id and m.user_id = ${userId}
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

const lastWord = (words: string) =>
  words
    .split(' ')
    .at(-1)!
    .replaceAll(/[\\%_]/g, String.raw`\$&`);

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
  let changed = 0;
  for (const { id, subject } of rows) {
    const redacted = redactPerson(subject, person);
    if (redacted === subject) continue;
    changed += 1;
    await trx.updateTable('threads').set({ subject: redacted }).where('id', '=', id).execute();
  }
  return changed;
}
