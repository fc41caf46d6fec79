/** A provider may show late what it has done: until then "not found" proves nothing. */
import type { Context } from '../../src/context.ts';
import { endRequest, type ProviderResource } from '../../src/db/operations/provider-resources.ts';
import { ProviderError } from '../../src/domain/errors.ts';

/** The most calls that an adapter makes up to the one that creates: find, ask the price, create. */
const CALLS_PER_REQUEST = 3;

type Clock = Pick<Context, 'config' | 'clock'>;

/** The latest time at which a request that begins now can still be under way, with so many calls. */
export const latestEnd = ({ config, clock }: Clock, calls = CALLS_PER_REQUEST): Date =>
  new Date(clock.now().getTime() + calls * config.PROVIDER_TIMEOUT_SECONDS * 1_000);

/** Runs the request of an intent; when no answer came, records until when it may be under way. */
export async function runRequest<T>(
  context: Clock & Pick<Context, 'db'>,
  intent: ProviderResource,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'outcome_unknown') {
      await endRequest(context.db, intent.id, context.clock.now());
    }
    throw error;
  }
}

/** Whether the effect of the last request would be visible by now. */
export const isConsistencyLagOver = (
  { config, clock }: Clock,
  { asked_until }: ProviderResource,
  lagSeconds = config.PROVIDER_LAG_SECONDS,
): boolean => clock.now().getTime() >= asked_until.getTime() + lagSeconds * 1_000;

/** The value for `asked_until` when a request has certainly made nothing: its lag is over. */
export const nothingUnderWay = ({ config, clock }: Clock): Date =>
  new Date(clock.now().getTime() - config.PROVIDER_LAG_SECONDS * 1_000);

/** Throws `not_ready` while the effect of the last request may still appear. */
export function assertConsistencyLagIsOver(
  context: Clock,
  intent: ProviderResource,
  lagSeconds?: number,
): void {
  if (isConsistencyLagOver(context, intent, lagSeconds)) return;
  throw new ProviderError('not_ready', 'Waiting until the provider shows what it did', {
    provider: intent.provider,
  });
}
