/** What becomes of letters at their servers, by chance. */
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

export function createFates({
  book,
  random,
  now,
}: {
  book: Book;
  random: () => number;
  now: () => number;
}): (letter: RawLetter) => Fate {
  return (letter) => {
    let roll = Math.floor(random() * 1_000);
    for (const [name, share] of FATES) {
      if (roll < share) {
        if (name !== 'no_such_user') return name;
        if (isFollowup(letter)) return 'taken';
        book.closeAddress(recipientOf(letter), now());
        return name;
      }
      roll -= share;
    }
    return 'taken';
  };
}
