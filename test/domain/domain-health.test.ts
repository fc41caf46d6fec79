/** Whether a registration lasts, as clients are told. Choice 25. */
import { describe, expect, it } from 'vitest';
import { checkExpiry } from '../../src/domain/domains/domain-health.ts';

const DAY_MS = 86_400_000;
const now = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
const check = (domain: Parameters<typeof checkExpiry>[0]) =>
  checkExpiry(domain, { now, warnDays: 30 });

describe('the expiry of a domain', () => {
  it.each([
    [20, true, 'ok', 'it renews by itself'],
    [20, false, 'warning', 'it does not renew by itself'],
    [200, false, 'ok', 'it does not renew by itself'],
    [-1, true, 'failing', 'It expired on'],
  ])('in %i days, automatic renewal %s, is %s', (days, autoRenew, state, words) => {
    const found = check({ expiresAt: inDays(days), autoRenew });
    expect(found.state).toBe(state);
    expect(found.message).toContain(words);
  });

  it.each([
    ['failed', true, /last renewal failed \(RENEWAL_ABOVE_CAP\); it is tried again every day/],
    ['failed', false, /last renewal failed \(RENEWAL_ABOVE_CAP\); it does not renew by itself/],
    ['blocked', true, /waits for an operator \(RENEWAL_ABOVE_CAP\)/],
  ] as const)('warns of a renewal that is %s, automatic: %s', (state, autoRenew, words) => {
    const trouble = { state, code: 'RENEWAL_ABOVE_CAP' };
    const found = check({ expiresAt: inDays(200), autoRenew, trouble });
    expect(found).toMatchObject({ state: 'warning', message: expect.stringMatching(words) });
  });
});
