/** What clients are told of a message's outcome. Choice 45. */
import type { SendFacts } from '../../domain/webhooks/event-payloads.ts';
import type { SendOutcome } from './send-outcomes.ts';

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
