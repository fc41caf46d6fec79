/** Maps runs: pages of places, enrichment, import. */
import type { Context } from '../../src/context.ts';
import { mapsEnrichActivities } from './enrich.ts';
import { mapsImportActivities } from './import.ts';
import { mapsScrapeActivities } from './scrape.ts';
import { mapsStartActivities } from './start.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'clock' | 'logger' | 'maps' | 'websites' | 'emailChecker'
>;

export const mapsActivities = (context: Needs) => ({
  ...mapsStartActivities(context),
  ...mapsScrapeActivities(context),
  ...mapsEnrichActivities(context),
  ...mapsImportActivities(context),
});
