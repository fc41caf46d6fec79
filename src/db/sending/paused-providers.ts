/** Recipients at mail providers that refuse too many messages as spam. Choice 9. */
import type { Transaction } from 'kysely';
import { recipientProviderOf } from '../../domain/sending/policy-refusals.ts';
import {
  recipientDomainOf,
  type Dropped,
  type DueRecipient,
} from '../../domain/sending/due-recipients.ts';
import { findProviders } from './recipient-providers.ts';
import { listPausedProviders } from './rejections.ts';
import type { Database } from '../tables.ts';

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
