/** What Apify's refusals mean to whoever asked. */
import { expect, it } from 'vitest';
import { apifyRefusal } from '../../src/providers/apify-failures.ts';

const refusal = (status: number, type: string) =>
  apifyRefusal('apify', {
    status,
    headers: {},
    body: { error: { type, message: 'no' } },
    requestId: undefined,
    repeatable: true,
    operation: 'POST /runs',
  });

it.each(['actor-memory-limit-exceeded', 'concurrent-runs-limit-exceeded'])(
  '%s: other runs of ours hold all places',
  (type) => {
    const facts = { isBusy: true, retryAfterMs: 15_000, providerCode: type };
    expect(refusal(402, type)).toMatchObject({ kind: 'rate_limited', facts });
  },
);

it('too many requests is no want of places', () => {
  const error = refusal(429, 'rate-limit-exceeded');
  expect(error.kind).toBe('rate_limited');
  expect(error.facts.isBusy).toBeUndefined();
});
