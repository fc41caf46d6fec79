/**
 * What is known of an address, and how a campaign treats it: implemented independently of the product.
 */

export interface Verdict {
  status: 'valid' | 'risky' | 'unknown' | 'invalid' | null;
  reason: string | null;
  score: number | null;
}

export const UNVERIFIED: Verdict = { status: null, reason: null, score: null };

/** As validation reports them; a greylisted address counts as unknown. */
export const VERDICTS: readonly Verdict[] = [
  { status: 'valid', reason: 'accepted', score: 95 },
  { status: 'risky', reason: 'catch_all', score: 60 },
  { status: 'unknown', reason: 'greylisted', score: 40 },
  { status: 'unknown', reason: 'timeout', score: 40 },
  { status: 'invalid', reason: 'no_such_user', score: 0 },
];

type Choice = 'allow' | 'hold';

/** A campaign's choice. */
export interface AddressChoice {
  minValidationScore: number | null;
  riskyAddresses: { catchAll: Choice; unknown: Choice; role: Choice };
}

export const ALL_ALLOWED: AddressChoice = {
  minValidationScore: null,
  riskyAddresses: { catchAll: 'allow', unknown: 'allow', role: 'allow' },
};

export const CATCH_ALL_HELD: AddressChoice = {
  minValidationScore: null,
  riskyAddresses: { ...ALL_ALLOWED.riskyAddresses, catchAll: 'hold' },
};

/** Whether the campaign holds its messages to the address back: choice 29. */
export function isHeld(choice: AddressChoice, verdict: Verdict, address: string): boolean {
  const { minValidationScore: least, riskyAddresses: of } = choice;
  return (
    (of.catchAll === 'hold' && verdict.reason === 'catch_all') ||
    (of.unknown === 'hold' && verdict.status === 'unknown') ||
    (of.role === 'hold' && address.startsWith('info@')) ||
    (least !== null && (verdict.score ?? 0) < least)
  );
}
