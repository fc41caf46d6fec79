/** What becomes of letters at their servers, by chance. */
import type { Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import type { RawLetter } from '../../src/providers/mail-transport/port.ts';
import type { Book } from './book.ts';
import { recipientOf, type Fate } from './mail-server.ts';
import { isFollowup } from './observer.ts';

/** In a thousand; what is left is taken. */
const FATES: [Fate, number][] = [
  ['put_off', 40],
  ['host_busy', 10],
  ['no_such_user', 8],
  ['lost_before_text', 5],
  ['lost_after_text', 5],
  ['dies_before_text', 3],
  ['dies_in_text', 3],
  ['dies_after_taking', 3],
];

export function createFates(
  db: Kysely<Database>,
  { book, random, now }: { book: Book; random: () => number; now: () => number },
): (letter: RawLetter) => Promise<Fate> {
  /** Addresses that servers have said not to exist: they never will. */
  const unknown = new Set<string>();
  return async (letter) => {
    const to = recipientOf(letter);
    if (unknown.has(to)) return (await isLearned(to)) ? 'taken' : 'no_such_user';
    const name = byChance();
    if (name !== 'no_such_user') return name;
    if (isFollowup(letter)) return 'taken';
    unknown.add(to);
    book.bouncedAddresses.add(to);
    book.closeAddress(to, now());
    return name;
  };

  function byChance(): Fate {
    let roll = Math.floor(random() * 1_000);
    for (const [name, share] of FATES) {
      if (roll < share) return name;
      roll -= share;
    }
    return 'taken';
  }

  /**
   * A process may die with the refusal before it is written: whoever has not learned of it asks once
   * more. Whoever has and asks all the same may write: the referee sees it.
   */
  async function isLearned(address: string): Promise<boolean> {
    const refused = await db
      .selectFrom('sends')
      .select('id')
      .where('email_key', '=', address)
      .where('bounced_at', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return refused !== undefined;
  }
}
