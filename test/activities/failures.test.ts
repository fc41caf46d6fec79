/**
 * Which errors are retried, and what a workflow reads of them. docs/workflow-rules.md#kinds-of-failures.
 */
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  CancelledFailure,
} from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { asFailure } from '../../activities/engine/failures.ts';
import {
  OutreachError,
  ProviderError,
  type ErrorKind,
  type ProviderErrorKind,
} from '../../src/domain/errors.ts';

const read = (error: unknown) => {
  const failure = asFailure(error);
  if (!(failure instanceof ApplicationFailure)) throw new Error('not an ApplicationFailure');
  return failure;
};

/** `[type, retried]` for each kind; a kind that is missing does not compile. */
const PROVIDER: Record<ProviderErrorKind, [string, boolean]> = {
  rejected: ['ProviderRejected', false],
  auth: ['ProviderAuth', false],
  quota: ['QuotaExceeded', false],
  outcome_unknown: ['OutcomeUnknown', false],
  unavailable: ['ProviderUnavailable', true],
  rate_limited: ['RateLimited', true],
  not_ready: ['NotReadyYet', true],
};
const PRODUCT: Record<ErrorKind, [string, boolean]> = {
  invalid: ['Conflict', false],
  not_found: ['NotFound', false],
  payment_required: ['InsufficientFunds', false],
  unauthenticated: ['ProviderAuth', false],
  rate_limited: ['RateLimited', true],
  upstream: ['ProviderUnavailable', true],
  internal: ['ProviderUnavailable', true],
};

describe("a provider's error", () => {
  it.each(Object.entries(PROVIDER))('%s becomes %o', (kind, [type, isRetried]) => {
    const facts = { provider: 'p', providerCode: '7', requestId: 'r', operatorHint: 'h' };
    const error = new ProviderError(kind as ProviderErrorKind, 'no', { ...facts, retryAfterMs: 9 });
    const failure = read(error);
    expect([failure.type, !failure.nonRetryable]).toEqual([type, isRetried]);
    expect(failure.details).toEqual([facts]);
    const isTold = kind === 'rate_limited' || kind === 'not_ready';
    expect(failure.nextRetryDelay).toBe(isTold ? 9 : undefined);
    const isBenign = failure.category === ApplicationFailureCategory.BENIGN;
    expect(isBenign).toBe(kind === 'not_ready');
  });

  it.each([
    // A vendor that says "in a second" without knowing better must not use up all attempts in seconds.
    [1_000, 32_000, 32_000],
    [90_000, 32_000, 90_000],
    [undefined, 32_000, undefined],
  ])(
    'rate_limited for %s ms waits no less than a failure would: %i',
    (asked, backoffMs, waitMs) => {
      const facts = { provider: 'p', ...(asked && { retryAfterMs: asked }) };
      const failure = asFailure(new ProviderError('rate_limited', 'no', facts), {
        attempt: 6,
        backoffMs,
      });
      expect((failure as ApplicationFailure).nextRetryDelay).toBe(waitMs);
    },
  );

  it('busy: a place is waited for more and more patiently, ten minutes at most', () => {
    const facts = { provider: 'p', retryAfterMs: 15_000, isBusy: true };
    const waits = Array.from({ length: 14 }, (_, at) => {
      const tries = { attempt: at + 1, backoffMs: 1_000 };
      const failure = asFailure(new ProviderError('rate_limited', 'full', facts), tries);
      expect((failure as ApplicationFailure).details).toEqual([{ provider: 'p' }]);
      return Number((failure as ApplicationFailure).nextRetryDelay);
    });
    expect(waits.slice(0, 3)).toEqual([15_000, 30_000, 60_000]);
    expect(Math.max(...waits)).toBe(600_000);
    // Before another vendor is asked, which is at the fifteenth attempt.
    expect(waits.reduce((sum, one) => sum + one)).toBeGreaterThan(75 * 60_000);
  });

  it('has only characters that Postgres and Temporal can keep', () => {
    const facts = { provider: 'p', providerCode: '5\u00007', operatorHint: 'see \uD800 there' };
    const failure = read(new ProviderError('rejected', 'a\u0000b \uDC00', facts));
    expect(failure.message).toBe('ab \uFFFD');
    expect(failure.details).toEqual([
      { provider: 'p', providerCode: '57', operatorHint: 'see \uFFFD there' },
    ]);
    const cut = read(new ProviderError('rejected', `${'x'.repeat(1_999)}😀`, { provider: 'p' }));
    expect(cut.message).toBe(`${'x'.repeat(1_999)}\uFFFD`);
  });

  it('takes at most 2 kB of a history', () => {
    const facts = { provider: 'p' };
    const failure = read(new ProviderError('rejected', 'x'.repeat(100_000), facts));
    expect(failure.message).toHaveLength(2_000);
    expect(read(new OutreachError('invalid', 'X', 'x'.repeat(9_999))).message).toHaveLength(2_000);
  });
});

describe("the product's own error", () => {
  it.each(Object.entries(PRODUCT))('%s becomes %o', (kind, [type, isRetried]) => {
    const failure = read(new OutreachError(kind as ErrorKind, 'A_CODE', 'no'));
    expect([failure.type, !failure.nonRetryable]).toEqual([type, isRetried]);
    expect(failure.details).toEqual([{ clientCode: 'A_CODE' }]);
  });
});

describe('any other error', () => {
  it.each(['08006', '08003', '57P01', '53300', '40001', '40P01', 'ECONNREFUSED', 'ECONNRESET'])(
    'of the database with code %s heals alone',
    (code) => {
      const failure = read(Object.assign(new Error('gone'), { code }));
      expect([failure.type, failure.nonRetryable]).toEqual(['DatabaseUnavailable', false]);
    },
  );

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'of the pool, "%s", heals alone',
    (message) => {
      expect(read(new Error(message)).type).toBe('DatabaseUnavailable');
    },
  );

  it.each([
    new TypeError('a mistake of ours'),
    Object.assign(new Error('duplicate key'), { code: '23505' }),
    new CancelledFailure('stop'),
    ApplicationFailure.nonRetryable('decided already'),
    'a text',
  ])('passes as it is: %s', (error) => {
    expect(asFailure(error)).toBe(error);
  });
});
