/** What the end of a message's SMTP session means for its recipient. docs/sending-rules.md#mailboxes-that-fail. */
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import type { CampaignStep, HoldReason } from '../../src/domain/campaigns/campaigns.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { sendingDaysMs, sendingMs } from '../../src/domain/sending/sending-time.ts';
import { isHostTrouble } from '../../src/domain/sending/smtp-refusals.ts';
import { shortened } from '../../src/domain/storable-text.ts';
import type { SessionTools } from './tools.ts';

/** After the waits that are set, hourly: for a day, as Postfix does with what others put off. */
export const HOURLY_TRIES = 23;

/** Whether trouble of the host has used up the waits that a server's own refusals for now have. */
export const hasWaited = (
  { config }: Pick<SessionTools, 'config'>,
  { attempts, lastReply }: ClaimedMessage,
): boolean => attempts > config.SEND_RETRY_MINUTES.length || isHostTrouble(lastReply ?? '');

export function putOff(
  tools: Pick<SessionTools, 'config' | 'clock'>,
  message: ClaimedMessage,
  { reply, triesMore, isFree }: { reply: string; triesMore: number; isFree?: boolean },
): DeliveryResult {
  const { SEND_RETRY_MINUTES: waits } = tools.config;
  const { attempts } = message;
  const waitMinutes = waits[attempts] ?? (attempts < waits.length + triesMore ? 60 : undefined);
  return waitMinutes === undefined
    ? resultOf(tools, message, { state: 'refused', reply, failsWith: 'delivery_refused' })
    : resultOf(tools, message, { state: 'deferred', reply, waitMinutes, isFree });
}

/** The delivery result, and what follows from it for the recipient. Choice 9. */
export function resultOf(
  { config, clock }: Pick<SessionTools, 'config' | 'clock'>,
  message: ClaimedMessage,
  end: {
    state: DeliveryResult['state'];
    reply?: string;
    subject?: string;
    next?: CampaignStep | undefined;
    failsWith?: HoldReason;
    waitMinutes?: number;
    hasBounced?: boolean;
    isRejected?: boolean;
    isFree?: boolean | undefined;
  },
): DeliveryResult {
  const { sendId, leadId, mailboxId, variant, messageId, step } = message;
  const { state, reply = '', subject = '', next, failsWith, waitMinutes } = end;
  const { hasBounced = false, isRejected = false, isFree = state === 'back' } = end;
  const at = clock.now();
  const after = (ms: number) => new Date(at.getTime() + ms);
  const position = step.position;
  const ids = { sendId, leadId, mailboxId, step: position, variant, messageId };
  const judged = { hasBounced, isRejected, isFree };
  const done = { ...ids, state, reply: shortened(reply, 500), subject, at, ...judged };
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
