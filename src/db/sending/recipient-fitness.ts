/** Why somebody who is due is not written to: never, or not now. Choice 9. */
import type { Transaction } from 'kysely';
import { addressHold, type AddressPolicy } from '../../domain/campaigns/address-risk.ts';
import type { CampaignStep } from '../../domain/campaigns/campaigns.ts';
import { recipientProviderOf } from '../../domain/sending/policy-refusals.ts';
import { addressPolicyOf, type Campaign } from '../campaigns/campaigns.ts';
import type { DueRecipient } from './due-recipients.ts';
import type { Dropped } from '../campaigns/recipient-drops.ts';
import { recipientDomainOf } from './recipient-domain-limit.ts';
import { findProviders } from './recipient-providers.ts';
import { listPausedProviders } from './rejections.ts';
import type { Database } from '../tables.ts';

type Drop = Omit<Dropped, 'leadId'>;

/** Asked for each recipient of one claim in their order; undefined: may be written to. */
export function createFitness(
  campaign: Campaign,
  sequence: readonly CampaignStep[],
): (due: DueRecipient) => Drop | undefined {
  const first = new Set<string>();
  const policy = addressPolicyOf(campaign);
  return (due) => unfit(due, sequence) ?? heldBack(due, policy) ?? twinOf(first, due);
}

/** A provider that refuses too many messages as spam gets none until its pause is over. */
export async function withoutPausedProviders(
  trx: Transaction<Database>,
  {
    userId,
    now,
    recipients,
    dropped,
  }: {
    userId: string;
    now: Date;
    recipients: readonly DueRecipient[];
    dropped: Dropped[];
  },
): Promise<readonly DueRecipient[]> {
  const paused = await listPausedProviders(trx, userId, now);
  if (paused.size === 0) return recipients;
  const providers = await findProviders(trx, recipients.map(recipientDomainOf));
  return recipients.filter((recipient) => {
    const domain = recipientDomainOf(recipient);
    const dueAt = paused.get(recipientProviderOf(domain, providers.get(domain)));
    if (!dueAt) return true;
    const holdReason = 'provider_rejects';
    dropped.push({ leadId: recipient.leadId, status: null, holdReason, dueAt });
    return false;
  });
}

/** Why somebody who is due is never written to. Choice 9. */
function unfit(due: DueRecipient, sequence: readonly CampaignStep[]): Drop | undefined {
  if (due.leadStatus === 'bounced') return { status: 'bounced', holdReason: 'suppressed' };
  if (due.leadStatus === 'unsubscribed') {
    return { status: 'unsubscribed', holdReason: 'suppressed' };
  }
  if (due.isSuppressed || due.leadStatus === 'suppressed') {
    return { status: 'skipped', holdReason: 'suppressed' };
  }
  if (!sequence[due.step]) return { status: 'completed', holdReason: null };
  if (due.recipient.email === '') return { status: 'skipped', holdReason: 'no_email' };
  if (due.verdict.status === 'invalid') return { status: 'skipped', holdReason: 'invalid_email' };
  return undefined;
}

/** Held until the verdict or the setting changes, as what they are now. */
function heldBack({ emailKey, verdict }: DueRecipient, policy: AddressPolicy): Drop | undefined {
  const holdReason = emailKey === null ? null : addressHold(policy, { emailKey, ...verdict });
  return holdReason === null ? undefined : { status: null, holdReason };
}

/** Choice 53: a campaign has an address once; a lead may have got it after it was added. */
function twinOf(first: Set<string>, { step, emailKey, isWritten }: DueRecipient): Drop | undefined {
  if (step > 0 || emailKey === null) return undefined;
  if (isWritten) return { status: 'skipped', holdReason: 'already_contacted' };
  if (first.has(emailKey)) return { status: 'skipped', holdReason: 'duplicate_address' };
  first.add(emailKey);
  return undefined;
}
