/** Whether a campaign may write to an address, by its verdict: only an invalid one is always excluded. */
import type { HoldReason } from './campaigns.ts';
import { isRoleAddress } from '../email-validation/email-roles.ts';

/** Kinds of risky addresses about which each campaign decides. */
export const RISKY_KINDS = ['catchAll', 'unknown', 'role'] as const;
export type RiskyKind = (typeof RISKY_KINDS)[number];

/** `hold`: recipients with such an address wait until the verdict or the setting changes. */
export type RiskyAddresses = Record<RiskyKind, 'allow' | 'hold'>;

/** The held kinds: as before, unless the choice says otherwise. */
export const heldKinds = (
  choice: Partial<RiskyAddresses>,
  before: readonly RiskyKind[] = [],
): RiskyKind[] =>
  RISKY_KINDS.filter(
    (kind) => (choice[kind] ?? (before.includes(kind) ? 'hold' : 'allow')) === 'hold',
  );

export const riskyAddressesOf = (held: readonly RiskyKind[]): RiskyAddresses => ({
  catchAll: held.includes('catchAll') ? 'hold' : 'allow',
  unknown: held.includes('unknown') ? 'hold' : 'allow',
  role: held.includes('role') ? 'hold' : 'allow',
});

export interface AddressPolicy {
  /** An address without a score, or with a lower one, is held; null: none is. */
  minValidationScore: number | null;
  held: readonly RiskyKind[];
}

/** What a lead keeps of the verdict on its address; all null: it was never validated. */
export interface AddressVerdict {
  emailKey: string;
  score: number | null;
  status: string | null;
  reason: string | null;
}

/** The kinds of verdicts, each address has one. `risky`: full, disposable and the like. */
export const VERDICT_KINDS = [
  'valid',
  'catchAll',
  'risky',
  'unknown',
  'invalid',
  'unverified',
] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

export function verdictKindOf({ status, reason }: AddressVerdict): VerdictKind {
  if (status === null) return 'unverified';
  if (status === 'risky') return reason === 'catch_all' ? 'catchAll' : 'risky';
  return status === 'valid' || status === 'invalid' ? status : 'unknown';
}

/** A role address is recognised by the address alone, validated or not. */
export const isRole = ({ emailKey }: Pick<AddressVerdict, 'emailKey'>): boolean =>
  isRoleAddress(emailKey.slice(0, emailKey.lastIndexOf('@')));

/** Why a recipient with this address waits; null: nothing about the address holds it. */
export function addressHold(policy: AddressPolicy, verdict: AddressVerdict): HoldReason | null {
  const { minValidationScore: minimum, held } = policy;
  const kind = verdictKindOf(verdict);
  if (held.includes('catchAll') && kind === 'catchAll') return 'catch_all_address';
  if (held.includes('unknown') && kind === 'unknown') return 'unknown_address';
  if (held.includes('role') && isRole(verdict)) return 'role_address';
  if (minimum !== null && (verdict.score ?? 0) < minimum) return 'score_too_low';
  return null;
}

/** All of them. */
export const ADDRESS_HOLDS = [
  'catch_all_address',
  'unknown_address',
  'role_address',
  'score_too_low',
] as const satisfies readonly HoldReason[];

/** For what about their address a campaign leaves recipients out; another address is looked at anew. */
export const ADDRESS_SKIPS = [
  'suppressed',
  'no_email',
  'invalid_email',
  'duplicate_address',
  'already_contacted',
  'contacted_before',
] as const satisfies readonly HoldReason[];

/** The number of addresses by verdict; `role` and `held` are counted in addition. */
export type AddressCounts = Record<VerdictKind | 'role' | 'held', number>;

export function countAddresses(
  policy: AddressPolicy,
  verdicts: readonly AddressVerdict[],
): AddressCounts {
  const counts: AddressCounts = {
    valid: 0,
    catchAll: 0,
    risky: 0,
    unknown: 0,
    invalid: 0,
    unverified: 0,
    role: 0,
    held: 0,
  };
  for (const verdict of verdicts) {
    counts[verdictKindOf(verdict)] += 1;
    if (isRole(verdict)) counts.role += 1;
    if (addressHold(policy, verdict) !== null) counts.held += 1;
  }
  return counts;
}
