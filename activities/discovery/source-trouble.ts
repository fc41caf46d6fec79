/** What a discovery does when an ad library fails: try again, then another one. Choice 63. */
import {
  insertSources,
  listSources,
  updateSource,
} from '../../src/db/discovery/lead-process-sources.ts';
import type { LeadProcessSource } from '../../src/db/discovery/lead-process-sources.ts';
import type { LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import { placesOf, planSearches } from '../../src/domain/discovery/discovery.ts';
import { OutreachError, ProviderError, type ProviderErrorKind } from '../../src/domain/errors.ts';
import { vendorTrouble } from '../../src/domain/vendor-trouble.ts';
import { whileActive, type DiscoveryContext } from './process.ts';

/** With the waits between attempts, about ten minutes; an hour where our own searches hold its places. */
const MAX_FAILURES = 12;

type Trouble = ProviderError | OutreachError;

/** Whether the vendor failed, rather than our own code. */
export const isTrouble = (error: unknown): error is Trouble =>
  error instanceof ProviderError ||
  (error instanceof OutreachError && error.code === 'NO_AD_LIBRARY');

/** True when the same library is to be asked again later. Counts consecutive failures. */
export async function noteTrouble(
  context: DiscoveryContext,
  source: LeadProcessSource,
  error: Trouble,
): Promise<boolean> {
  context.logger.warn({ err: error, vendor: source.vendor }, 'an ad library failed');
  if (!(error instanceof ProviderError) || !HEALS[error.kind]) return false;
  const failures = source.failures + 1;
  const isBegun = error.kind === 'outcome_unknown';
  await updateSource(context.db, source.id, { failures, ...(!isBegun && { asked_at: null }) });
  return failures < MAX_FAILURES;
}

/** Gives this library's remaining work to the next one that covers it. */
export async function giveUpSource(
  context: DiscoveryContext,
  process: LeadProcess,
  { source, error }: { source: LeadProcessSource; error: Trouble },
): Promise<boolean> {
  const isOurs = !(error instanceof ProviderError);
  const words = isOurs ? error.message : vendorTrouble(source.vendor, error);
  const given = await whileActive(context, process.id, async (trx) => {
    const sources = await listSources(trx, process.id);
    const failed = new Set(sources.filter(({ state }) => state === 'failed').map((s) => s.vendor));
    const left = Object.values(context.adLibraries).filter(
      ({ name }) => name !== source.vendor && !failed.has(name),
    );
    const { searches, uncovered } = planSearches(source.countries, left);
    const note =
      searches.length === 0
        ? words
        : uncovered.length === 0
          ? `${words}; ${searches.map(({ vendor }) => vendor).join(' and ')} was used instead`
          : `${words}; ${placesOf(uncovered)}: not searched`;
    await updateSource(trx, source.id, {
      state: 'failed',
      note: [source.note, note].filter(Boolean).join('. '),
      error_code: codeOf(error),
    });
    await insertSources(
      trx,
      process.id,
      searches.map((search) => ({ ...search, note: `Used because ${words}` })),
    );
    return true;
  });
  return given === true;
}

const codeOf = (error: Trouble): string =>
  error instanceof ProviderError ? CODES[error.kind] : error.code;

/** The same codes as `clientError` in the workflows. */
const CODES: Record<ProviderErrorKind, string> = {
  rejected: 'PROVIDER_REJECTED',
  unavailable: 'PROVIDER_UNAVAILABLE',
  rate_limited: 'RATE_LIMITED',
  auth: 'PROVIDER_AUTH',
  quota: 'QUOTA_EXCEEDED',
  not_ready: 'PROVIDER_UNAVAILABLE',
  outcome_unknown: 'PROVIDER_UNAVAILABLE',
};

/**
 * Whether a retry can help. A repeated search costs nothing: its token finds the one whose answer was
 * lost.
 */
const HEALS: Record<ProviderErrorKind, boolean> = {
  rejected: false,
  unavailable: true,
  rate_limited: true,
  auth: false,
  quota: false,
  not_ready: true,
  outcome_unknown: true,
};
