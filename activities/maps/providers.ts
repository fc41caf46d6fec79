/** Which provider searches for a run, and when it is left for the next one. Choice 63. */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { updateMapsRun, type MapsRun } from '../../src/db/maps-runs.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { MapsProvider } from '../../src/providers/maps/port.ts';

/** What a search is recognised by at the provider; the same for all attempts. */
export const tokenOf = (run: MapsRun, provider: MapsProvider): string =>
  `maps-run/${run.id}/${provider.name}`;

/** The run's provider, or the first that has not refused it. */
export function providerOf({ maps }: Pick<Context, 'maps'>, run: MapsRun): MapsProvider {
  const provider = maps[run.provider] ?? alternatesOf({ maps }, run)[0];
  if (provider && !run.refused.includes(provider.name)) return provider;
  throw new ProviderError('auth', `The map search ${run.provider} is not configured`, {
    provider: run.provider,
    operatorHint: 'Configure APIFY_TOKEN or GOOGLE_PLACES_KEY.',
  });
}

/** Providers that were not asked yet, in order. */
const alternatesOf = ({ maps }: Pick<Context, 'maps'>, run: MapsRun): MapsProvider[] =>
  Object.values(maps).filter(({ name }) => name !== run.provider && !run.refused.includes(name));

/** Kinds that no repeat cures: another provider may do it. Choice 63. */
const FOR_GOOD = new Set(['auth', 'quota', 'rejected']);
/** After so many attempts (about ten minutes) a provider that is down is given up, too. */
const PATIENT_ATTEMPTS = 15;

export const isForGood = ({ kind }: ProviderError): boolean =>
  FOR_GOOD.has(kind) || ActivityContext.current().info.attempt >= PATIENT_ATTEMPTS;

/** Goes over to the next provider where this one refuses for good; false = there is none. */
export async function leaveProvider(
  context: Pick<Context, 'db' | 'maps' | 'logger'>,
  run: MapsRun,
  { error, provider }: { error: ProviderError; provider: MapsProvider },
): Promise<boolean> {
  const [next] = alternatesOf(context, { ...run, provider: provider.name });
  if (!isForGood(error) || !next) return false;
  context.logger.warn(
    { runId: run.id, err: error },
    `${provider.name} refused, ${next.name} is asked`,
  );
  await updateMapsRun(context.db, run.id, {
    provider: next.name,
    refused: [...run.refused, provider.name],
    notes: [...run.notes, `${next.name} was used because ${provider.name} refused (${error.kind})`],
    cursor: null,
  });
  return true;
}
