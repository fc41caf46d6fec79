/** What servers do with messages, at random. */
import type { Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import type { Book } from './book.ts';
import { recipientOf, type Fate } from './mail-server.ts';
import { isFollowup } from './observer.ts';
import { findSend } from './people.ts';
import { START } from './scenario.ts';

/** Per thousand; the rest is accepted. */
const FATES: [Fate, number][] = [
  ['put_off', 40],
  ['host_busy', 10],
  ['no_such_user', 8],
  ['spam_refused', 8],
  ['way_lost', 6],
  ['lost_before_text', 5],
  ['lost_after_text', 5],
  ['dies_before_text', 3],
  ['dies_in_text', 3],
  ['dies_after_taking', 3],
];

const DAY = 86_400_000;
/** Days of a bad reputation: the refusals pause sending. */
const BAD = { fromDay: 1, toDay: 5, share: 0.15 };

export function createFates(
  db: Kysely<Database>,
  { book, random, now }: { book: Book; random: () => number; now: () => number },
): (message: RawMessage) => Promise<Fate> {
  /** Addresses that servers have reported as unknown: they stay so. */
  const unknown = new Set<string>();
  /** `campaign/lead`: messages that their server takes for spam, from then on always. */
  const unwanted = new Set<string>();
  return async (message) => {
    const to = recipientOf(message);
    // After a client has lifted the suppression, the server gives the same reply again.
    if (unknown.has(to)) {
      if (book.addressClosedBy(to).includes('bounced') && (await isLearned(to))) return 'taken';
      return noSuchUser(to);
    }
    const send = await findSend(db, message);
    const recipient = send && `${send.campaign_id}/${send.lead_id}`;
    if (send && unwanted.has(recipient!)) {
      return (await isToldOff(send)) ? 'taken' : 'spam_refused';
    }
    const name = byChance();
    if (name === 'spam_refused' && send) {
      unwanted.add(recipient!);
      book.closeRecipient(send.campaign_id, send.lead_id, 'rejected', now());
    }
    if (name !== 'no_such_user') return name;
    if (isFollowup(message)) return 'taken';
    return noSuchUser(to);
  };

  function noSuchUser(to: string): Fate {
    unknown.add(to);
    book.bouncedAddresses.add(to);
    book.closeAddress(to, 'bounced', now());
    return 'no_such_user';
  }

  /** Like `isLearned`, for a refusal as spam. */
  async function isToldOff(send: { campaign_id: number; lead_id: number }): Promise<boolean> {
    const refused = await db
      .selectFrom('sends')
      .select('id')
      .where('campaign_id', '=', send.campaign_id)
      .where('lead_id', '=', send.lead_id)
      .where('rejected_at', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return refused !== undefined;
  }

  function byChance(): Fate {
    const days = (now() - START.getTime()) / DAY;
    if (days >= BAD.fromDay && days < BAD.toDay && random() < BAD.share) return 'spam_refused';
    let roll = Math.floor(random() * 1_000);
    for (const [name, share] of FATES) {
      if (roll < share) return name;
      roll -= share;
    }
    return 'taken';
  }

  /**
   * A process may die with the refusal before it is stored: then the server is asked once more. If it
   * was stored and the product sends all the same, the message counts: the referee notices it.
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
