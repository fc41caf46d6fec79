/** Erases a person from texts sent by campaigns. */
import { sql, type Transaction } from 'kysely';
import { redactPerson } from '../domain/suppressions/redact-person.ts';
import type { ErasedPerson } from '../domain/suppressions/erased-person.ts';
import type { Database } from '../db/tables.ts';
import { speaksOf } from './erasure-search.ts';

/**
 * Deletes the texts of these sends, and redacts the person in texts to others among `lookedAt`. As in
 * messages, a phone number alone is not searched for. Returns the sends whose texts to others were changed.
 */
export async function eraseSendTexts(
  trx: Transaction<Database>,
  { lookedAt, sendIds }: { lookedAt: readonly number[]; sendIds: readonly number[] },
  person: ErasedPerson,
): Promise<number[]> {
  await sql`delete from send_texts where send_id = any (${sendIds}::bigint[])`.execute(trx);
  const named = { ...person, phones: [], shared: { ...person.shared, phones: [] } };
  const { rows } = await sql<{ send_id: number; subject: string; body_text: string }>`
    select send_id, text.subject, body_text
    from send_texts as text
    where send_id = any (${lookedAt}::bigint[]) and ${speaksOf(sql`text.subject || ' ' || body_text`, named)}`.execute(
    trx,
  );
  const changed: number[] = [];
  for (const { send_id: sendId, subject, body_text: text } of rows) {
    const [newSubject, newText] = [redactPerson(subject, person), redactPerson(text, person)];
    if (newSubject === subject && newText === text) continue;
    changed.push(sendId);
    await sql`update send_texts set subject = ${newSubject}, body_text = ${newText}
      where send_id = ${sendId}`.execute(trx);
  }
  return changed;
}
