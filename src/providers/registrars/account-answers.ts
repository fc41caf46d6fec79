/** What every registrar's account is asked. */
import { randomBytes } from 'node:crypto';
import { fine, wrong, type AccountAnswer } from '../../domain/operations/account-questions.ts';
import type { DomainQuote } from './port.ts';

/** About what one .com costs; an account with less buys nothing. */
const ONE_DOMAIN_CENTS = 1_500;

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

export function creditAnswer(
  cents: number,
  { isOnlyWayToPay }: { isOnlyWayToPay: boolean },
): AccountAnswer {
  const found = `${dollars(cents)} of credit`;
  if (cents >= ONE_DOMAIN_CENTS) return fine(found);
  if (isOnlyWayToPay) return wrong(`${found}: no domain can be paid`, 'Add credit in the console.');
  return {
    state: 'warning',
    found: `${found}: only a payment method of the account can pay a domain`,
    cure: 'Add credit, or see that the account has a payment method that is charged.',
  };
}

export function priceAnswer({ priceCents, renewalCents }: DomainQuote): AccountAnswer {
  if (priceCents === null) {
    return wrong('a .com has no price', 'Ask the registrar whether the account may buy.');
  }
  const renewal = renewalCents === null ? 'unknown' : dollars(renewalCents);
  return fine(`a .com costs ${dollars(priceCents)}, its renewal ${renewal}`);
}

/** A name that nobody has. */
export const unusualName = () => `outreach-doctor-${randomBytes(8).toString('hex')}.com`;
