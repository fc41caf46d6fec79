/** A provider may show late what it has done: until then "not found" proves nothing. */
import type { Context } from '../src/context.ts';
import type { ProviderResource } from '../src/db/provider-resources.ts';
import { ProviderError } from '../src/domain/errors.ts';

/** Throws `not_ready` while the last request is so young that its effect may still appear. */
export function assertLagIsOver(
  context: Pick<Context, 'config' | 'clock'>,
  intent: ProviderResource,
): void {
  const ageMs = context.clock.now().getTime() - intent.updated_at.getTime();
  if (ageMs >= context.config.PROVIDER_LAG_SECONDS * 1_000) return;
  throw new ProviderError('not_ready', 'Waiting until the provider shows what it did', {
    provider: intent.provider,
  });
}
