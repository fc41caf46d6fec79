/**
 * Limits how many messages of a campaign go to one recipient domain per day.
 * docs/sending-rules.md#few-messages-to-one-domain.
 */
import { sql, type RawBuilder } from 'kysely';
import { isFreeMail } from '../../domain/email-validation/free-mail.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import {
  recipientDomainOf,
  type Dropped,
  type DueRecipient,
} from '../../domain/sending/due-recipients.ts';
import { samePlan } from '../same-plan.ts';

export interface RecipientDomainSettings {
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: number;
  DAY_SECONDS: number;
}

export interface DomainTimes {
  domain: string;
  times: Date[];
}

interface Asked {
  campaignId: number;
  now: Date;
  recipients: readonly DueRecipient[];
}

/** When the last messages of a day went to each domain, as many as its limit; free-mail domains are exempt. */
export function recentTimes(
  settings: RecipientDomainSettings,
  { campaignId, now, recipients }: Asked,
): RawBuilder<DomainTimes> {
  const limit = settings.SEND_RECIPIENT_DOMAIN_DAILY_LIMIT;
  const dayMs = sendingDaysMs(1, settings.DAY_SECONDS);
  const domains = new Set(
    limit === 0 ? [] : recipients.map(recipientDomainOf).filter((domain) => !isFreeMail(domain)),
  );
  return sql`/*recipient-domain-times*/
    select domain, array(select claimed_at from sends
      where campaign_id = ${campaignId} and recipient_domain = domain
        and claimed_at > ${samePlan(new Date(now.getTime() - dayMs), 'timestamptz')}
      order by claimed_at desc limit ${limit}) as times
    from unnest(${samePlan([...domains], 'text[]')}) as domain`;
}

/** At most so many messages per recipient domain and campaign-day. */
export function withinRecipientDomainLimit(
  settings: RecipientDomainSettings,
  rows: readonly DomainTimes[],
  { now, recipients, dropped }: Omit<Asked, 'campaignId'> & { dropped: Dropped[] },
): DueRecipient[] {
  const limit = settings.SEND_RECIPIENT_DOMAIN_DAILY_LIMIT;
  const dayMs = sendingDaysMs(1, settings.DAY_SECONDS);
  const used = new Map(rows.map(({ domain, times }) => [domain, [...times]]));
  return recipients.filter((recipient) => {
    const times = used.get(recipientDomainOf(recipient));
    if (!times) return true;
    const blocking = times[limit - 1];
    // Planned messages count at once; postponed recipients queue after them.
    times.unshift(blocking ? new Date(blocking.getTime() + dayMs) : now);
    if (!blocking) return true;
    const dueAt = new Date(blocking.getTime() + dayMs);
    const holdReason = 'recipient_domain_limit';
    dropped.push({ leadId: recipient.leadId, status: null, holdReason, dueAt });
    return false;
  });
}
