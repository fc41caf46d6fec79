/** Possible outcomes of a sent message, and the events clients get about them. Choice 45. */
import type { DeliveryResult, EndedSession } from '../../domain/sending/delivery-results.ts';
import { quotedWords } from '../../domain/sending/policy-refusals.ts';
import type { SendFacts } from '../../domain/webhooks/event-payloads.ts';

export interface SendOutcome {
  kind:
    | 'replied'
    | 'auto_replied'
    | 'bounced'
    | 'rejected'
    | 'complained'
    | 'unsubscribed'
    | 'opened'
    | 'clicked'
    | 'machine_opened'
    | 'machine_clicked';
  at: Date;
  /** Of bounces: the address does not exist. */
  isPermanent?: boolean;
  /** Of other bounces: a way that failed, time that ran out (RFC 3463, 3.5), an own limit: the message never arrived. */
  hasExpired?: boolean;
  /** Automatic answers: when the person is back, if it was said. */
  backAt?: Date | undefined;
  /** Of rejections: the host's words, without addresses. */
  words?: string | undefined;
  /** Of bounces and rejections: the status code. */
  status?: string | undefined;
  /** Of clicks: the link. */
  url?: string;
  /** Of unsubscriptions: by the link of the message, not in words. */
  isByLink?: boolean;
  /** Of unsubscriptions in words: the key of who wrote; it counts where it is the lead's. */
  writtenFrom?: string | undefined;
}

/** Undefined for outcomes that are counted only, since they prove nothing. */
export function outcomeEvent(outcome: SendOutcome, facts: SendFacts) {
  const { kind, isPermanent = true, status, words, url = '' } = outcome;
  switch (kind) {
    case 'machine_opened':
    case 'machine_clicked':
      return undefined;
    case 'bounced':
      return { type: 'email.bounced', payload: { ...facts, isPermanent, status } } as const;
    case 'rejected':
      return { type: 'email.rejected', payload: { ...facts, status, words } } as const;
    case 'clicked':
      return { type: 'email.clicked', payload: { ...facts, url } } as const;
    default:
      return { type: `email.${kind}`, payload: facts } as const;
  }
}

/** Of a message that was sent, or refused in the talk as about the address or by a policy. */
export function deliveryEvent({ campaignId }: EndedSession, end: DeliveryResult) {
  const { leadId, mailboxId, sendId, step, messageId, reply } = end;
  const ids = { campaignId, leadId, mailboxId, sendId, step, messageId };
  const facts: SendFacts = { ...ids, at: end.at.toISOString() };
  if (end.state === 'sent') return { type: 'email.sent', payload: facts } as const;
  const refused = { ...facts, status: codeOf(reply) };
  return end.hasBounced
    ? ({ type: 'email.bounced', payload: { ...refused, isPermanent: true } } as const)
    : ({ type: 'email.rejected', payload: { ...refused, words: quotedWords(reply) } } as const);
}

const codeOf = (reply: string): string => /^\d{3}([ -]\d\.\d+\.\d+)?/.exec(reply)?.[0] ?? '';
