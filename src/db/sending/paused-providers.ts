/** Recipients at mail providers that refuse too many messages as spam. Choice 9. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { recipientProviderOf } from '../../domain/sending/policy-refusals.ts';
import {
  recipientDomainOf,
  type Dropped,
  type DueRecipient,
} from '../../domain/sending/due-recipients.ts';
import { findProviders } from './recipient-providers.ts';
import type { Database } from '../tables.ts';

export interface PausedProvider {
  provider: string;
  until: Date;
}

/** Providers that get no messages of the user now. */
export const pausedProviders = (
  userId: string,
  now: Date,
): RawBuilder<PausedProvider> => sql`/*list-paused-providers*/
    select subject as provider, until from sending_pauses
    where user_id = ${userId} and scope = 'provider' and until > ${now}`;

/** A provider that refuses too many messages as spam gets none until its pause is over. */
export async function withoutPausedProviders(
  trx: Transaction<Database>,
  rows: readonly PausedProvider[],
  { recipients, dropped }: { recipients: readonly DueRecipient[]; dropped: Dropped[] },
): Promise<readonly DueRecipient[]> {
  if (rows.length === 0) return recipients;
  const paused = new Map(rows.map(({ provider, until }) => [provider, until]));
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
