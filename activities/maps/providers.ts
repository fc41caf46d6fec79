/** Which provider searches for a run, and when the next one takes over. Choice 63. */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { updateMapsRun, type MapsRun } from '../../src/db/maps/maps-runs.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { vendorTrouble } from '../../src/domain/vendor-trouble.ts';
import type { MapsProvider } from '../../src/providers/maps/port.ts';

/**
 * The token by which the provider recognises a search; the same for all attempts. Ids repeat after a restore, and in
 * another installation that shares the provider's account: what is adopted by its token needs a unique one.
 */
export const tokenOf = ({ id, run_key }: MapsRun, provider: MapsProvider): string =>
  [`maps-run/${id}/${provider.name}`, run_key].filter((part) => part !== null).join('/');

/** The run's provider, or the first that has not refused it. */
export function providerOf({ maps }: Pick<Context, 'maps'>, run: MapsRun): MapsProvider {
  const own = maps[run.provider];
  const isUsable = own && !run.refused.includes(own.name);
  if (isUsable && canSearch(own, run)) return own;
  const [other] = alternatesOf({ maps }, run);
  // A provider that refused was replaced by another one then.
  if (other && (!own || isUsable)) return other;
  if (isUsable) {
    const message = own.shortcomings(run.search).join('. ');
    throw new ProviderError('rejected', message, { provider: own.name });
  }
  throw new ProviderError('auth', `The map search ${run.provider} is not configured`, {
    provider: run.provider,
    operatorHint: 'Configure APIFY_TOKEN or GOOGLE_PLACES_KEY.',
  });
}

/** Providers that were not asked yet and can do at least part of the search, in order. */
const alternatesOf = ({ maps }: Pick<Context, 'maps'>, run: MapsRun): MapsProvider[] =>
  Object.values(maps).filter(
    (one) => one.name !== run.provider && !run.refused.includes(one.name) && canSearch(one, run),
  );

const canSearch = (provider: MapsProvider, { search }: MapsRun): boolean =>
  provider.canSearch?.(search) ?? true;

/** A failure in our words; the vendor's are in the log. Choice 46. */
export const inOurWords = (provider: MapsProvider, error: ProviderError): ProviderError =>
  new ProviderError(error.kind, `The map search failed: ${vendorTrouble(provider.name, error)}`, {
    ...error.facts,
  });

/** Kinds of failure that no retry heals: another provider may do it. Choice 63. */
const FOR_GOOD = new Set(['auth', 'quota', 'rejected']);
/** After this many attempts (about ten minutes; an hour and a half where our own runs hold its places) it is given up, too. */
export const PATIENT_ATTEMPTS = 15;

export const isForGood = ({ kind }: ProviderError): boolean =>
  FOR_GOOD.has(kind) || ActivityContext.current().info.attempt >= PATIENT_ATTEMPTS;

/** Switches to the next provider where this one refuses for good; false = there is none. */
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
    notes: [...run.notes, `${vendorTrouble(provider.name, error)}; ${next.name} was used instead`],
    cursor: null,
  });
  return true;
}
