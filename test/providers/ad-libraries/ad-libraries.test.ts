/** The port of ad libraries: every adapter against its stand-in, by the port's MUST sentences. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adLibraries } from '../../../src/providers/ad-libraries/index.ts';
import type { Ad, AdLibrary, AdSearch } from '../../../src/providers/ad-libraries/port.ts';
import { providerError } from '../../support/vendors/provider-error.ts';
import {
  LOST_AFTER_MS,
  startTestSandbox,
  type TestSandbox,
} from '../../support/vendors/sandbox.ts';

const TOKENS = { meta: 'meta-sandbox-token', apify: 'apify-sandbox-token' };
const ADS = 70;

let sandbox: TestSandbox;
beforeAll(async () => {
  // Runs of the actor take seconds of the world.
  sandbox = await startTestSandbox({ pace: 40 });
  const rows = Array.from({ length: ADS }, (_, n) => ({
    id: `70000000${n}`,
    page_id: `page-${n}`,
    page_name: `Bakery ${n}`,
    ad_creative_bodies: ['Fresh rye bread every morning'],
    ad_creative_link_captions: [`bakery-${n}.test`],
    countries: ['DE'],
  }));
  const american = { ...rows[0]!, id: '800000001', countries: ['US'], page_name: 'Diner' };
  await sandbox.control('PUT', '/ads', { ads: [...rows, american] });
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox?.remove());

type Name = keyof typeof adLibraries;

function library(name: Name, changed: Record<string, string> = {}, timeoutMs = 15_000): AdLibrary {
  const environment = {
    META_TOKEN: TOKENS.meta,
    META_URL: `${sandbox.url}/meta`,
    APIFY_TOKEN: TOKENS.apify,
    APIFY_URL: `${sandbox.url}/apify`,
    ...changed,
  };
  const state = adLibraries[name].configure(environment);
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs, outboundProxy: undefined });
}

const search = (change: Partial<AdSearch> = {}): AdSearch => ({
  searchTerm: 'rye bread',
  countries: ['DE'],
  maxAds: 500,
  ...change,
});
const fault = (vendor: string, kind: string, operation?: string) =>
  sandbox.control('POST', '/faults', { vendor, kind, times: 1, ...(operation && { operation }) });

/** Every ad of a search, and the cursors that were seen. */
async function readAll(one: AdLibrary, wanted: AdSearch, limit = 30, token = `t-${Math.random()}`) {
  const ads: Ad[] = [];
  const cursors: string[] = [];
  const endedEarly: string[] = [];
  let cursor: string | null = await one.begin(wanted, token);
  while (cursor !== null) {
    cursors.push(cursor);
    const page = await one.page(wanted, cursor, limit);
    ads.push(...page.ads);
    if (page.endedEarly !== null) endedEarly.push(page.endedEarly);
    if (page.isRunning && page.ads.length === 0) await sleep(50);
    cursor = page.cursor;
  }
  return { ads, cursors, endedEarly };
}

/** Runs that end by a vendor's own time-out. */
const LONG = { timeout: 180_000 };

describe.each(['meta', 'apify'] as const)('%s', (name) => {
  it('finds every ad of a search, each with its page and where it leads', async () => {
    const { ads, cursors } = await readAll(library(name), search());
    expect(new Set(ads.map(({ adId }) => adId)).size).toBe(ADS);
    expect(cursors.length).toBeGreaterThan(2);
    const first = ads.find(({ adId }) => adId === '700000000');
    expect(first).toMatchObject({ pageId: 'page-0', pageName: 'Bakery 0' });
    expect(first!.landing).toContain('bakery-0.test');
    expect(first!.adUrl).toBe('https://www.facebook.com/ads/library/?id=700000000');
  });

  it('gives the same ads for the same cursor, or later ones', async () => {
    const one = library(name);
    const { cursors } = await readAll(one, search());
    const at = cursors.find((cursor) => cursor !== cursors[0])!;
    const again = await one.page(search(), at, 30);
    expect((await one.page(search(), at, 30)).ads).toEqual(again.ads);
  });

  it('answers nothing for a search that finds nothing', async () => {
    const { ads } = await readAll(library(name), search({ searchTerm: 'zeppelin rides' }));
    expect(ads).toEqual([]);
  });

  it('holds no token in any cursor, ad or error', async () => {
    const one = library(name);
    const { ads, cursors } = await readAll(one, search());
    expect(JSON.stringify([ads, cursors])).not.toContain(TOKENS[name]);
    await fault(name, 'error_500', name === 'meta' ? undefined : 'GET /actor-runs/{id}');
    const error = await providerError(one.page(search(), cursors[0]!, 30));
    expect(error.message + JSON.stringify(error.facts)).not.toContain(TOKENS[name]);
  });

  it.each([
    ['error_500', 'unavailable'],
    ['reset', 'unavailable'],
    ['timeout_before_effect', 'unavailable'],
    ['rate_limited', 'rate_limited'],
    ['auth', 'auth'],
  ])('after %s a page is %s', async (kind, expected) => {
    const cursor = await library(name).begin(search(), `fault-${kind}`);
    const one = kind.startsWith('timeout') ? library(name, {}, LOST_AFTER_MS) : library(name);
    await fault(name, kind, name === 'meta' ? undefined : 'GET /actor-runs/{id}');
    expect((await providerError(one.page(search(), cursor, 30))).kind).toBe(expected);
  });

  it('tells an operator about wrong credentials', async () => {
    const wrong = name === 'meta' ? { META_TOKEN: 'wrong-token' } : { APIFY_TOKEN: 'wrong-token' };
    const error = await providerError(readAll(library(name, wrong), search()));
    expect(error.kind).toBe('auth');
    expect(error.facts.operatorHint).toContain(Object.keys(wrong)[0]);
    expect(error.message).not.toContain('wrong-token');
  });

  it('ends what runs, twice without harm', async () => {
    const one = library(name);
    const cursor = await one.begin(search(), 'to-be-ended');
    await one.end(cursor);
    await expect(one.end(cursor)).resolves.toBeUndefined();
  });

  it('stops at once when it is told to', async () => {
    const one = library(name);
    const cursor = await one.begin(search(), 'to-be-aborted');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(one.page(search(), cursor, 30, signal)).rejects.toThrow('stopped');
  });
});

describe('meta', () => {
  it('covers the EU and the UK and nothing else', () => {
    const one = library('meta');
    expect(['DE', 'FR', 'GB', 'IE'].every((code) => one.covers(code))).toBe(true);
    expect(['US', 'CH', 'NO', 'ALL'].some((code) => one.covers(code))).toBe(false);
  });

  it('asks for less when that is too much, goes on, and remembers it in the cursor', async () => {
    const heavy = search({ searchTerm: 'rye bread heavy' });
    const { ads, cursors } = await readAll(library('meta'), heavy, 200);
    expect(new Set(ads.map(({ adId }) => adId)).size).toBe(ADS);
    const { body } = await sandbox.control('GET', '/requests?vendor=meta');
    const tries = body.requests;
    const limits = tries
      .filter(({ path }: { path: string }) => path.includes('heavy'))
      .map(({ path }: { path: string }) => Number(/[?&]limit=(\d+)/.exec(path)![1]));
    expect(limits.slice(0, 3)).toEqual([200, 100, 50]);
    expect(limits.slice(3).every((limit: number) => limit <= 50)).toBe(true);
    expect(cursors[1]).toMatch(/^50:/);
  });

  it('says what an operator has to confirm when the app is not allowed', async () => {
    await fault('meta', 'rejected');
    const error = await providerError(library('meta').page(search(), '0:', 30));
    expect(error).toMatchObject({ kind: 'auth', facts: { providerCode: '10/2332002' } });
    expect(error.facts.operatorHint).toContain('facebook.com/ID');
  });

  it('sends its token in a header, never in an address', async () => {
    await readAll(library('meta'), search());
    const { body } = await sandbox.control('GET', '/requests?vendor=meta');
    const paths = body.requests.map(({ path }: { path: string }) => path);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path: string) => path.includes('access_token'))).toEqual([]);
  });
});

describe('apify', () => {
  it('aborts a run that is still at work', async () => {
    const one = library('apify');
    const cursor = await one.begin(search({ searchTerm: 'slow-rye bread' }), 'slow');
    await one.end(cursor);
    const { body } = await sandbox.control('GET', '/books');
    const run = body.apify.runs.find(({ id }: { id: string }) => cursor.startsWith(id));
    expect(run.status).toMatch(/^ABORT/);
  });

  it('covers every country, and everything at once', async () => {
    const one = library('apify');
    expect(['DE', 'US', 'ALL'].every((code) => one.covers(code))).toBe(true);
    const { ads } = await readAll(one, search({ countries: ['ALL'] }));
    expect(ads).toHaveLength(ADS + 1);
  });

  it('reads an ad of two countries that came twice, and wants no more than it may pay for', async () => {
    const { ads } = await readAll(
      library('apify'),
      search({ countries: ['DE', 'US'], maxAds: 60 }),
    );
    expect(ads.length).toBeLessThanOrEqual(61);
  });

  it('starts one run per token, also when the answer to the start was lost', async () => {
    const one = library('apify', {}, LOST_AFTER_MS);
    await fault('apify', 'timeout_after_effect', 'POST /actors/{id}/runs');
    const lost = await providerError(one.begin(search(), 'lost-start'));
    expect(lost.kind).toBe('outcome_unknown');
    const runs = async () => (await sandbox.control('GET', '/books')).body.apify.runs.length;
    const before = await runs();
    const cursor = await one.begin(search(), 'lost-start');
    expect(await one.begin(search(), 'lost-start')).toBe(cursor);
    expect(await runs()).toBe(before);
  });

  it('pins the build of the actor', async () => {
    await library('apify').begin(search(), 'pinned');
    const { body } = await sandbox.control('GET', '/requests?vendor=apify');
    expect(JSON.stringify(body)).toContain('build=2.7.25');
  });

  it(
    'is `rejected` when the run fails without an ad, and takes what a timed-out one has',
    LONG,
    async () => {
      const failed = await providerError(
        readAll(library('apify'), search({ searchTerm: 'fail-rye' })),
      );
      expect(failed).toMatchObject({ kind: 'rejected', facts: { providerCode: 'FAILED' } });
      const short = await readAll(library('apify'), search({ searchTerm: 'timeout-rye bread' }));
      expect(short.ads).toHaveLength(ADS / 2);
      expect(short.endedEarly).toEqual(['The search ended early: it took too long']);
      expect((await readAll(library('apify'), search())).endedEarly).toEqual([]);
    },
  );
});
