/** What may become of a message that was sent, and what clients are told of it. Choice 45. */
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
  /** Bounces: false = 4.x.x, which does not suppress. */
  isPermanent?: boolean;
  /** Automatic answers: when the person is back, if it was said. */
  backAt?: Date | undefined;
  /** Of those that were rejected: the host's words, without addresses. */
  words?: string | undefined;
  /** Of those that came back or were rejected: the status code. */
  status?: string | undefined;
  /** Of those that were clicked: the link. */
  url?: string;
}

/** Undefined where it only counts: that proves nothing. */
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
