/** Erases a person from texts sent by campaigns. */
import { sql, type Transaction } from 'kysely';
import { redactPerson } from '../../domain/suppressions/redact-person.ts';
import type { ErasedPerson } from '../../domain/suppressions/erased-person.ts';
import type { Database } from '../../db/tables.ts';

/**
 * Deletes the texts of these sends, and redacts the person in texts to others among `lookedAt`, which were found by
 * the index. Returns the sends whose texts to others were changed.
 */
export async function eraseSendTexts(
  trx: Transaction<Database>,
  { lookedAt, sendIds }: { lookedAt: readonly number[]; sendIds: readonly number[] },
  person: ErasedPerson,
): Promise<number[]> {
  await sql`delete from send_texts where send_id = any (${sendIds}::bigint[])`.execute(trx);
  const { rows } = await sql<{ send_id: number; subject: string; body_text: string }>`
    select send_id, subject, body_text from send_texts
    where send_id = any (${lookedAt}::bigint[])`.execute(trx);
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
