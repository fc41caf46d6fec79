/** Which addresses a campaign holds, by what their verdict says. */
import { describe, expect, it } from 'vitest';
import {
  addressHold,
  countAddresses,
  heldKinds,
  type AddressPolicy,
  type AddressVerdict,
} from '../../src/domain/campaigns/address-risk.ts';

const NO_RULE: AddressPolicy = { minValidationScore: null, held: [] };
const address = (
  emailKey: string,
  status: string | null,
  score: number | null = null,
  reason: string | null = null,
): AddressVerdict => ({ emailKey, status, score, reason });

const good = address('ann@x.test', 'valid', 95, 'mailbox_exists');
const catchAll = address('bob@x.test', 'risky', 60, 'catch_all');
const full = address('cat@x.test', 'risky', 40, 'full_inbox');
const unknown = address('dan@x.test', 'unknown', 40, 'greylisted');
const role = address('info@x.test', 'valid', 80, 'mailbox_exists');
const unverified = address('eve@x.test', null);
const all = [good, catchAll, full, unknown, role, unverified];

describe('addressHold', () => {
  it('holds nobody where the campaign has no rule', () => {
    expect(all.map((verdict) => addressHold(NO_RULE, verdict))).toEqual(all.map(() => null));
  });

  it.each([
    ['catchAll', catchAll, 'catch_all_address'],
    ['unknown', unknown, 'unknown_address'],
    ['role', role, 'role_address'],
  ] as const)('holds %s addresses alone where these are to be held', (kind, which, reason) => {
    const policy = { ...NO_RULE, held: [kind] };
    const held = all.filter((verdict) => addressHold(policy, verdict) !== null);
    expect(held).toEqual([which]);
    expect(addressHold(policy, which)).toBe(reason);
  });

  it('holds a role that was never validated', () => {
    const policy = { ...NO_RULE, held: ['role' as const] };
    expect(addressHold(policy, address('sales@x.test', null))).toBe('role_address');
  });

  it('holds scores below the minimum, and addresses without one', () => {
    const policy = { ...NO_RULE, minValidationScore: 60 };
    const held = all.filter((verdict) => addressHold(policy, verdict) === 'score_too_low');
    expect(held).toEqual([full, unknown, unverified]);
  });
});

it('a choice changes the kinds that it names', () => {
  expect(heldKinds({ unknown: 'hold' })).toEqual(['unknown']);
  expect(heldKinds({ role: 'hold', unknown: 'allow' }, ['catchAll', 'unknown'])).toEqual([
    'catchAll',
    'role',
  ]);
});

it('counts each address once by its verdict, and roles and held ones beside it', () => {
  const policy: AddressPolicy = { minValidationScore: 50, held: ['role'] };
  const invalid = address('gus@x.test', 'invalid', 0, 'mailbox_not_found');
  expect(countAddresses(policy, [...all, invalid])).toEqual({
    valid: 2,
    catchAll: 1,
    risky: 1,
    unknown: 1,
    invalid: 1,
    unverified: 1,
    role: 1,
    held: 5,
  });
});
