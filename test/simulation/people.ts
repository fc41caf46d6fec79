/** Later reactions to a message: answers, bounces, complaints, absences, unsubscriptions, refusals. */
import type { Kysely } from 'kysely';
import type { Context } from '../../src/context.ts';
import { pauseWhatIsRejected } from '../../src/db/sending/rejections.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import type { Database } from '../../src/db/tables.ts';
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import { resubscribe, unsubscribe } from '../../src/services/sending/recipient-links.ts';
import type { Book } from './book.ts';
import { createHistory } from './history.ts';
import { TEXTS } from './subsequences/answers.ts';
import type { Corrections } from './subsequences/corrections.ts';
import type { Deliver } from './subsequences/inbox.ts';
import { closeCompany } from './companies.ts';
import { recipientOf } from './mail-server.ts';
import { contentOf, messageIdOf } from './message-content.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The share of those who have answered and do so again. */
const AGAIN = 0.4;
/** The share of temporary failures after which the server has given up. */
const EXPIRED = 0.6;
/** The share of those who have unsubscribed and take it back. */
const TAKEN_BACK = 0.4;
/** The share of answers of which a client says what they mean. */
const CORRECTED = 0.3;

export interface People {
  /** A person has received the message. */
  receive(message: RawMessage): void;
  /** Does all that is due by now. */
  act(): Promise<void>;
  /** Whether nobody is about to do anything. */
  areQuiet(): boolean;
}

/** The row of a message, by its return path for reports (VERP). */
export async function findSend(db: Kysely<Database>, message: RawMessage) {
  const id = Number(/\+b(\d+)[-@]/.exec(message.from)![1]);
  return db.selectFrom('sends').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The row of a message whose text has begun: it is kept. */
async function sendOf(db: Kysely<Database>, message: RawMessage) {
  const send = await findSend(db, message);
  if (!send) throw new Error('a message that was sent has no row');
  return send;
}

type Sent = Awaited<ReturnType<typeof sendOf>>;

/**
 * The lead that a message has reached, also where that has begun anew at another address since: what the person wants
 * concerns it. docs/sending-rules.md#what-an-outcome-changes.
 */
export const reachedLead = (send: Pick<Sent, 'lead_id' | 'former_lead_id'>): number =>
  send.former_lead_id ?? send.lead_id;

export function createPeople(
  context: Pick<Context, 'db' | 'clock' | 'logger' | 'config' | 'temporal'>,
  {
    book,
    random,
    chance,
    isLiked,
    deliver,
    corrections,
  }: {
    book: Book;
    random: () => number;
    /** Of what else happens to messages: it takes nothing from `random`. */
    chance: () => number;
    /** Whether its recipient answers it since they like it. */
    isLiked: (message: RawMessage) => boolean;
    deliver: Deliver;
    corrections: Corrections;
  },
): People {
  const { db, clock, config } = context;
  let answers = 0;
  const due: { at: number; act: () => Promise<void> }[] = [];

  async function note(message: RawMessage, outcome: Omit<SendOutcome, 'at'>): Promise<void> {
    const send = await sendOf(db, message);
    const { id, campaign_id: campaignId, lead_id: leadId } = send;
    const at = clock.now();
    await db.transaction().execute(async (trx) => {
      await recordSendOutcome(trx, id, { ...outcome, at }, config);
      // Like the inbox, which reads the report.
      if (outcome.kind === 'rejected') {
        await pauseWhatIsRejected(trx, config, { sendIds: [id], now: at });
      }
    });
    await noteProof(send);
    const { kind, backAt, isPermanent = true } = outcome;
    if (kind === 'auto_replied' && backAt) {
      book.setAway(campaignId, leadId, backAt.getTime(), at.getTime());
    }
    if (kind === 'bounced' && outcome.hasExpired) {
      for (const one of concernedBy(leadId, recipientOf(message), at.getTime())) {
        noteExpiry(campaignId, one, message);
      }
    }
    if (kind === 'rejected') {
      for (const one of concernedBy(leadId, recipientOf(message), at.getTime())) {
        book.closeRecipient(campaignId, one, 'rejected', at.getTime());
      }
    }
    if ((kind === 'bounced' && isPermanent) || kind === 'complained') {
      // A bounce belongs to the address: with another one the lead starts again.
      if (kind === 'bounced') book.bouncedAddresses.add(recipientOf(message));
      else book.closeRecipient(campaignId, reachedLead(send), kind, at.getTime());
      book.closeAddress(recipientOf(message), kind, at.getTime());
    }
  }

  /** The lead that a message was sent to, and those that have its address at that moment: one person. */
  function concernedBy(leadId: number, address: string, at: number): number[] {
    const others = [...book.people].filter((one) => book.addressesAt(one, at).includes(address));
    return [...new Set([leadId, ...others])];
  }

  function noteExpiry(campaignId: number, leadId: number, message: RawMessage): void {
    const [to, at] = [recipientOf(message), clock.now().getTime()];
    const messageId = messageIdOf(message);
    const isPausing =
      book.closedBy(campaignId, leadId).size === 0 &&
      !book.isClosedAddress(to) &&
      !book.bouncedAddresses.has(to) &&
      book.isActiveAt(campaignId, at) &&
      book.addresses.get(leadId)!.now() === to &&
      book.verdicts.get(leadId)!.now().status !== 'invalid';
    book.expiries.note(campaignId, leadId, { at, to, messageId, isPausing });
  }

  /** An answer comes into the mailbox that has written; some people answer again. */
  async function answer(message: RawMessage, said?: (typeof TEXTS)[number]): Promise<void> {
    const send = await sendOf(db, message);
    const { campaign_id: campaignId, message_id: inReplyTo } = send;
    // Of the lead also where it has begun anew at another address since.
    const leadId = reachedLead(send);
    const at = clock.now().getTime();
    const { text, interest: judged } = said ?? TEXTS[Math.floor(random() * TEXTS.length)]!;
    // Words of their own: those of another person say nothing about them.
    const words = `${text}\nRef. ${leadId}`;
    const given = {
      at,
      interest: createHistory(corrections.meaningOf(words, judged)),
      campaignId,
      mailboxId: send.mailbox_id,
      messageId: `<answer${(answers += 1)}.${send.id}@client.example>`,
      inReplyTo,
      // Of the message itself: the row of one whose fate is unknown has no subject yet.
      subject: `Re: ${contentOf(message).headers.subject}`.replace(/^Re: Re: /, 'Re: '),
    };
    const isKnown = book.people.has(leadId);
    if (isKnown) book.answers.give(leadId, given);
    book.answers.hear(given);
    const { user_id: userId } = send;
    await deliver(given, { userId, from: recipientOf(message), text: words });
    await noteProof(send);
    for (const one of concernedBy(leadId, recipientOf(message), at)) {
      book.closeRecipient(campaignId, one, 'replied', at);
    }
    for (const { id } of book.campaigns) {
      if (book.answers.entryOf(id, leadId)) book.closeRecipient(id, leadId, 'answered', at);
    }
    // The company of a lead that is gone is unknown.
    if (book.people.has(leadId)) {
      closeCompany(book, book.campaign(campaignId), { leadId, at });
    }
    if (random() < CORRECTED) {
      later(0, 4 * DAY, () => corrections.correct(given, { userId, words }));
    }
    if (random() < AGAIN) later(HOUR, 4 * DAY, () => answer(message));
  }

  /** Proven after the end of its campaign: the next start continues it. */
  async function noteProof({ campaign_id: id, lead_id, state }: Sent): Promise<void> {
    if (state === 'uncertain' && (await isCompleted(id))) book.provenLate.add(`${id}/${lead_id}`);
  }

  async function isCompleted(campaignId: number): Promise<boolean> {
    const campaign = await db
      .selectFrom('campaigns')
      .select('status')
      .where('id', '=', campaignId)
      .executeTakeFirstOrThrow();
    return campaign.status === 'completed';
  }

  async function follow(message: RawMessage): Promise<void> {
    const send = await sendOf(db, message);
    const { id, campaign_id: campaignId } = send;
    const suppressionId = await unsubscribe(context, id);
    const at = clock.now().getTime();
    book.closeRecipient(campaignId, reachedLead(send), 'unsubscribed', at);
    book.closeAddress(recipientOf(message), 'unsubscribed', at);
    if (suppressionId !== undefined && chance() < TAKEN_BACK) {
      const taken = { sendId: id, suppressionId };
      later(MINUTE, 3 * DAY, () => takeBack(taken, recipientOf(message)));
    }
  }

  /** Their own wish alone: what others want stays, and so does the end of that campaign. */
  async function takeBack(
    taken: Parameters<typeof resubscribe>[1],
    address: string,
  ): Promise<void> {
    if (!(await resubscribe(context, taken))) return;
    book.openAddress(address, ['unsubscribed'], clock.now().getTime());
  }

  function later(low: number, high: number, act: () => Promise<void>): void {
    due.push({ at: clock.now().getTime() + low + random() * (high - low), act });
  }

  return {
    receive(message) {
      if (isLiked(message)) {
        const said = TEXTS.find(({ interest }) => interest === 'interested')!;
        return later(10 * MINUTE, 10 * HOUR, () => answer(message, said));
      }
      const roll = random();
      if (roll < 0.06) later(10 * MINUTE, 5 * DAY, () => answer(message));
      else if (roll < 0.07) {
        later(MINUTE, HOUR, () => note(message, { kind: 'bounced', isPermanent: true }));
      } else if (roll < 0.085) {
        const hasExpired = chance() < EXPIRED;
        const bounce = { kind: 'bounced', isPermanent: false, hasExpired } as const;
        later(MINUTE, HOUR, () => note(message, bounce));
      } else if (roll < 0.115) {
        const backAt = new Date(clock.now().getTime() + (1 + random() * 9) * DAY);
        later(MINUTE, HOUR, () => note(message, { kind: 'auto_replied', backAt }));
        // A person who is away may answer all the same.
        if (random() < 0.3) later(HOUR, 5 * DAY, () => answer(message));
      } else if (roll < 0.125) later(10 * MINUTE, 2 * DAY, () => follow(message));
      else if (roll < 0.129) later(HOUR, DAY, () => note(message, { kind: 'complained' }));
      else if (roll < 0.139) {
        const words = '550 5.7.350 Remote server returned message detected as spam';
        later(MINUTE, HOUR, () => note(message, { kind: 'rejected', words }));
      }
    },
    areQuiet: () => due.length === 0,
    async act() {
      const now = clock.now().getTime();
      for (const one of due.filter(({ at }) => at <= now)) {
        due.splice(due.indexOf(one), 1);
        await one.act();
      }
    },
  };
}
