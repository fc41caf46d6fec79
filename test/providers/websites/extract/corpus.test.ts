/**
 * Precision and recall on whole sites: our own, and real ones kept outside (docs/benchmarks.md#numbers).
 */
import { describe, expect, it } from 'vitest';
import { madeSites } from '../../../corpus/sites.ts';
import {
  loadCorpus,
  precision,
  realCorpusFolder,
  recall,
  scoreSites,
  walk,
  type Kind,
} from '../../../support/websites/contacts-corpus.ts';

const folder = realCorpusFolder();
/** Hundreds of pages, on machines that do other work as well. */
const TIMEOUT_MS = 90_000;

describe('our own sites', () => {
  it('are more than 40 with at least 150 pages in at least 8 languages', () => {
    const sites = madeSites();
    const pages = sites.flatMap((site) => Object.values(site.pages));
    expect(sites.length).toBeGreaterThanOrEqual(40);
    expect(pages.length).toBeGreaterThanOrEqual(150);
    expect(new Set(pages.map(({ body }) => body.toString('base64'))).size).toBe(pages.length);
    expect(new Set(sites.map(({ country }) => country)).size).toBeGreaterThanOrEqual(8);
  });

  it('yield their contacts and no decoy', { timeout: TIMEOUT_MS }, async () => {
    const { tallies, decoys } = await scoreSites(madeSites(), walk);
    expect(decoys).toEqual([]);
    for (const tally of Object.values(tallies)) {
      expect(precision(tally)).toBeGreaterThanOrEqual(0.99);
      expect(recall(tally)).toBeGreaterThanOrEqual(0.98);
    }
  });
});

describe.skipIf(!folder)(
  `real sites${folder ? '' : ' (skipped: CONTACTS_CORPUS_DIR does not name the labelled sites)'}`,
  () => {
    const goals: Record<Exclude<Kind, 'contactPages'>, [number, number]> = {
      emails: [0.96, 0.94],
      phones: [0.95, 0.92],
      socials: [0.95, 0.92],
    };

    it('yield their contacts as the goals ask', { timeout: TIMEOUT_MS }, async () => {
      const { tallies } = await scoreSites(await loadCorpus(folder!), walk);
      for (const [kind, [least, most]] of Object.entries(goals)) {
        expect(precision(tallies[kind as Kind])).toBeGreaterThanOrEqual(least);
        expect(recall(tallies[kind as Kind])).toBeGreaterThanOrEqual(most);
      }
    });
  },
);
