/**
 * One letter: rendered, submitted, and what its end means for the recipient.
 * docs/sending-rules.md#send-once.
 */
import type { Campaign } from '../../src/db/campaigns/campaigns.ts';
import type { ClaimedLetter } from '../../src/db/sending/send-claims.ts';
import type { LetterEnd } from '../../src/db/sending/letter-ends.ts';
import type { SendText } from '../../src/db/sending/send-texts.ts';
import type { CampaignStep, HoldReason } from '../../src/domain/campaigns/campaigns.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { languageOf, letterLanguageOf } from '../../src/domain/sending/letter-languages.ts';
import { renderLetter } from '../../src/domain/sending/letter-content.ts';
import { sendingDaysMs, sendingMs } from '../../src/domain/sending/sending-time.ts';
import { isHostTrouble, isListing, refusalOf } from '../../src/domain/sending/smtp-refusals.ts';
import { indexOf } from '../../src/domain/campaigns/step-texts.ts';
import { oneLine } from '../../src/domain/campaigns/templates.ts';
import type { RawLetter } from '../../src/providers/mail-transport/port.ts';
import type { MailboxLanes } from './mailbox-lanes.ts';
import type { MailboxTrouble } from './mailbox-troubles.ts';
import type { RoundTools } from './tools.ts';

/** Thrown before the text when the letter must not go: the claim is somebody else's, or void. */
export const CLAIM_LOST = new Error('the claim was taken back');

const EMPTY_LETTER = new Error('nothing is left of the subject or the body');

/** What letters of one claim share. */
export interface LetterSetting {
  campaign: Campaign;
  sequence: readonly CampaignStep[];
  sender: { name: string; postalAddress: string; signature: string | null };
}

export interface LetterTalk {
  lanes: Pick<MailboxLanes, 'use'>;
  /** Right before the first byte of the text; throws `CLAIM_LOST`. */
  begin(text: SendText): Promise<void>;
  /** The mailbox could not be used; what it does about it is its own. */
  trouble(letter: ClaimedLetter, trouble: MailboxTrouble): Promise<void>;
}

/** Never throws what a server or a template did: that is an end, too. */
export async function sendLetter(
  tools: Pick<RoundTools, 'config' | 'clock' | 'mailTransport' | 'recipientLinks' | 'logger'>,
  talk: LetterTalk,
  setting: LetterSetting,
  letter: ClaimedLetter,
): Promise<LetterEnd> {
  let isBegun = false;
  try {
    const sent = await talk.lanes.use(letter.mailboxId, async (session) => {
      // Only when it is its turn: the letters of a claim are not all rendered before the first one goes.
      const made = await makeLetter(tools, setting, letter).catch((err: unknown) => {
        if (err === EMPTY_LETTER) return 'template_empty' as const;
        tools.logger.error({ err, sendId: letter.sendId }, 'a letter could not be rendered');
        return 'template_failed' as const;
      });
      if (typeof made === 'string') return made;
      const { reply } = await session.send(made.raw, async () => {
        await talk.begin(made.text);
        isBegun = true;
      });
      return { reply, subject: made.text.subject };
    });
    if (typeof sent === 'string') return endOf(tools, letter, { state: 'back', failsWith: sent });
    const next = setting.sequence[letter.step.position + 1];
    return endOf(tools, letter, { state: 'sent', ...sent, next });
  } catch (error) {
    if (error === CLAIM_LOST) return endOf(tools, letter, { state: 'back' });
    if (!(error instanceof ProviderError)) {
      // A mistake of ours: what may be on its way is not sent again.
      tools.logger.error({ err: error, sendId: letter.sendId }, 'a letter failed');
      if (!isBegun) return endOf(tools, letter, { state: 'back', waitMinutes: 5 });
      return endOf(tools, letter, { state: 'uncertain', failsWith: 'delivery_uncertain' });
    }
    return afterError(tools, talk, letter, error);
  }
}

async function makeLetter(
  {
    clock,
    mailTransport,
    recipientLinks: links,
  }: Pick<RoundTools, 'clock' | 'mailTransport' | 'recipientLinks'>,
  { campaign, sequence, sender }: LetterSetting,
  letter: ClaimedLetter,
): Promise<{ text: SendText; raw: RawLetter }> {
  const { sendId, leadId, mailboxEmail: email, step, variant, recipient, thread } = letter;
  const language = letterLanguageOf(languageOf(campaign.language, sequence[0]));
  const content = renderLetter({
    step,
    variant: indexOf(step, variant),
    seed: { campaignId: campaign.id, leadId, position: step.position },
    recipient,
    sender: { ...sender, email },
    links: {
      unsubscribeUrl: links.unsubscribeUrl(sendId, language),
      unsubscribeToken: links.unsubscribeToken(sendId, language),
      ...(campaign.track_opens && { openUrl: links.openUrl(sendId) }),
      ...(campaign.track_clicks && { clickUrl: (url: string) => links.clickUrl(sendId, url) }),
    },
    language,
    thread,
    textOnly: campaign.text_only,
  });
  if (content.isEmpty) throw EMPTY_LETTER;
  const { subject, text } = content;
  // The header tells whole seconds; an answer of the same second comes after it.
  const at = new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000);
  const raw = await mailTransport.compose({
    from: { address: email, name: sender.name },
    to: recipient.email,
    subject,
    text,
    html: content.html ?? undefined,
    messageId: letter.messageId,
    date: at,
    headers: content.headers,
  });
  // Reports of lost letters come to this address, which names the letter (VERP).
  const [local, domain] = email.split('@') as [string, string];
  const from = `${local}+b${sendId}-${links.letterTag(sendId)}@${domain}`;
  const references = content.isAnswer ? (thread?.messageIds ?? []) : [];
  const fromName = oneLine(sender.name);
  return {
    text: { sendId, fromName, to: recipient.email, subject, text, references, at },
    raw: { from, to: recipient.email, raw },
  };
}

async function afterError(
  tools: Pick<RoundTools, 'config' | 'clock'>,
  talk: LetterTalk,
  letter: ClaimedLetter,
  error: ProviderError,
): Promise<LetterEnd> {
  const { kind, facts, message } = error;
  // A reply without a letter is one to the login.
  const reply = facts.reply ?? '';
  if (kind === 'outcome_unknown') {
    return endOf(tools, letter, { state: 'uncertain', failsWith: 'delivery_uncertain' });
  }
  if (kind === 'rejected' && reply === '') {
    await talk.trouble(letter, { kind: 'login_refused' });
    return endOf(tools, letter, { state: 'back' });
  }
  const refusal = kind === 'rejected' ? refusalOf(reply) : 'later';
  // The host is our own: what ails it is no fault of the recipient, who is not given up for it.
  if ((kind !== 'rejected' && kind !== 'rate_limited') || isHostTrouble(reply)) {
    await talk.trouble(letter, { kind: 'unreachable', message });
    return endOf(tools, letter, { state: 'back' });
  }
  switch (refusal) {
    case 'sender':
      await talk.trouble(letter, { kind: 'sender_refused', isListed: isListing(reply) });
      return endOf(tools, letter, { state: 'back' });
    case 'recipient':
      return endOf(tools, letter, { state: 'refused', reply, hasBounced: true });
    case 'policy':
      return endOf(tools, letter, {
        state: 'refused',
        reply,
        failsWith: 'policy_rejection',
        isRejected: true,
      });
    case 'letter':
      return endOf(tools, letter, { state: 'refused', reply, failsWith: 'delivery_refused' });
    case 'transport':
    case 'later': {
      const waitMinutes = tools.config.SEND_RETRY_MINUTES[letter.attempts];
      return waitMinutes === undefined
        ? endOf(tools, letter, { state: 'refused', reply, failsWith: 'delivery_refused' })
        : endOf(tools, letter, { state: 'deferred', reply, waitMinutes });
    }
  }
}

/** The letter's end with what follows for its recipient. Choice 9. */
function endOf(
  { config, clock }: Pick<RoundTools, 'config' | 'clock'>,
  letter: ClaimedLetter,
  end: {
    state: LetterEnd['state'];
    reply?: string;
    subject?: string;
    next?: CampaignStep | undefined;
    failsWith?: HoldReason;
    waitMinutes?: number;
    hasBounced?: boolean;
    isRejected?: boolean;
  },
): LetterEnd {
  const { sendId, leadId, mailboxId, variant, messageId, step } = letter;
  const { state, reply = '', subject = '', next, failsWith, waitMinutes } = end;
  const { hasBounced = false, isRejected = false } = end;
  const at = clock.now();
  const after = (ms: number) => new Date(at.getTime() + ms);
  const position = step.position;
  const ids = { sendId, leadId, mailboxId, step: position, variant, messageId };
  const done = { ...ids, state, reply: reply.slice(0, 500), subject, at, hasBounced, isRejected };
  const over = { step: position, dueAt: null, holdReason: failsWith ?? null };
  if (failsWith) return { ...done, recipient: { ...over, status: 'failed' } };
  if (hasBounced) return { ...done, recipient: { ...over, status: 'bounced' } };
  const status = position === 0 ? ('queued' as const) : ('in_progress' as const);
  if (state !== 'sent') {
    const waitMs = sendingMs((waitMinutes ?? 0) * 60, config.DAY_SECONDS);
    const holdReason = state === 'deferred' ? 'soft_bounce' : null;
    return { ...done, recipient: { status, step: position, dueAt: after(waitMs), holdReason } };
  }
  const forward = { step: position + 1, holdReason: null };
  if (!next) return { ...done, recipient: { ...forward, status: 'completed', dueAt: null } };
  const dueAt = after(sendingDaysMs(next.delayDays, config.DAY_SECONDS));
  return { ...done, recipient: { ...forward, status: 'in_progress', dueAt } };
}
