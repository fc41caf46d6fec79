/** Maps runs: pages of places, enrichment, import. */
import type { Context } from '../src/context.ts';
import { mapsEnrichActivities } from './maps/enrich.ts';
import { mapsImportActivities } from './maps/import.ts';
import { mapsScrapeActivities } from './maps/scrape.ts';
import { mapsStartActivities } from './maps/start.ts';

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
