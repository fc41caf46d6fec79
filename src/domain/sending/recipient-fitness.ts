/** Why a due recipient is not written to: never, or not now. Choice 9. */
import { addressHold, type AddressPolicy } from '../campaigns/address-risk.ts';
import type { CampaignStep } from '../campaigns/campaigns.ts';
import type { Dropped, DueRecipient } from './due-recipients.ts';

type Drop = Omit<Dropped, 'leadId'>;

/** Called for each recipient of one claim in order; undefined: may be written to. */
export function createFitness(
  policy: AddressPolicy,
  sequence: readonly CampaignStep[],
): (due: DueRecipient) => Drop | undefined {
  const first = new Set<string>();
  return (due) => unfit(due, sequence) ?? heldBack(due, policy) ?? twinOf(first, due);
}

/** Why a due recipient is never written to. Choice 9. */
function unfit(due: DueRecipient, sequence: readonly CampaignStep[]): Drop | undefined {
  if (due.leadStatus === 'bounced') return { status: 'bounced', holdReason: 'suppressed' };
  if (due.leadStatus === 'unsubscribed') {
    return { status: 'unsubscribed', holdReason: 'suppressed' };
  }
  if (due.isSuppressed || due.leadStatus === 'suppressed') {
    return { status: 'skipped', holdReason: 'suppressed' };
  }
  if (due.hasCompanyReplied) return { status: 'skipped', holdReason: 'company_replied' };
  if (!sequence[due.step]) return { status: 'completed', holdReason: null };
  if (due.recipient.email === '') return { status: 'skipped', holdReason: 'no_email' };
  if (due.verdict.status === 'invalid') return { status: 'skipped', holdReason: 'invalid_email' };
  return undefined;
}

/** Held until the verdict or the setting changes; the status stays. */
function heldBack({ emailKey, verdict }: DueRecipient, policy: AddressPolicy): Drop | undefined {
  const holdReason = emailKey === null ? null : addressHold(policy, { emailKey, ...verdict });
  return holdReason === null ? undefined : { status: null, holdReason };
}

/** Choice 53: an address occurs once per campaign; a lead may have got it after it was added, and have had it before. */
function twinOf(first: Set<string>, { step, emailKey, isWritten }: DueRecipient): Drop | undefined {
  if (emailKey === null) return undefined;
  if (isWritten) return { status: 'skipped', holdReason: 'already_contacted' };
  if (step > 0) return undefined;
  if (first.has(emailKey)) return { status: 'skipped', holdReason: 'duplicate_address' };
  first.add(emailKey);
  return undefined;
}
