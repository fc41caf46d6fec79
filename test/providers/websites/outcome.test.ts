/** What a failed request tells about a site: whether another address of it may work. */
import { expect, test } from 'vitest';
import { ProviderError } from '../../../src/domain/errors.ts';
import {
  connectionTrouble,
  stopError,
  TIMED_OUT,
} from '../../../src/providers/websites/outcome.ts';

const dialled = (why: string, providerCode: string) =>
  new ProviderError('unavailable', `website: cannot reach 192.0.2.1:443 (${why})`, {
    provider: 'website',
    providerCode,
  });

test.each([
  ['a firewall that drops', dialled('timed out', 'unreachable'), 'no-answer'],
  ['the system gives up', dialled('ETIMEDOUT', 'ETIMEDOUT'), 'no-answer'],
  ['a page that takes too long', stopError(TIMED_OUT), undefined],
])('%s', (_what, error, cause) => {
  const trouble = connectionTrouble('acme.com', error);
  expect(trouble).toMatchObject({
    state: 'unreachable',
    reason: 'acme.com did not answer in time.',
  });
  expect(trouble.cause).toBe(cause);
});
