/**
 * One message: rendered, submitted, and what its delivery result means for the recipient.
 * docs/sending-rules.md#send-once.
 */
import type { Campaign } from '../../src/db/campaigns/campaigns.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import type { SendText } from '../../src/db/sending/send-texts.ts';
import type { CampaignStep } from '../../src/domain/campaigns/campaigns.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { languageOf } from '../../src/domain/sending/message-languages.ts';
import { pageLanguageOf } from '../../src/domain/sending/page-words.ts';
import { renderMessage } from '../../src/domain/sending/message-content.ts';
import { isHostTrouble, isListing, refusalOf } from '../../src/domain/sending/smtp-refusals.ts';
import { indexOf } from '../../src/domain/campaigns/step-texts.ts';
import { oneLine } from '../../src/domain/campaigns/templates.ts';
import type { RawMessage } from '../../src/providers/mail-transport/port.ts';
import { hasWaited, HOURLY_TRIES, putOff, resultOf } from './message-results.ts';
import { CONNECTIONS_CLOSED, type MailboxConnections } from './mailbox-connections.ts';
import type { MailboxTrouble } from './mailbox-troubles.ts';
import type { SessionTools } from './tools.ts';

/**
 * Thrown before the text when the message must not be sent: another attempt holds the claim, or it is
 * void.
 */
export const CLAIM_LOST = new Error('the claim was taken back');

const EMPTY_MESSAGE = new Error('nothing is left of the subject or the body');

/** What messages of one claim share. */
export interface MessageSetting {
  campaign: Campaign;
  sequence: readonly CampaignStep[];
  sender: { name: string; postalAddress: string; signature: string | null };
  /** Where the links of its messages are; undefined: on the installation's own name. */
  linkOrigin: string | undefined;
}

export interface DeliveryHooks {
  connections: Pick<MailboxConnections, 'use'>;
  /** Called right before the first byte of the text; throws `CLAIM_LOST`. */
  begin(text: SendText, message: ClaimedMessage): Promise<void>;
  /** Called when the mailbox could not be used. */
  trouble(message: ClaimedMessage, trouble: MailboxTrouble): Promise<void>;
  /** Whether trouble of the host is this message's alone. */
  isOfMessage(message: ClaimedMessage): Promise<boolean>;
}

/** Never throws for a server or template failure: that is a delivery result, too. */
export async function sendMessage(
  tools: Pick<SessionTools, 'config' | 'clock' | 'mailTransport' | 'recipientLinks' | 'logger'>,
  hooks: DeliveryHooks,
  setting: MessageSetting,
  message: ClaimedMessage,
): Promise<DeliveryResult> {
  let isBegun = false;
  try {
    const sent = await hooks.connections.use(message.mailboxId, async (session) => {
      // Rendered only now: the messages of a claim are not all rendered before the first one is sent.
      const made = await makeMessage(tools, setting, message).catch((err: unknown) => {
        if (err === EMPTY_MESSAGE) return 'template_empty' as const;
        tools.logger.error({ err, sendId: message.sendId }, 'a message could not be rendered');
        return 'template_failed' as const;
      });
      if (typeof made === 'string') return made;
      const { reply } = await session.send(made.raw, async () => {
        await hooks.begin(made.text, message);
        isBegun = true;
      });
      return { reply, subject: made.text.subject };
    });
    if (typeof sent === 'string')
      return resultOf(tools, message, { state: 'back', failsWith: sent });
    const next = setting.sequence[message.step.position + 1];
    return resultOf(tools, message, { state: 'sent', ...sent, next });
  } catch (error) {
    if (error === CLAIM_LOST || error === CONNECTIONS_CLOSED)
      return resultOf(tools, message, { state: 'back' });
    if (!(error instanceof ProviderError)) {
      // A bug of ours: a message that may be on its way is not sent again.
      tools.logger.error({ err: error, sendId: message.sendId }, 'a message failed');
      if (!isBegun) return resultOf(tools, message, { state: 'back', waitMinutes: 5 });
      return resultOf(tools, message, { state: 'uncertain', failsWith: 'delivery_uncertain' });
    }
    return afterError(tools, hooks, message, error);
  }
}

async function makeMessage(
  {
    clock,
    mailTransport,
    recipientLinks,
  }: Pick<SessionTools, 'clock' | 'mailTransport' | 'recipientLinks'>,
  { campaign, sequence, sender, linkOrigin }: MessageSetting,
  message: ClaimedMessage,
): Promise<{ text: SendText; raw: RawMessage }> {
  const { sendId, leadId, mailboxEmail: email, step, variant, recipient, thread } = message;
  const links = recipientLinks.at(linkOrigin);
  const language = languageOf(campaign.language, sequence[0]);
  const ofPages = pageLanguageOf(language);
  const content = renderMessage({
    step,
    variant: indexOf(step, variant),
    seed: { campaignId: campaign.id, leadId, position: step.position },
    recipient,
    sender: { ...sender, email },
    links: {
      unsubscribeUrl: links.unsubscribeUrl(sendId, ofPages),
      unsubscribeToken: links.unsubscribeToken(sendId, ofPages),
      ...(campaign.track_opens && { openUrl: links.openUrl(sendId) }),
      ...(campaign.track_clicks && { clickUrl: (url: string) => links.clickUrl(sendId, url) }),
    },
    language,
    thread,
    textOnly: campaign.text_only,
  });
  if (content.isEmpty) throw EMPTY_MESSAGE;
  const { subject, text } = content;
  // The Date header has whole seconds; an answer within the same second must come after it.
  const at = new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000);
  const raw = await mailTransport.compose({
    from: { address: email, name: sender.name },
    to: recipient.email,
    subject,
    text,
    html: content.html ?? undefined,
    messageId: message.messageId,
    date: at,
    headers: content.headers,
  });
  // Bounces return to this address, which names the message (VERP); other vendors refuse senders with an extension.
  const [local, domain] = email.split('@') as [string, string];
  const named = `${local}+b${sendId}-${links.messageTag(sendId)}@${domain}`;
  const from = message.isConnected ? email : named;
  const references = content.isAnswer ? (thread?.messageIds ?? []) : [];
  const fromName = oneLine(sender.name);
  return {
    text: { sendId, fromName, to: recipient.email, subject, text, references, at },
    raw: { from, to: recipient.email, raw },
  };
}

async function afterError(
  tools: Pick<SessionTools, 'config' | 'clock'>,
  hooks: DeliveryHooks,
  message: ClaimedMessage,
  error: ProviderError,
): Promise<DeliveryResult> {
  const { kind, facts } = error;
  // A refusal without a message was one of the login.
  const reply = facts.reply ?? '';
  if (kind === 'outcome_unknown') {
    return resultOf(tools, message, { state: 'uncertain', failsWith: 'delivery_uncertain' });
  }
  if (kind === 'rejected' && reply === '') {
    await hooks.trouble(message, { kind: 'login_refused' });
    return resultOf(tools, message, { state: 'back' });
  }
  const refusal = kind === 'rejected' ? refusalOf(reply) : 'later';
  // Trouble of the host says nothing about the recipient, who is not given up for it, unless others go meanwhile.
  const isTrouble = isHostTrouble(reply);
  if ((kind !== 'rejected' && kind !== 'rate_limited') || isTrouble) {
    const isOwn = isTrouble && (await hooks.isOfMessage(message));
    // A host that limits senders puts off one after the other: it is left alone here, too.
    await hooks.trouble(message, { kind: 'unreachable', message: error.message });
    if (isOwn) return putOff(tools, message, { reply, triesMore: HOURLY_TRIES, isFree: true });
    return resultOf(tools, message, { state: 'back' });
  }
  switch (refusal) {
    case 'sender':
      await hooks.trouble(message, { kind: 'sender_refused', isListed: isListing(reply) });
      return resultOf(tools, message, { state: 'back' });
    case 'recipient':
      return resultOf(tools, message, { state: 'refused', reply, hasBounced: true });
    case 'policy':
      return resultOf(tools, message, {
        state: 'refused',
        reply,
        failsWith: 'policy_rejection',
        isRejected: true,
      });
    case 'message':
      return resultOf(tools, message, { state: 'refused', reply, failsWith: 'delivery_refused' });
    case 'transport':
    case 'later':
      return putOff(tools, message, {
        reply,
        triesMore: hasWaited(tools, message) ? HOURLY_TRIES : 0,
      });
  }
}
