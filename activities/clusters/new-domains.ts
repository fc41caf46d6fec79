/** Domains that were just bought, and that their registrar takes for unknown for a while. */
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { ProviderError } from '../../src/domain/errors.ts';

/** While a purchase is so young it is waited for; later somebody has to look where the domain is. */
const LISTED_WITHIN_MS = DAY_MS;
/** Between two attempts to use it: some minutes in all, where six in a row would be over within one. */
const UNLISTED_WAIT_MS = 120_000;

/** `not_ready` for the refusal of a domain that is yet to be listed; any other error as it is. */
export async function asYetToBeListed(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  clusterId: number,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ProviderError) || !error.facts.isUnlisted) return error;
  const { domain_id } = await getCluster(db, clusterId);
  const { purchased_at: boughtAt } = await getDomain(db, domain_id);
  const isNew = boughtAt !== null && clock.now().getTime() < boughtAt.getTime() + LISTED_WITHIN_MS;
  if (!isNew) return error;
  const retryAfterMs = UNLISTED_WAIT_MS * config.RETRY_PACE;
  return new ProviderError('not_ready', error.message, { ...error.facts, retryAfterMs });
}
