/**
 * Letters, as an erasure sees them. What the person wrote or was written goes whole; what others wrote
 * about him is kept without him. Found by addresses and by the search index, so that a million letters
 * need not be read: a telephone number alone, in somebody else's letter, is not looked for.
 */
import { sql, type Transaction } from 'kysely';
import { isErasedEmail, mentionsName, type ErasedPerson } from '../domain/erased-person.ts';
import { ERASED, redactPerson } from '../domain/redact-person.ts';
import { countLetters, lockInbox } from './inbox-counts.ts';
import type { Database } from './tables.ts';

interface FoundLetter {
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

/** Answers how many letters were deleted or changed. The host keeps its copies: they are the user's. */
export async function eraseLetters(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  await lockInbox(trx, userId);
  const found = await findLetters(trx, userId, person);
  const isHis = ({ addresses, from_name }: FoundLetter) =>
    addresses.some((address) => isErasedEmail(person, address)) ||
    mentionsName(from_name ?? '', person);
  const own = found.filter(isHis);
  await deleteLetters(trx, userId, own);
  let changed = 0;
  for (const letter of found.filter((each) => !isHis(each))) {
    if (await redactLetter(trx, letter, person)) changed += 1;
  }
  return own.length + changed + (await redactThreads(trx, userId, person));
}

/** Letters with his address, and those whose text has his address or all words of his name. */
async function findLetters(
  trx: Transaction<Database>,
  userId: string,
  { emails, names, profiles, shared }: ErasedPerson,
): Promise<FoundLetter[]> {
  const pages = [...profiles, ...shared.profiles].map((page) => page.split('/').at(-1)!);
  const words = [...emails, ...emails.map((email) => email.replace('@', ' ')), ...names, ...pages];
  const { rows } = await sql<FoundLetter>`
    select m.id, thread_id, is_read, in_inbox, from_name, subject, snippet, body_text, facts,
      array_remove(from_address || to_addresses || cc_addresses || reply_to, null) as addresses
    from messages as m
    where user_id = ${userId} and (
      lower(from_address) = any (${emails}::text[]) or lower(reply_to) = any (${emails}::text[])
      or lower(to_addresses::text)::text[] && ${emails}::text[]
      or lower(cc_addresses::text)::text[] && ${emails}::text[]
      or search @@ any (select plainto_tsquery('simple', word) from unnest(${words}::text[]) as word)
      or exists (select from attachments where message_id = m.id
        and lower(filename) like any (${words.map((word) => `%${lastWord(word)}%`)}::text[])))
    order by m.id for update`.execute(trx);
  return rows;
}

const lastWord = (words: string) =>
  words
    .split(' ')
    .at(-1)!
    .replaceAll(/[\\%_]/g, String.raw`\$&`);

async function deleteLetters(
  trx: Transaction<Database>,
  userId: string,
  letters: readonly FoundLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  const threads = letters.map(({ thread_id }) => thread_id);
  await sql`delete from messages
    where id = any (${letters.map(({ id }) => id)}::bigint[])`.execute(trx);
  await countLetters(
    trx,
    userId,
    letters.map(({ thread_id: threadId, is_read: isRead, in_inbox: inInbox }) => ({
      before: { threadId, isRead, inInbox },
      after: null,
    })),
  );
  await sql`delete from threads
    where id = any (${threads}::bigint[]) and messages_count = 0`.execute(trx);
}

/** The text stays without him; the HTML goes, where a name may be spread over tags. */
async function redactLetter(
  trx: Transaction<Database>,
  letter: FoundLetter,
  person: ErasedPerson,
): Promise<boolean> {
  const redact = (text: string) => redactPerson(text, person);
  const facts = JSON.stringify(letter.facts);
  const texts = {
    subject: redact(letter.subject),
    snippet: redact(letter.snippet),
    body_text: redact(letter.body_text),
    facts: redact(facts),
  };
  const before = { ...letter, facts };
  const isFileNamed = await redactFiles(trx, letter.id, person);
  const keys = ['subject', 'snippet', 'body_text', 'facts'] as const;
  if (keys.every((key) => texts[key] === before[key])) return isFileNamed;
  await trx
    .updateTable('messages')
    .set({ ...texts, body_html: null })
    .where('id', '=', letter.id)
    .execute();
  await trx
    .updateTable('outgoing_letters')
    .set({ body_html: null })
    .where('message_id', '=', letter.id)
    .execute();
  return true;
}

async function redactFiles(
  trx: Transaction<Database>,
  letterId: number,
  person: ErasedPerson,
): Promise<boolean> {
  const files = await trx
    .selectFrom('attachments')
    .select(['id', 'filename'])
    .where('message_id', '=', letterId)
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
  const { rows } = await sql<{ id: number; subject: string }>`
    select id, subject from threads
    where user_id = ${userId} and lower(subject) like any (${[
      ...person.emails,
      ...person.names,
    ].map((word) => `%${lastWord(word)}%`)}::text[])`.execute(trx);
  let changed = 0;
  for (const { id, subject } of rows) {
    const redacted = redactPerson(subject, person);
    if (redacted === subject) continue;
    changed += 1;
    await trx.updateTable('threads').set({ subject: redacted }).where('id', '=', id).execute();
  }
  return changed;
}
