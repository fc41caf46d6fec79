/** A message as a recipient would see it, for the referee. */
import type { Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import { recipientOf, type Began } from './mail-server.ts';
import { contentOf } from './message-content.ts';
import { findSend } from './people.ts';
import type { Observed } from './rules.ts';

/** Reads the message before its text, and reports it once the text has begun. */
export function createObserver(
  db: Kysely<Database>,
  {
    now,
    decided,
    observe,
  }: {
    now: () => number;
    /** Reads which texts have won by now. */
    decided: () => Promise<void>;
    observe: (message: Observed) => void;
  },
): (message: RawMessage) => Promise<Began> {
  return async (message) => {
    await decided();
    const send = await findSend(db, message);
    if (!send) return wasTakenBack;
    const observed: Observed = {
      at: now(),
      claimedAt: send.claimed_at.getTime(),
      campaignId: send.campaign_id,
      leadId: send.lead_id,
      step: send.step,
      variant: send.variant,
      mailboxId: send.mailbox_id,
      messageId: send.message_id,
      attempts: send.attempts,
      pauses: await pausesOf(db, send.user_id),
      to: recipientOf(message),
      ...contentOf(message),
    };
    return () => observe(observed);
  };
}

/** All mailboxes have one domain and one server. */
async function pausesOf(db: Kysely<Database>, userId: string): Promise<Observed['pauses']> {
  const rows = await db
    .selectFrom('sending_pauses')
    .select(['scope', 'subject', 'since', 'until'])
    .where('user_id', '=', userId)
    .where('scope', 'in', ['mailbox', 'domain', 'server'])
    .execute();
  return rows.map(({ scope, subject, since, until }) => ({
    mailboxId: scope === 'mailbox' ? Number(subject) : null,
    since: since.getTime(),
    until: until.getTime(),
  }));
}

/** The next round may take back a message of which nothing was sent yet: then its text never begins. */
function wasTakenBack(): never {
  throw new Error('the text of a message begins that was taken back');
}

export const isFollowup = (message: RawMessage): boolean =>
  contentOf(message).headers.inReplyTo !== '';
