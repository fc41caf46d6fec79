/** The limit of what registrars may charge us for one user within a day. Choice 69. */
import { DAY_MS } from '../day.ts';
import { OutreachError } from '../errors.ts';

/** 429 DOMAIN_SPENDING_LIMIT; `first`: the oldest order that counts. */
export function spendingLimit(first: Date): OutreachError {
  const endsAt = new Date(first.getTime() + DAY_MS).toISOString();
  const message = `No more domains can be bought or renewed for now: there is room again at ${endsAt}`;
  return new OutreachError('rate_limited', 'DOMAIN_SPENDING_LIMIT', message, [{ endsAt }]);
}
