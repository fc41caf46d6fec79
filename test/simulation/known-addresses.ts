/** The addresses of the simulated people, and what is known of them: in the product and in the book. */
import type { Kysely } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/tables.ts';
import { UNVERIFIED, VERDICTS, type Verdict } from './address-rules.ts';
import type { Book } from './book.ts';
import { createHistory } from './history.ts';

/** The addresses of new leads, some of which were validated before. */
export async function learnAddresses(
  { context, book }: { context: Pick<Context, 'db'>; book: Book },
  leadIds: readonly number[],
): Promise<void> {
  const rows = await context.db
    .selectFrom('leads')
    .select(['id', 'email'])
    .where('id', 'in', [...leadIds])
    .execute();
  for (const { id, email } of rows) {
    book.addresses.set(id, createHistory(email!));
    const verdict = VERDICTS[id % 12] ?? UNVERIFIED;
    book.verdicts.set(id, createHistory(verdict));
    await writeVerdict(context.db, id, verdict);
    book.people.add(id);
  }
}

/** Written like validation does. */
export async function writeVerdict(
  db: Kysely<Database>,
  leadId: number,
  { status, reason, score }: Verdict,
): Promise<void> {
  await db
    .updateTable('leads')
    .set({
      validation_status: status,
      validation_reason: reason,
      validation_score: score,
      email_valid: status === null ? null : status !== 'invalid',
    })
    .where('id', '=', leadId)
    .execute();
}
