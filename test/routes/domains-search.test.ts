/** Looking for names to buy. Choices 25, 58. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { suggestDomains } from '../../src/domain/domains/domain-suggestions.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  context: { registrars: { namecom: registrar } } as unknown as Partial<Context>,
}));
let token: string;
let asked: string[][];
/** For how many more names the registrar's limit lets us ask. */
let patience: number;

/** What differs from a name that is for sale at $12. */
const odd: Record<string, object> = {
  'taken.com': { available: false, priceCents: null },
  'premium.com': { premium: true, priceCents: 250_000 },
  'dear.com': { priceCents: 1_601 },
  'acme.zz': { available: false, priceCents: null, restricted: true },
};

const registrar = {
  name: 'namecom',
  recordTypes: ['A'],
  get namesAtOnce() {
    return patience === Infinity ? undefined : 1;
  },
  async quoteAll(domains: string[]) {
    asked.push(domains);
    const answered = domains.slice(0, Math.max(0, patience));
    patience -= answered.length;
    return answered.map((domain) => ({
      domain,
      available: true,
      premium: false,
      priceCents: 1_200,
      renewalCents: 1_300,
      termYears: 1,
      ...odd[domain],
    }));
  },
};

beforeAll(async () => {
  token = await api.jwt('ann');
  await api.call('GET', '/v1/account', { token });
});
beforeEach(() => {
  asked = [];
  patience = Infinity;
});

const check = (domains: unknown) =>
  api.call('POST', '/v1/domains/check', { token, body: { domains } });
const suggest = (body: object) => api.call('POST', '/v1/domains/suggest', { token, body });

describe('POST /v1/domains/check', () => {
  it('says of each name, in the order asked, whether it can be bought here and for what', async () => {
    const { status, body } = await check(['free.com', ...Object.keys(odd)]);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { domain: 'free.com', available: true, priceCents: 1_200 },
      { domain: 'taken.com', available: false, priceCents: null },
      { domain: 'premium.com', available: false, priceCents: 250_000, restricted: true },
      { domain: 'dear.com', available: false, priceCents: 1_601, restricted: true },
      { domain: 'acme.zz', available: false, priceCents: null, restricted: true },
    ]);
  });

  it('asks once, for lower-case punycode, and for each name once', async () => {
    await check(['Ümlaut.COM', 'xn--mlaut-jva.com', ' free.com ']);
    expect(asked).toEqual([['xn--mlaut-jva.com', 'free.com']]);
  });

  it('a name that somebody is buying here is not available', async () => {
    const row = { user_id: 'ann', name: 'mine.com', provider: 'namecom' };
    await database.db.insertInto('domains').values(row).execute();
    const { body } = await check(['mine.com']);
    expect(body.data).toEqual([{ domain: 'mine.com', available: false, priceCents: null }]);
  });

  it('says so where the registrar’s limit did not let it ask for every name in time', async () => {
    patience = 1;
    const { status, body } = await check(['free.com', 'late.com']);
    expect([status, body.message]).toEqual([200, expect.stringContaining('for 1 names in time')]);
    expect(body.data).toEqual([
      { domain: 'free.com', available: true, priceCents: 1_200 },
      { domain: 'late.com', available: false, priceCents: null, unknown: true },
    ]);
  });

  it.each([
    [[]],
    [Array.from({ length: 51 }, (_, n) => `a${n}.com`)],
    [['https://acme.com']],
    ['a.com'],
  ])('400 for %j', async (domains) => {
    const { status, body } = await check(domains);
    expect([status, body.code, asked]).toEqual([400, 'VALIDATION_ERROR', []]);
  });
});

describe('POST /v1/domains/suggest', () => {
  it('brings names that can be bought, the same ones each time, at most `limit`', async () => {
    const wish = { keyword: 'Taken', tlds: ['com', '.NET'], limit: 3 };
    const first = await suggest(wish);
    const names = first.body.data.map(({ domain }: { domain: string }) => domain);
    expect(names).toEqual(['taken.net', 'gettaken.com', 'gettaken.net']);
    expect((await suggest(wish)).body.data).toEqual(first.body.data);
    expect(asked[0]!.length).toBeLessThanOrEqual(50);
  });

  it('of a registrar that takes one name at a time asks no more than it needs', async () => {
    patience = 10;
    const { body } = await suggest({ keyword: 'Taken', tlds: ['com', 'net'], limit: 3 });
    expect([body.data.length, body.message]).toEqual([3, undefined]);
    expect(asked.map((names) => names.length)).toEqual([3, 1]);
  });

  it('answers what is known when that registrar’s limit is reached', async () => {
    patience = 2;
    const { body } = await suggest({ keyword: 'Taken', tlds: ['com', 'net'], limit: 3 });
    expect(body.data).toEqual([{ domain: 'taken.net', available: true, priceCents: 1_200 }]);
    expect(body.message).toMatch(/did not answer for \d+ names in time/);
  });

  it('nothing for a keyword without a letter, and nobody is asked', async () => {
    const { status, body } = await suggest({ keyword: '漢字 !!' });
    expect([status, body.data, asked]).toEqual([200, [], []]);
  });

  it.each([{ keyword: '' }, { keyword: 'a', limit: 51 }, { keyword: 'a', tlds: ['c_m'] }, {}])(
    '400 for %j',
    async (body) => {
      expect((await suggest(body)).status).toBe(400);
    },
  );
});

describe('suggested names', () => {
  it('are of letters that everybody can type', () => {
    const [first, second] = suggestDomains('Müller & Söhne GmbH', { tlds: ['de'], limit: 2 });
    expect([first, second]).toEqual(['mullersohnegmbh.de', 'muller-sohne-gmbh.de']);
  });

  it('never have a label that is too long', () => {
    expect(suggestDomains('a'.repeat(62), { tlds: ['com'], limit: 50 })).toEqual([
      `${'a'.repeat(62)}.com`,
    ]);
  });
});
