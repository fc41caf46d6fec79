/** The port of contact finders: every adapter against its stand-in, and what it was charged. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contactFinders } from '../../../src/providers/contact-finders/index.ts';
import type { ContactFinder } from '../../../src/providers/contact-finders/port.ts';
import { providerError } from '../../support/vendors/provider-error.ts';
import {
  LOST_AFTER_MS,
  startTestSandbox,
  type TestSandbox,
} from '../../support/vendors/sandbox.ts';

const KEYS = { hunter: 'hunter-sandbox-key', apollo: 'apollo-sandbox-key' };
const SEARCH = { hunter: 'GET /domain-search', apollo: 'POST /people/match' };
type Name = keyof typeof contactFinders;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 100 });
  const person = (domain: string, firstName: string, change: object = {}) => ({
    domain,
    firstName,
    lastName: 'Weber',
    email: `${firstName.toLowerCase()}@${domain}`,
    position: 'Owner',
    confidence: 80,
    ...change,
  });
  const contacts = [
    person('two.test', 'Ann', { confidence: 97, linkedin: 'https://www.linkedin.com/in/ann' }),
    person('two.test', 'Bob', { phone: '+4930123456' }),
    { domain: 'two.test', email: 'info@two.test', confidence: 99 },
    ...['a', 'b', 'c', 'd'].map((name) => person('many.test', name)),
    { domain: 'nomail.test', firstName: 'Cy', lastName: 'Kim' },
    person('mixed.test', 'Dee', { optedOut: true }),
    person('mixed.test', 'Eve'),
    ...['error', 'reset', 'slow', 'late', 'rate', 'auth', 'short'].map((name) =>
      person(`${name}.test`, 'Flo'),
    ),
  ];
  await sandbox.control('PUT', '/contacts', { contacts });
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox?.remove());

function finder(
  name: Name,
  changed: Record<string, string> = {},
  timeoutMs = 15_000,
): ContactFinder {
  const state = contactFinders[name].configure({
    HUNTER_KEY: KEYS.hunter,
    HUNTER_URL: `${sandbox.url}/hunter/v2`,
    APOLLO_KEY: KEYS.apollo,
    APOLLO_URL: `${sandbox.url}/apollo/api/v1`,
    ...changed,
  });
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs, outboundProxy: undefined });
}

const ask = (domain: string, limit = 3) => ({ companyName: domain, domain, limit });
const fault = (vendor: Name, kind: string) =>
  sandbox.control('POST', '/faults', { vendor, operation: SEARCH[vendor], kind, times: 1 });
const charges = async (name: Name, domain: string): Promise<number> => {
  const { body } = await sandbox.control('GET', '/books');
  const made: { domain: string; credits: number }[] = body.finders[name].charges;
  return made.filter((one) => one.domain === domain).reduce((sum, { credits }) => sum + credits, 0);
};

describe.each(['hunter', 'apollo'] as const)('%s', (name) => {
  it('finds the people of a domain, in the words of the port, for what they cost', async () => {
    const { people, credits } = await finder(name).find(ask('two.test', 2));
    expect(people.map(({ email }) => email)).toEqual(['ann@two.test', 'bob@two.test']);
    expect(people[0]).toMatchObject({
      firstName: 'Ann',
      lastName: 'Weber',
      position: 'Owner',
      profileUrl: 'https://www.linkedin.com/in/ann',
      phone: null,
    });
    expect(people[1]).toMatchObject({ phone: '+4930123456', profileUrl: null });
    expect(credits).toBe(await charges(name, 'two.test'));
    expect(credits).toBeGreaterThan(0);
  });

  it('buys no more than was wanted', async () => {
    const { people, credits } = await finder(name).find(ask('many.test', 2));
    expect(people).toHaveLength(2);
    expect(credits).toBe(await charges(name, 'many.test'));
  });

  it('answers nobody for a domain that it does not know, for nothing', async () => {
    const answer = await finder(name).find(ask('unknown-company.test'));
    expect(answer).toEqual({ people: [], credits: 0 });
  });

  it('leaves out people without an address and people who asked not to be processed', async () => {
    expect(await finder(name).find(ask('nomail.test'))).toMatchObject({ people: [] });
    const { people } = await finder(name).find(ask('mixed.test'));
    expect(people.map(({ email }) => email)).toEqual(['eve@mixed.test']);
  });

  it.each([
    ['error_500', 'error.test', 'outcome_unknown'],
    ['reset', 'reset.test', 'outcome_unknown'],
    ['timeout_before_effect', 'slow.test', 'outcome_unknown'],
    ['timeout_after_effect', 'late.test', 'outcome_unknown'],
    ['rate_limited', 'rate.test', 'rate_limited'],
    ['auth', 'auth.test', 'auth'],
    ['rejected', 'short.test', 'quota'],
  ])('after %s a purchase is, for %s, %s', async (kind, domain, expected) => {
    await fault(name, kind);
    const limitMs = kind.startsWith('timeout') ? LOST_AFTER_MS : undefined;
    const error = await providerError(finder(name, {}, limitMs).find(ask(domain, 1)));
    expect(error.kind).toBe(expected);
    expect(error.message + JSON.stringify(error.facts)).not.toContain(KEYS[name]);
    expect(await charges(name, domain)).toBe(kind === 'timeout_after_effect' ? 1 : 0);
  });

  it('repeats nothing by itself', async () => {
    const { body: before } = await sandbox.control('GET', '/books');
    await fault(name, 'error_500');
    await providerError(finder(name).find(ask('error.test', 1)));
    const { body: after } = await sandbox.control('GET', '/books');
    const made = after.finders[name].requests - before.finders[name].requests;
    // What the fault answers is not counted; Apollo's free search is.
    expect(made).toBe(name === 'apollo' ? 1 : 0);
  });

  it('tells an operator what to check about wrong credentials, and about credits', async () => {
    const variable = name === 'hunter' ? 'HUNTER_KEY' : 'APOLLO_KEY';
    const stranger = finder(name, { [variable]: 'wrong-key' });
    const error = await providerError(stranger.find(ask('two.test')));
    expect(error).toMatchObject({ kind: 'auth', facts: { provider: name } });
    expect(error.facts.operatorHint).toContain(variable);
    expect(error.message).not.toContain('wrong-key');
    await fault(name, 'rejected');
    const short = await providerError(finder(name).find(ask('short.test', 1)));
    expect(short.facts.operatorHint).toMatch(/credits .* used up/);
  });

  it('is unavailable, without a doubt, when nobody listens', async () => {
    const variable = name === 'hunter' ? 'HUNTER_URL' : 'APOLLO_URL';
    const nobody = finder(name, { [variable]: 'http://127.0.0.1:9/v2' });
    expect((await providerError(nobody.find(ask('two.test')))).kind).toBe('unavailable');
  });
});

describe('hunter', () => {
  it('takes its inverted codes: 403 is haste, 429 is credit, 451 is nobody', async () => {
    await fault('hunter', 'rate_limited');
    const haste = await providerError(finder('hunter').find(ask('rate.test')));
    expect(haste.message).toContain('answered 403');
    expect(haste.facts.retryAfterMs).toBe(1_000);
    await fault('hunter', 'rejected');
    const short = await providerError(finder('hunter').find(ask('rate.test')));
    expect(short.message).toContain('answered 429');
    expect(await finder('hunter').find(ask('opted-out-me.test'))).toEqual({
      people: [],
      credits: 0,
    });
  });

  it('puts people before roles, whatever the confidence', async () => {
    const { people } = await finder('hunter').find(ask('two.test', 3));
    expect(people.at(-1)!.email).toBe('info@two.test');
  });
});

describe('apollo', () => {
  it('answers what it has bought when the next match fails, the lost one counted', async () => {
    const before = await charges('apollo', 'many.test');
    const slow = { vendor: 'apollo', operation: SEARCH.apollo, kind: 'slow', times: 1, delayMs: 1 };
    await sandbox.control('POST', '/faults', slow);
    await fault('apollo', 'timeout_after_effect');
    const answer = await finder('apollo', {}, LOST_AFTER_MS).find(ask('many.test', 4));
    expect(answer).toMatchObject({ people: [{ email: 'a@many.test' }], credits: 2 });
    expect((await charges('apollo', 'many.test')) - before).toBe(2);
  });
});
