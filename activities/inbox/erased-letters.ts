/** Letters of people who were erased do not come back when a folder is read anew. GDPR, article 17. */
import type { Transaction } from 'kysely';
import { findErasures } from '../../src/db/suppressions/erased-keys.ts';
import type { Database } from '../../src/db/tables.ts';
import { emailKey } from '../../src/domain/leads/lead-keys.ts';
import type { ReadLetter } from './read-letter.ts';

/**
 * Leaves out letters from or to an erased person that came before the erasure; who writes again
 * later has a reason to. Needs `lockInbox`: an erasure takes it when its
 * tombstones are there.
 */
export async function withoutErased(
  trx: Transaction<Database>,
  userId: string,
  letters: readonly ReadLetter[],
): Promise<readonly ReadLetter[]> {
  const keys = [...new Set(letters.flatMap(peopleOf))];
  const erasedAt = await findErasures(trx, userId, keys);
  if (erasedAt.size === 0) return letters;
  return letters.filter((letter) =>
    peopleOf(letter).every((key) => (erasedAt.get(key) ?? 0) < letter.receivedAt),
  );
}

/** Tombstone keys: src/domain/leads/lead-keys.ts. */
const peopleOf = ({ fromAddress, replyTo, toAddresses, ccAddresses }: ReadLetter): string[] =>
  [fromAddress, replyTo, ...toAddresses, ...ccAddresses].flatMap((address) => {
    const key = emailKey(address);
    return key === null ? [] : `email:${key}`;
  });
