/** The ad libraries of the world: Meta's archive, and the actor that reads the rest of it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf, startRun } from '../support/vendors/apify-calls.ts';
import { startTestSandbox, type Reply, type TestSandbox } from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
});
beforeEach(() => sandbox.control('PUT', '/ads', { ads }));
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
  await sandbox.control('DELETE', '/ads');
});
afterAll(() => sandbox.remove());

const TOKEN = 'meta-sandbox-token';
const archive = (
  question: Record<string, string>,
  headers: object = { authorization: `Bearer ${TOKEN}` },
): Promise<Reply> => {
  const query = new URLSearchParams({ ad_reached_countries: "['DE']", ...question });
  return sandbox.ask('GET', `/meta/v24.0/ads_archive?${query}`, undefined, headers);
};
const ad = (id: string, page_name: string, countries: string[], more = {}) => ({
  id,
  page_id: `1${id}`,
  page_name,
  countries,
  ad_creative_bodies: ['Fresh coffee for your office'],
  ad_creative_link_captions: [`${page_name.toLowerCase().replaceAll(' ', '-')}.test`],
  ...more,
});
const ads = [
  ad('1', 'Kaffee Direkt', ['DE', 'AT'], { ad_creative_link_titles: ['Rösterei'] }),
  ad('2', 'Café Lyon', ['FR']),
  ad('3', 'Austin Roasters', ['US'], {
    link_url: 'https://l.facebook.com/l.php?u=https%3A%2F%2Fx.test',
  }),
  ad('4', 'Coffee Vote', ['US'], { ad_type: 'POLITICAL_AND_ISSUE_ADS' }),
  ad('5', 'Old Beans', ['DE'], { ad_delivery_stop_time: '2020-01-01' }),
];
const ids = ({ body }: Reply) => body.data.map((row: { id: string }) => row.id);

describe("Meta's archive", () => {
  it('finds by all words in any order, of ads that run, where they reach', async () => {
    expect(ids(await archive({ search_terms: 'office COFFEE' }))).toEqual(['1']);
    expect(ids(await archive({ search_terms: 'coffee rosterei' }))).toEqual(['1']);
    expect(ids(await archive({ search_terms: 'coffee tea' }))).toEqual([]);
    const all = { search_terms: 'coffee', ad_active_status: 'ALL' };
    expect(ids(await archive(all))).toEqual(['1', '5']);
    const phrase = { search_type: 'KEYWORD_EXACT_PHRASE' };
    expect(ids(await archive({ search_terms: 'fresh coffee', ...phrase }))).toEqual(['1']);
    expect(ids(await archive({ search_terms: 'coffee fresh', ...phrase }))).toEqual([]);
    expect(ids(await archive({ search_page_ids: '[15]', ad_active_status: 'ALL' }))).toEqual(['5']);
  });

  it.each([
    ["['DE']", ['1']],
    ['["DE","FR"]', ['1', '2']],
    ['FR', ['2']],
    ["['US']", ['4']],
    ['ALL', ['1', '2', '4']],
  ])('of countries %s it holds commercial ads in the EU and UK only', async (countries, found) => {
    const question = { search_terms: 'coffee', ad_reached_countries: countries };
    expect(ids(await archive(question))).toEqual(found);
  });

  it('takes countries repeated or numbered', async () => {
    for (const names of ['ad_reached_countries', 'ad_reached_countries[0]']) {
      const other = names.replace('0', '1');
      const query = `search_terms=coffee&${names}=DE&${other}=FR&access_token=${TOKEN}`;
      const reply = await sandbox.ask('GET', `/meta/v24.0/ads_archive?${query}`);
      expect(ids(reply)).toEqual(['1', '2']);
    }
  });

  it('answers the fields that were asked for, and the id', async () => {
    const plain = await archive({ search_terms: 'rosterei' });
    expect(plain.body.data).toEqual([{ id: '1' }]);
    const fields = 'id,page_id,page_name,ad_creative_link_captions,ad_snapshot_url,bylines';
    const { body } = await archive({ search_terms: 'rosterei', fields });
    expect(body.data).toEqual([
      {
        id: '1',
        page_id: '11',
        page_name: 'Kaffee Direkt',
        ad_creative_link_captions: ['kaffee-direkt.test'],
        ad_snapshot_url: expect.stringContaining(`access_token=${TOKEN}`),
      },
    ]);
  });

  it('pages by a cursor; the next address carries the token, the log does not', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ad(`p${i}`, `Paged ${i}`, ['DE']));
    await sandbox.control('PUT', '/ads', { ads: rows });
    const replies = [await archive({ search_terms: 'paged' })];
    while (replies.at(-1)!.body.data.length > 0) {
      const { after } = replies.at(-1)!.body.paging.cursors;
      replies.push(await archive({ search_terms: 'paged', after }));
    }
    expect(replies.map(({ body: page }) => page.data.length)).toEqual([25, 25, 10, 0]);
    expect(replies.flatMap(ids)).toEqual(rows.map(({ id }) => id));
    expect(replies[0]!.body.paging.next).toContain(`access_token=${TOKEN}`);
    expect(replies[2]!.body.paging).not.toHaveProperty('next');
    expect(replies[3]!.body).toEqual({ data: [] });
    const { body } = await sandbox.control('GET', '/requests?vendor=meta');
    expect(JSON.stringify(body)).not.toContain(TOKEN);
    const usage = (await archive({ search_terms: 'paged' })).headers.get('x-app-usage');
    expect(JSON.parse(usage!)).toHaveProperty('call_count');
  });

  it.each([
    ['too-much-data coffee', '26', 500, { error: { code: 1 } }],
    ['too-much-data coffee', '25', 200, { data: [{ id: '1' }] }],
    ['heavy coffee', '51', 500, { error: { code: 1 } }],
    ['heavy coffee', '50', 200, { data: [{ id: '1' }] }],
    ['coffee', '501', 500, { error: { code: 1 } }],
    ['coffee', '0', 400, { error: { code: 100 } }],
  ])('%s with limit %s: %i', async (search_terms, limit, status, expected) => {
    const reply = await archive({ search_terms, limit });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject(expected);
  });

  it.each([
    [{ search_terms: '' }],
    [{ search_terms: 'x'.repeat(101) }],
    [{ search_terms: 'a', ad_reached_countries: '' }],
    [{ search_terms: 'a', ad_reached_countries: "['DEU']" }],
    [{ search_terms: 'a', fields: 'id,nothing' }],
    [{ search_terms: 'a', ad_active_status: 'SOME' }],
    [{ search_terms: 'a', after: 'garbage' }],
  ])('error 100 for %j', async (question: Record<string, string>) => {
    const { status, body } = await archive(question);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 100, type: 'OAuthException' });
    expect(body.error.fbtrace_id).toMatch(/^A/);
  });

  it('error 190 for a wrong token, and what the control API asks for', async () => {
    const wrong = await archive({ search_terms: 'a' }, { authorization: 'Bearer wrong' });
    expect(wrong.body.error).toMatchObject({ code: 190 });
    expect((await archive({ search_terms: 'a' }, {})).body.error.code).toBe(104);
    const codes: unknown[] = [];
    for (const kind of ['error_500', 'rate_limited', 'auth', 'rejected']) {
      const operation = 'GET /ads_archive';
      await sandbox.control('POST', '/faults', { vendor: 'meta', kind, operation, times: 1 });
      const { body } = await archive({ search_terms: 'coffee' });
      codes.push([body.error.code, body.error.error_subcode, body.error.is_transient]);
    }
    expect(codes).toEqual([
      [2, undefined, true],
      [613, undefined, false],
      [190, 463, false],
      [10, 2_332_002, false],
    ]);
  });

  it('keeps what the control API put over a restart', async () => {
    sandbox = await sandbox.restart();
    expect(ids(await archive({ search_terms: 'coffee' }))).toEqual(['1']);
  });
});

describe('the ad-library actor', () => {
  const ACTOR = 'curious_coder~facebook-ads-library-scraper';
  const library = (q: string, country: string, more = '') =>
    `https://www.facebook.com/ads/library/?active_status=active&ad_type=all&country=${country}&q=${q}&search_type=keyword_unordered${more}`;
  const scrape = async (input: object) =>
    rowsOf(sandbox, await startRun(sandbox, input, '?build=2.7.25', ACTOR));

  it('finds commercial ads of any country, in the shape of the actor', async () => {
    const url = library('fresh+coffee', 'US');
    const rows = await scrape({ urls: [{ url }], scrapeAdDetails: false });
    expect(rows.map(({ ad_archive_id: id }) => id)).toEqual(['3', '4']);
    expect(rows[0]).toMatchObject({
      page_id: '13',
      page_name: 'Austin Roasters',
      is_active: true,
      end_date: null,
      ad_library_url: 'https://www.facebook.com/ads/library/?id=3',
      url,
      total: 2,
      position: 1,
      snapshot: {
        link_url: 'https://l.facebook.com/l.php?u=https%3A%2F%2Fx.test',
        caption: 'austin-roasters.test',
        body: { text: 'Fresh coffee for your office' },
      },
    });
    expect(rows[1]).toMatchObject({ snapshot: { link_url: 'https://coffee-vote.test/' } });
  });

  it('tells of an address that found nothing, and finds an ad once per address', async () => {
    const urls = ['DE', 'AT', 'JP', 'ALL'].map((country) => ({ url: library('coffee', country) }));
    const rows = await scrape({ urls });
    expect(rows.map(({ ad_archive_id: id, error }) => id ?? error)).toEqual([
      '1',
      '1',
      'no_items',
      '1',
      '2',
      '3',
      '4',
    ]);
  });

  it('takes the limit by screens of 30', async () => {
    const many = Array.from({ length: 100 }, (_, i) => ad(`s${i}`, `Screened ${i}`, ['US']));
    await sandbox.control('PUT', '/ads', { ads: many });
    const urls = [{ url: library('screened', 'US') }];
    expect(await scrape({ urls, limitPerSource: 40 })).toHaveLength(60);
  });

  it('refuses input without addresses; keeps the build that was asked for', async () => {
    const { body } = await startRun(sandbox, {}, '', ACTOR);
    expect(body.error).toEqual({
      type: 'invalid-input',
      message: 'Input is not valid: Field input.urls is required',
    });
    const urls = [{ url: library('timeout-coffee', 'US') }];
    const run = await startRun(sandbox, { urls }, '?build=2.7.25&waitForFinish=60', ACTOR);
    expect(run.body.data).toMatchObject({
      actId: 'XtaWFhbtfxyzqrFmd',
      status: 'TIMED-OUT',
      options: { build: '2.7.25' },
      buildNumber: '2.7.25',
    });
  });
});
