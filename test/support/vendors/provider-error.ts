/** What a provider's promise was refused with. */
import { ProviderError } from '../../../src/domain/errors.ts';

/** Answers the ProviderError; fails when the promise is kept or broken by anything else. */
export async function providerError(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (outcome instanceof ProviderError) return outcome;
  throw outcome;
}
