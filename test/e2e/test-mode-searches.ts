/** Magic searches by a test key: maps runs and discoveries that time out, fail and take long. */
import { expect, it } from 'vitest';
import { eventually, newName, type Account } from './account.ts';
import { testAccount, testModeOf, type TestModeWorld } from './test-mode-account.ts';

/** Those of docs/world.md that hold for maps and for the ad-library actor. */
export const TRIED_SEARCHES = ['timeout', 'fail', 'slow'] as const;

const PLACES = 12;
const ADS = 8;
const TIMEOUT_MS = 400_000;
const LIMIT_MS = 240_000;

/** A word that no other test searches for. */
const newWord = (): string => newName('search').replaceAll('-', '');

/** Places that this word finds, and no other. */
async function placesOf(shared: TestModeWorld): Promise<string> {
  const word = newWord();
  const places = Array.from({ length: PLACES }, (_, n) => ({
    placeId: `${word}-${n}`,
    title: `${word} ${n}`,
    city: 'Berlin',
    address: `Street ${n}, Berlin`,
    countryCode: 'DE',
  }));
  await testModeOf(shared).control('PUT', '/places', { places });
  return word;
}

const order = ({ api }: Account, text: string) =>
  api.mapsRuns.create({ body: { searchStringsArray: [text], locationQuery: 'Berlin' } });

const ended = ({ api }: Account, id: number) =>
  eventually(
    'the end of the search',
    async () => {
      const now = await api.mapsRuns.read({ id });
      return ['completed', 'failed', 'cancelled'].includes(now.status) ? now : undefined;
    },
    LIMIT_MS,
  );

/** Ads in the US that this word finds, and no other: each of a page of its own. */
async function adsOf(shared: TestModeWorld): Promise<string> {
  const word = newWord();
  const ads = Array.from({ length: ADS }, (_, n) => ({
    id: `${word}${n}`,
    page_id: `page-${word}-${n}`,
    page_name: `${word} ${n}`,
    ad_creative_bodies: [`Finest ${word}`],
    ad_creative_link_captions: [`${word}-${n}.test`],
    countries: ['US'],
  }));
  await testModeOf(shared).control('PUT', '/ads', { ads });
  return word;
}

const discover = ({ api }: Account, searchTerm: string) =>
  api.leadProcesses.create({ body: { searchTerm, leadCount: 5, adReachedCountries: ['US'] } });

const endOfDiscovery = ({ api }: Account, id: number) =>
  eventually(
    'the end of the discovery',
    async () => {
      const now = await api.leadProcesses.read({ id });
      return now.status === 'processing' ? undefined : now;
    },
    LIMIT_MS,
  );

export function testModeSearchTests(shared: () => TestModeWorld): void {
  it('timeout-*: a maps run has half of the places', { timeout: TIMEOUT_MS }, async () => {
    const account = await testAccount(shared(), 'timeout');
    const { id } = await order(account, `timeout-${await placesOf(shared())}`);
    expect(await ended(account, id)).toMatchObject({
      status: 'completed',
      savedItems: PLACES / 2,
    });
    expect(shared().heard).toEqual([]);
  });

  it(
    'fail-*: a maps run goes on at the next vendor, and says so',
    { timeout: TIMEOUT_MS },
    async () => {
      const account = await testAccount(shared(), 'fail');
      const { id } = await order(account, `fail-${await placesOf(shared())}`);
      // There it is a word like others, which no place has.
      expect(await ended(account, id)).toMatchObject({
        status: 'completed',
        savedItems: 0,
        statusMessage: '0 places saved. apify refused the request; places was used instead',
      });
      expect(shared().heard).toEqual([]);
    },
  );

  it('slow-*: a maps run is at work when it is cancelled', { timeout: TIMEOUT_MS }, async () => {
    const account = await testAccount(shared(), 'slow');
    const { id } = await order(account, `slow-${await placesOf(shared())}`);
    await eventually('the search', async () => {
      const { status } = await account.api.mapsRuns.read({ id });
      return status !== 'queued' || undefined;
    });
    await account.api.mapsRuns.cancel({ id });
    expect(await ended(account, id)).toMatchObject({ status: 'cancelled' });
    expect(shared().heard).toEqual([]);
  });

  it(
    'timeout-*: a discovery has half of the ads, and says so',
    { timeout: TIMEOUT_MS },
    async () => {
      const account = await testAccount(shared(), 'timeout-ads');
      const word = await adsOf(shared());
      const { id } = await discover(account, `timeout-${word}`);
      expect(await endOfDiscovery(account, id)).toMatchObject({
        status: 'completed',
        adSources: [{ vendor: 'apify', state: 'ended', ads: ADS / 2 }],
        notes: expect.arrayContaining([
          expect.stringContaining('apify: The search ended early: it took too long'),
        ]),
      });
      expect(shared().heard).toEqual([]);
    },
  );

  it(
    'fail-*: a discovery fails where no other library has the country',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const account = await testAccount(shared(), 'fail-ads');
      const { id } = await discover(account, `fail-${newWord()}`);
      expect(await endOfDiscovery(account, id)).toMatchObject({
        status: 'failed',
        error: { code: 'PROVIDER_REJECTED' },
      });
      expect(shared().heard).toEqual([]);
    },
  );

  it('slow-*: a discovery is at work when it is cancelled', { timeout: TIMEOUT_MS }, async () => {
    const account = await testAccount(shared(), 'slow-ads');
    const { id } = await discover(account, `slow-${newWord()}`);
    await eventually('the search', async () => {
      const { startedAt } = await account.api.leadProcesses.read({ id });
      return startedAt !== null || undefined;
    });
    await account.api.leadProcesses.cancel({ id });
    expect(await account.api.leadProcesses.read({ id })).toMatchObject({
      status: 'cancelled',
      foundLeads: 0,
    });
    expect(shared().heard).toEqual([]);
  });
}
