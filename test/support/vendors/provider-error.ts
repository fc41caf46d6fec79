/** The ProviderError that a promise was rejected with. */
import { ProviderError } from '../../../src/domain/errors.ts';

/** Answers the ProviderError; fails when the promise resolves or rejects with anything else. */
export async function providerError(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (outcome instanceof ProviderError) return outcome;
  throw outcome;
}
