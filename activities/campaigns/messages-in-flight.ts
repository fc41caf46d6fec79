/** The messages of a session that are being sent, as many as memory and mailboxes take. */
import { createBatcher } from '../../src/db/batcher.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { findLinkOrigin } from '../../src/db/domains/tracking-domains.ts';
import { earliest } from '../../src/domain/sending/sending-time.ts';
import type { Claim } from '../../src/transactions/claims.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { beginMessages } from '../../src/db/sending/send-progress.ts';
import type { SendText } from '../../src/db/sending/send-texts.ts';
import { createMailboxConnections } from './mailbox-connections.ts';
import { createMailboxTroubles, type TroubleMemory } from './mailbox-troubles.ts';
import { LARGEST_MESSAGE_BYTES, messageBytes } from './message-budget.ts';
import { recordDeliveryResults } from './record-delivery-results.ts';
import {
  CLAIM_LOST,
  sendMessage,
  type MessageSetting,
  type DeliveryHooks,
} from './send-message.ts';
import type { SettledResult } from './settled-results.ts';
import type { SessionTools } from './tools.ts';

/** Messages in flight at once. */
const IN_FLIGHT = 400;

/** A message that is ready, and the end of its window. */
type Beginning = { text: SendText } & Pick<ClaimedMessage, 'windowUntil'>;

export type Flight = ReturnType<typeof createFlight>;

/** The messages in flight: beginnings and delivery results are written in batches. */
export function createFlight(tools: SessionTools, campaignId: number, memory: TroubleMemory) {
  const { db, clock, config, attempt } = tools;
  const connections = createMailboxConnections(tools);
  const troubles = createMailboxTroubles(tools, memory);
  /** With their leads. */
  const messages = new Map<Promise<void>, number>();
  let dueAgainAt: Date | null = null;
  let sent = 0;
  let settledCount = 0;
  let failure: { error: unknown } | undefined;
  const share = tools.messageBudget.open();
  let bytesOfOne = LARGEST_MESSAGE_BYTES;
  let isOver = false;
  const hold = (count: number) => share.hold(isOver ? 0 : count * bytesOfOne);
  /** At the end or, where it hangs and never comes there, when it is left. */
  const release = () => {
    isOver = true;
    hold(0);
    connections.close();
  };
  tools.left?.addEventListener('abort', release, { once: true });
  let userId = '';
  const begin = createBatcher(async (beginnings: readonly Beginning[]) => {
    // The sending window has closed, or the shard is given up: nothing more is begun.
    const isGivenUp = tools.endsAtOnce === true && tools.signal.aborted;
    const now = clock.now();
    const inTime = isGivenUp ? [] : beginnings.filter(({ windowUntil }) => now < windowUntil);
    if (inTime.length === 0) return beginnings.map(() => false);
    const texts = inTime.map(({ text }) => text);
    const begun = await despiteDeadlocks(() => beginMessages(db, attempt, texts));
    return beginnings.map(({ text }) => begun.has(text.sendId));
  });
  const end = createBatcher(async (ends: readonly SettledResult[]) => {
    const session = { campaignId, userId, claimedBy: attempt };
    const written = await recordDeliveryResults(tools, session, ends);
    const dueAt = new Map(written.map((one) => [one.sendId, one.recipient.dueAt]));
    return ends.map(({ sendId, recipient }) =>
      dueAt.has(sendId) ? dueAt.get(sendId)! : recipient.dueAt,
    );
  });
  const hooks: DeliveryHooks = {
    connections,
    begin: async (text, { windowUntil }) => {
      if (!(await begin({ text, windowUntil }))) throw CLAIM_LOST;
    },
    trouble: ({ mailboxId }, trouble) => troubles.note(mailboxId, trouble),
    isOfMessage: (message) => troubles.isOfMessage(message),
  };
  const fly = async (setting: MessageSetting, message: ClaimedMessage) => {
    const { campaign } = setting;
    const ended = await sendMessage(tools, hooks, setting, message);
    if (ended.state === 'sent') {
      sent += 1;
      troubles.noteSent(message.mailboxId);
    }
    if (ended.state !== 'back' && ended.state !== 'deferred') troubles.forgetLead(message.leadId);
    return end({ ...ended, settingsAt: campaign.updated_at });
  };
  return {
    sent: () => sent,
    /** How many messages have a delivery result. */
    settledCount: () => settledCount,
    size: () => messages.size,
    /**
     * The leads of messages in flight, for a claim: what becomes of these the claim does not tell. From now on `nextDue`
     * counts those that have ended since.
     */
    leads(): number[] {
      dueAgainAt = null;
      return [...messages.values()];
    },
    /** When the next message is due: of those that the last claim tells of, and of those that have ended since. */
    nextDue: (claim: Claim): Date | null => earliest(claim.nextAt, dueAgainAt),
    /** How many messages may be claimed now; reserves the memory for them. */
    reserve(): number {
      const seats = IN_FLIGHT - messages.size;
      if (seats < IN_FLIGHT / 2) return 0;
      const fit = Math.floor(share.mayHold() / bytesOfOne) - messages.size;
      const room = Math.min(seats, Math.max(messages.size === 0 ? 1 : 0, fit));
      hold(messages.size + room);
      return room;
    },
    async take(claim: Claim): Promise<void> {
      if (failure) throw failure.error;
      userId = claim.campaign.user_id;
      if (claim.messages.length === 0) {
        if (claim.sequence.length > 0) bytesOfOne = messageBytes(claim.sequence);
        return hold(messages.size);
      }
      const { campaign, sequence } = claim;
      const linkOrigin = await findLinkOrigin(db, campaign.tracking_domain_id, config.LINKS_HOST);
      const signatures = claim.messages.map(({ sender }) => sender.signature);
      bytesOfOne = messageBytes(claim.sequence, signatures);
      for (const message of claim.messages) {
        const { name, signature } = message.sender;
        const sender = { ...claim.sender, name: name ?? claim.sender.name, signature };
        const delivery = fly({ campaign, sequence, sender, linkOrigin }, message)
          .catch((error: unknown) => {
            failure ??= { error };
            return null;
          })
          .then((dueAt) => {
            settledCount += 1;
            // In one step: either `leads` still has it, or its time is known.
            messages.delete(delivery);
            dueAgainAt = earliest(dueAgainAt, dueAt);
            hold(messages.size);
          });
        messages.set(delivery, message.leadId);
      }
      hold(messages.size);
    },
    /** Resolves when any of them has a delivery result. */
    async settled(): Promise<void> {
      await Promise.race(messages.keys());
      if (failure) throw failure.error;
    },
    /** Resolves when all have one. */
    async drain(): Promise<void> {
      await Promise.all(messages.keys());
      tools.left?.removeEventListener('abort', release);
      release();
      if (failure) throw failure.error;
    },
  };
}
