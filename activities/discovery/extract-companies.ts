/** Step `extract_companies`: the advertisers behind the ads, each once. */
import type { Transaction } from 'kysely';
import {
  insertCompanies,
  listSuppressedDomains,
  takeAds,
  type NewProcessCompany,
  type ProcessAd,
} from '../../src/db/discovery/lead-process-companies.ts';
import type { LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import type { Database } from '../../src/db/tables.ts';
import { advertiserOf } from '../../src/domain/discovery/ad-landing.ts';
import { ALL_COUNTRIES } from '../../src/domain/discovery/discovery.ts';
import {
  closePage,
  currentRun,
  enterStep,
  whileActive,
  type DiscoveryContext,
  type DiscoveryInput,
  type DiscoveryPage,
} from './process.ts';

/** Ads of one transaction: their companies go into one statement. */
const BATCH = 500;

/** Handles all waiting ads; each is removed in the transaction that writes its company. */
export async function extractCompanies(
  context: DiscoveryContext,
  { processId }: DiscoveryInput,
): Promise<DiscoveryPage> {
  const run = currentRun(context);
  let hasMore = (await enterStep(context, processId, 'extract_companies')) !== undefined;
  while (hasMore && !run.isOver()) {
    run.signal.throwIfAborted();
    const taken = await whileActive(context, processId, async (trx, process) => {
      const ads = await takeAds(trx, processId, BATCH);
      const companies = companiesOf(process, ads);
      await insertCompanies(trx, await withoutSuppressed(trx, process.user_id, companies));
      return ads.length;
    });
    hasMore = taken === BATCH;
  }
  return closePage(context, processId, 'extract_companies');
}

/** Companies that the user must not write to are neither visited nor looked up. */
async function withoutSuppressed(
  trx: Transaction<Database>,
  userId: string,
  companies: NewProcessCompany[],
): Promise<NewProcessCompany[]> {
  const domains = companies.flatMap(({ domain }) => domain ?? []);
  const suppressed = await listSuppressedDomains(trx, userId, domains);
  return companies.map((company) =>
    suppressed.has(company.domain ?? '')
      ? { ...company, state: 'unusable', reason: 'its domain is on the suppression list' }
      : company,
  );
}

/** One row per advertiser, taken from its first ad. */
function companiesOf(process: LeadProcess, ads: readonly ProcessAd[]): NewProcessCompany[] {
  const only = process.countries.length === 1 ? process.countries[0]! : ALL_COUNTRIES;
  const byKey = new Map<string, NewProcessCompany>();
  for (const ad of ads) {
    const advertiser = advertiserOf({
      pageId: ad.page_id,
      pageName: ad.page_name,
      landing: ad.landing,
    });
    if (!advertiser || byKey.has(advertiser.key)) continue;
    const { key, name, domain, website, countryCode } = advertiser;
    byKey.set(key, {
      process_id: process.id,
      key,
      name,
      domain,
      website,
      country_code: countryCode ?? (only === ALL_COUNTRIES ? null : only),
      ad_id: ad.ad_id,
      ad_url: ad.ad_url,
      vendor: ad.vendor,
      // Without a site it cannot be looked up: finders know companies by their domain.
      ...(domain === null && { state: 'unusable', reason: 'its ads lead to no site of its own' }),
    });
  }
  return [...byKey.values()];
}
