/** Messages of erased people do not come back when a folder is read again. GDPR, article 17. */
import type { Kysely } from 'kysely';
import { findErasures } from '../../src/db/suppressions/erased-keys.ts';
import type { Database } from '../../src/db/tables.ts';
import { emailKey } from '../../src/domain/leads/lead-keys.ts';
import type { ReadMessage } from './read-message.ts';

/**
 * Leaves out messages from or to an erased person that came before the erasure; a person who writes
 * again later wants to be read. What is stored needs `lockInbox`: an erasure takes it after writing its tombstones.
 */
export async function withoutErased(
  db: Kysely<Database>,
  userId: string,
  messages: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> {
  const keys = [...new Set(messages.flatMap(peopleOf))];
  const erasedAt = await findErasures(db, userId, keys);
  if (erasedAt.size === 0) return messages;
  return messages.filter((message) =>
    peopleOf(message).every((key) => (erasedAt.get(key) ?? 0) < message.receivedAt),
  );
}

/** Tombstone keys: src/domain/leads/lead-keys.ts. */
const peopleOf = ({ fromAddress, replyTo, toAddresses, ccAddresses }: ReadMessage): string[] =>
  [fromAddress, replyTo, ...toAddresses, ...ccAddresses].flatMap((address) => {
    const key = emailKey(address);
    return key === null ? [] : `email:${key}`;
  });
