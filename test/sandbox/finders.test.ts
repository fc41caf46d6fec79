/** The contact finders of the world: people by domain, credits by the piece, codes as they are. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  LOST_AFTER_MS,
  startTestSandbox,
  STRICT_PACE,
  type Reply,
  type TestSandbox,
} from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
  await sandbox.control('PUT', '/contacts', { contacts });
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.remove());

const person = (domain: string, firstName: string, lastName: string, more = {}) => ({
  domain,
  firstName,
  lastName,
  email: `${firstName}.${lastName}@${domain}`.toLowerCase(),
  position: 'Owner',
  confidence: 91,
  ...more,
});
const contacts = [
  person('acme.test', 'Anna', 'Weber', {
    phone: '+4930123',
    linkedin: 'https://linkedin.com/in/a',
  }),
  { domain: 'acme.test', email: 'info@acme.test', confidence: 80 },
  person('acme.test', 'Otto', 'Aus', { optedOut: true }),
  person('only-apollo.test', 'Pia', 'Neu', { finders: ['apollo'] }),
  person('no-mail.test', 'Nils', 'Ohne', { email: null }),
  ...Array.from({ length: 23 }, (_, i) => person('large.test', `First${i}`, 'Last')),
];

const hunter = (path: string, headers: object = { 'x-api-key': 'hunter-sandbox-key' }) =>
  sandbox.ask('GET', `/hunter/v2${path}`, undefined, headers);
const apollo = (path: string, body?: unknown): Promise<Reply> =>
  sandbox.ask('POST', `/apollo/api/v1${path}`, body, { 'x-api-key': 'apollo-sandbox-key' });
const books = async (vendor: 'hunter' | 'apollo') =>
  (await sandbox.control('GET', '/books')).body.finders[vendor];
const fault = (vendor: string, kind: string, more = {}) =>
  sandbox.control('POST', '/faults', { vendor, kind, times: 1, ...more });
/** What `work` was charged. */
async function chargedFor(vendor: 'hunter' | 'apollo', work: () => Promise<unknown>) {
  const before = await books(vendor);
  await work();
  const after = await books(vendor);
  return after.credits - before.credits;
}

describe('GET /domain-search', () => {
  it('answers the people of a domain, without those who asked not to be processed', async () => {
    const { status, body } = await hunter('/domain-search?domain=www.Acme.test');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ domain: 'acme.test', accept_all: false, webmail: false });
    expect(body.meta).toMatchObject({ results: 2, limit: 10, offset: 0 });
    expect(body.data.emails).toMatchObject([
      {
        value: 'anna.weber@acme.test',
        type: 'personal',
        confidence: 91,
        first_name: 'Anna',
        last_name: 'Weber',
        position: 'Owner',
        phone_number: '+4930123',
        linkedin: 'https://linkedin.com/in/a',
        verification: { status: null },
      },
      { value: 'info@acme.test', type: 'generic', first_name: null },
    ]);
  });

  it('filters by type and pages', async () => {
    const values = ({ body }: Reply) => body.data.emails.map((e: { value: string }) => e.value);
    expect(values(await hunter('/domain-search?domain=acme.test&type=generic'))).toEqual([
      'info@acme.test',
    ]);
    const page = await hunter('/domain-search?domain=large.test&limit=5&offset=20');
    expect(values(page)).toHaveLength(3);
    expect(page.body.meta.results).toBe(23);
  });

  it('costs a credit for each ten addresses, nothing when it knows nobody', async () => {
    const cost = (query: string) =>
      chargedFor('hunter', () => hunter(`/domain-search?domain=${query}`));
    expect(await cost('acme.test')).toBe(1);
    expect(await cost('large.test&limit=23')).toBe(3);
    expect(await cost('unknown.test')).toBe(0);
    expect(await cost('only-apollo.test')).toBe(0);
    expect(await cost('no-mail.test')).toBe(0);
    const { charges } = await books('hunter');
    expect(charges.at(-1)).toMatchObject({ domain: 'large.test', credits: 3 });
  });

  it.each([
    ['', 400, 'wrong_params'],
    ['?domain=not%20a%20domain', 400, 'wrong_params'],
    ['?domain=acme.test&limit=101', 400, 'wrong_params'],
    ['?domain=opted-out-1.test', 451, 'claimed_email'],
  ])('%s: %i', async (query, status, id) => {
    const { body, ...reply } = await hunter(`/domain-search${query}`);
    expect(reply.status).toBe(status);
    expect(body.errors).toMatchObject([{ id, code: status, details: expect.any(String) }]);
  });
});

describe("Hunter's other calls", () => {
  it('finds the address of a person for a credit, and null for nobody', async () => {
    const find = (query: string) => hunter(`/email-finder?domain=acme.test&${query}`);
    const cost = await chargedFor('hunter', async () => {
      const { body } = await find('first_name=anna&last_name=WEBER');
      expect(body.data).toMatchObject({ email: 'anna.weber@acme.test', score: 91 });
      expect((await find('full_name=No Body')).body.data).toMatchObject({ email: null });
      expect((await find('full_name=Otto Aus')).status).toBe(451);
      expect((await find('')).status).toBe(400);
    });
    expect(cost).toBe(1);
  });

  it('verifies by magic names; slow-* is still at work at first', async () => {
    const verify = (email: string) => hunter(`/email-verifier?email=${email}`);
    const status = async (email: string) => (await verify(email)).body.data.status;
    expect(await status('a@acme.test')).toBe('valid');
    expect(await status('bounce-a@acme.test')).toBe('invalid');
    expect(await status('a@catchall-1.test')).toBe('accept_all');
    expect((await verify('slow-a@acme.test')).status).toBe(202);
    expect((await verify('slow-a@acme.test')).status).toBe(200);
  });

  it('tells the account; takes the key in three ways, and no other key', async () => {
    const { body } = await hunter('/account', { authorization: 'Bearer hunter-sandbox-key' });
    expect(body.data.calls.used).toBe((await books('hunter')).credits);
    expect((await hunter('/account?api_key=hunter-sandbox-key', {})).status).toBe(200);
    const wrong = await hunter('/account', { 'x-api-key': 'wrong' });
    expect(wrong).toMatchObject({
      status: 401,
      body: { errors: [{ id: 'authentication_failed' }] },
    });
    const { body: log } = await sandbox.control('GET', '/requests?vendor=hunter');
    expect(JSON.stringify(log)).not.toContain('hunter-sandbox-key');
  });
});

describe("Hunter's limits", () => {
  it('429 when the credits are used up, 403 when it goes too fast', async () => {
    await sandbox.control('PUT', '/credits', { vendor: 'hunter', credits: 1 });
    expect((await hunter('/domain-search?domain=acme.test')).status).toBe(200);
    expect((await hunter('/domain-search?domain=acme.test')).status).toBe(429);
    await sandbox.control('PUT', '/credits', { vendor: 'hunter', credits: 1_000 });
    expect((await hunter('/domain-search?domain=acme.test')).status).toBe(200);
    const strict = await startTestSandbox({ limitPace: STRICT_PACE });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        strict.ask('GET', '/hunter/v2/domain-search?domain=acme.test', undefined, {
          'x-api-key': 'hunter-sandbox-key',
        }),
      ),
    );
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(5);
    await strict.remove();
  });

  it.each([
    ['error_500', 500],
    ['rate_limited', 403],
    ['rejected', 429],
    ['auth', 401],
  ])('%s: %i, and nothing is charged', async (kind, status) => {
    await fault('hunter', kind);
    const cost = await chargedFor('hunter', async () => {
      expect((await hunter('/domain-search?domain=acme.test')).status).toBe(status);
    });
    expect(cost).toBe(0);
  });

  it('a lost answer was charged', async () => {
    // Without an operation the fault waits for a call with an effect: these GETs have one.
    await fault('hunter', 'timeout_after_effect');
    await hunter('/account');
    const cost = await chargedFor('hunter', () =>
      expect(
        fetch(`${sandbox.url}/hunter/v2/domain-search?domain=acme.test`, {
          headers: { 'x-api-key': 'hunter-sandbox-key' },
          signal: AbortSignal.timeout(LOST_AFTER_MS),
        }),
      ).rejects.toThrow('timeout'),
    );
    expect(cost).toBe(1);
  });
});

describe('Apollo', () => {
  const search = (domain: string, more = {}) =>
    apollo('/mixed_people/api_search', { q_organization_domains_list: [domain], ...more });

  it('searches without addresses and without credits', async () => {
    const cost = await chargedFor('apollo', async () => {
      const { body } = await search('acme.test');
      expect(body.people).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          first_name: 'Anna',
          last_name_obfuscated: 'We***r',
          title: 'Owner',
          has_email: true,
          organization: { name: 'acme' },
        },
      ]);
      const page = await search('large.test', { page: 3, per_page: 10 });
      expect(page.body.people).toHaveLength(3);
      expect(page.body.pagination).toMatchObject({ total_entries: 23, total_pages: 3 });
      expect((await search('no-mail.test')).body.people).toMatchObject([{ has_email: false }]);
    });
    expect(cost).toBe(0);
  });

  it('matches by id, name, address or profile, a credit for each address', async () => {
    const { body: found } = await search('acme.test');
    const cost = await chargedFor('apollo', async () => {
      for (const query of [
        `id=${found.people[0].id}`,
        'first_name=Anna&last_name=Weber&domain=acme.test',
        'email=ANNA.weber@acme.test',
        'linkedin_url=https://linkedin.com/in/a',
      ]) {
        const { body } = await apollo(`/people/match?${query}`);
        expect(body.person).toMatchObject({
          email: 'anna.weber@acme.test',
          email_status: 'verified',
          organization: { primary_domain: 'acme.test' },
        });
      }
      expect((await apollo('/people/match?name=No Body&domain=acme.test')).body).toEqual({
        person: null,
      });
      const { body: nils } = await apollo('/people/match?name=Nils Ohne&domain=no-mail.test');
      expect(nils.person).toMatchObject({ email: null, email_status: 'unavailable' });
      expect((await apollo('/people/match')).status).toBe(422);
    });
    expect(cost).toBe(4);
    expect((await books('apollo')).charges.at(-1)).toMatchObject({
      personId: found.people[0].id,
      domain: 'acme.test',
      email: 'anna.weber@acme.test',
    });
  });

  it('refuses in its own words: key, credits, speed', async () => {
    const wrong = await sandbox.ask('POST', '/apollo/api/v1/people/match?id=1', undefined, {
      'x-api-key': 'wrong',
    });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'Invalid access credentials.' } });
    await sandbox.control('PUT', '/credits', { vendor: 'apollo', credits: 0 });
    const { body, status } = await apollo('/people/match?email=a@acme.test');
    expect(status).toBe(422);
    expect(body.error).toContain('insufficient credits');
    await sandbox.control('PUT', '/credits', { vendor: 'apollo', credits: 1_000 });
    await fault('apollo', 'rate_limited');
    const fast = await apollo('/people/match?email=a@acme.test');
    expect([fast.status, fast.headers.get('retry-after')]).toEqual([429, '1']);
  });
});

describe('a restart', () => {
  it('keeps contacts, requests, credits and what they were spent on', async () => {
    const before = [await books('hunter'), await books('apollo')];
    sandbox = await sandbox.restart();
    expect([await books('hunter'), await books('apollo')]).toEqual(before);
    const { body } = await sandbox.control('GET', '/contacts');
    expect(body.contacts).toHaveLength(contacts.length);
    expect((await sandbox.control('DELETE', '/contacts')).body).toEqual({ contacts: 0 });
    expect((await hunter('/domain-search?domain=acme.test')).body.data.emails).toEqual([]);
  });
});
