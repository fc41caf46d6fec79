/**
 * The same scores through the crawler: requests, charsets, the choice of pages
 * (docs/benchmarks.md#numbers).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeSites } from '../../../corpus/sites.ts';
import {
  loadCorpus,
  precision,
  realCorpusFolder,
  recall,
  scoreSites,
} from '../../../support/websites/contacts-corpus.ts';
import { crawlSites } from '../../../support/websites/contacts-crawl.ts';
import { startWebWorld, type WebWorld } from '../../../support/websites/web-world.ts';

const folder = realCorpusFolder();
/** Politeness: a quarter of a second between two pages of a site. */
const TIMEOUT_MS = 120_000;

let world: WebWorld;
beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());

describe('sites that are visited', () => {
  it(
    'yield their contacts and no decoy, when they are our own',
    { timeout: TIMEOUT_MS },
    async () => {
      // The small sites around one case each are of few domains, which a visitor is slow on.
      const sites = wholeSites();
      const found = await crawlSites(world, sites);
      const { tallies, decoys } = await scoreSites(sites, ({ host }) => found.get(host)!);
      expect(decoys).toEqual([]);
      for (const tally of Object.values(tallies)) {
        expect(precision(tally)).toBeGreaterThanOrEqual(0.99);
        expect(recall(tally)).toBeGreaterThanOrEqual(0.98);
      }
    },
  );

  it.skipIf(!folder)(
    `yield their contacts, when they are real${folder ? '' : ' (skipped: CONTACTS_CORPUS_DIR does not name them)'}`,
    { timeout: TIMEOUT_MS },
    async () => {
      const sites = await loadCorpus(folder!);
      const found = await crawlSites(world, sites);
      const { tallies } = await scoreSites(sites, ({ host }) => found.get(host)!);
      expect(precision(tallies.emails)).toBeGreaterThanOrEqual(0.96);
      expect(recall(tallies.emails)).toBeGreaterThanOrEqual(0.94);
      for (const tally of [tallies.phones, tallies.socials]) {
        expect(precision(tally)).toBeGreaterThanOrEqual(0.95);
        expect(recall(tally)).toBeGreaterThanOrEqual(0.92);
      }
    },
  );
});
