/** The port of certificate authorities: the adapter against the world's stand-in and against pebble, by the same rules. */
import { createPublicKey, X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/providers/certificates/acme.ts';
import { newPrivateKey } from '../../src/providers/certificates/keys.ts';
import type { CertificateAuthority, Challenge } from '../../src/providers/certificates/port.ts';
import {
  pebbleAuthority,
  standInAuthority,
  startChallengeServer,
  whyNoPebble,
  type AuthorityWorld,
  type TestAuthority,
} from '../support/vendors/certificate-authorities.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { LOST_AFTER_MS, startTestSandbox } from '../support/vendors/sandbox.ts';
import { startJsonServer } from '../support/tools/json-server.ts';

const TIMEOUT_MS = 30_000;
const URN = 'urn:ietf:params:acme:error:';

let world: AuthorityWorld;
let account: string;
beforeAll(async () => {
  const web = await startChallengeServer();
  const sandbox = await startTestSandbox({ pace: 20, linksHttpPort: web.port });
  await sandbox.namecom('POST', '/domains', { domain: { domainName: 'acme.com' } });
  world = { sandbox, web };
  account = await newPrivateKey();
});
afterEach(() => world.sandbox.control('DELETE', '/faults'));
afterAll(async () => {
  world.web.close();
  await world.sandbox.remove();
});

const serve = ({ token, keyAuthorization }: Challenge) =>
  world.web.answers.set(token, keyAuthorization);

async function challengeOf(authority: CertificateAuthority, order: string): Promise<Challenge> {
  const state = await authority.readOrder(account, order);
  if (state.state !== 'waiting') throw new Error(`the order is ${state.state}`);
  return state.challenge;
}

const stateOf = async (authority: CertificateAuthority, order: string) =>
  (await authority.readOrder(account, order)).state;

/** The order of a name that is proven. */
async function readyOrder(authority: CertificateAuthority, name: string): Promise<string> {
  const order = await authority.openOrder(account, name);
  serve(await challengeOf(authority, order));
  await authority.askToLook(account, order);
  await expect.poll(() => stateOf(authority, order)).toBe('ready');
  return order;
}

async function issued(authority: CertificateAuthority, order: string): Promise<string> {
  await expect.poll(() => stateOf(authority, order)).toBe('issued');
  const state = await authority.readOrder(account, order);
  return state.state === 'issued' ? state.certificatePem : '';
}

const missing = whyNoPebble();
const authorities = [
  { vendor: 'the stand-in', start: standInAuthority, skip: undefined },
  { vendor: 'pebble', start: pebbleAuthority, skip: missing },
];

describe.each(authorities)('$vendor', ({ vendor, start, skip }) => {
  let at: TestAuthority;
  let authority: CertificateAuthority;
  beforeAll(async () => {
    if (skip !== undefined) return;
    at = await start(world);
    authority = createCertificateAuthority({
      directoryUrl: at.directoryUrl,
      timeoutMs: TIMEOUT_MS,
    });
  });
  afterAll(() => at?.close());
  const suffix = vendor === 'pebble' ? 'pebble' : 'sandbox';
  const published = (label: string) => at.publish(`${label}-${suffix}`);
  const reason = skip === undefined ? '' : ` (${skip})`;

  describe.skipIf(skip !== undefined)(`an order${reason}`, () => {
    it('waits, is ready, is made and issued, for the name and the key that were sent', async () => {
      const name = await published('whole');
      const order = await authority.openOrder(account, name);
      const challenge = await challengeOf(authority, order);
      expect(challenge.keyAuthorization).toMatch(/^[\w-]{20,}\.[\w-]{43}$/);
      expect(challenge.keyAuthorization.split('.')[0]).toBe(challenge.token);
      serve(challenge);
      await authority.askToLook(account, order);
      await expect.poll(() => stateOf(authority, order)).toBe('ready');
      const key = await newPrivateKey();
      await authority.finalize(account, order, name, key);
      const pem = await issued(authority, order);
      const certificates = pem.match(/-----BEGIN CERTIFICATE-----/g);
      expect(certificates!.length).toBeGreaterThan(1);
      const leaf = new X509Certificate(pem);
      expect(leaf.checkHost(name)).toBe(name);
      const ours = createPublicKey(key).export({ type: 'spki', format: 'pem' });
      expect(leaf.publicKey.export({ type: 'spki', format: 'pem' })).toBe(ours);
      expect(world.web.hosts.map((host) => host.replace(/:\d+$/, ''))).toContain(name);
    });

    // Pebble gives no such header while it looks.
    it.skipIf(vendor === 'pebble')('says when to ask again, while it is worked on', async () => {
      const name = await published('again');
      const order = await authority.openOrder(account, name);
      serve(await challengeOf(authority, order));
      const goOn = world.web.hold();
      await authority.askToLook(account, order);
      try {
        expect(await authority.readOrder(account, order)).toMatchObject({
          state: 'waiting',
          retryAfterMs: 3_000,
        });
      } finally {
        goOn();
      }
    });

    it('may be told everything twice, at every stage', async () => {
      const name = await published('twice');
      const order = await authority.openOrder(account, name);
      const challenge = await challengeOf(authority, order);
      expect(await challengeOf(authority, order)).toEqual(challenge);
      serve(challenge);
      await authority.askToLook(account, order);
      await authority.askToLook(account, order);
      await expect.poll(() => stateOf(authority, order)).toBe('ready');
      await authority.askToLook(account, order);
      const key = await newPrivateKey();
      const finalize = () => authority.finalize(account, order, name, key);
      await finalize();
      await finalize();
      const pem = await issued(authority, order);
      await finalize();
      await authority.askToLook(account, order);
      expect(await issued(authority, order)).toBe(pem);
    });

    it('of a name that was proven before is ready at once', async () => {
      const name = await published('proven');
      const first = await readyOrder(authority, name);
      await authority.finalize(account, first, name, await newPrivateKey());
      await issued(authority, first);
      const second = await authority.openOrder(account, name);
      expect(second).not.toBe(first);
      expect(await authority.readOrder(account, second)).toEqual({ state: 'ready' });
      await authority.finalize(account, second, name, await newPrivateKey());
      await issued(authority, second);
    });

    it('is not finalized before the name is proven', async () => {
      const name = await published('unproven');
      const order = await authority.openOrder(account, name);
      const error = await providerError(
        authority.finalize(account, order, name, await newPrivateKey()),
      );
      expect(error).toMatchObject({ kind: 'not_ready', facts: { provider: 'acme' } });
      expect(await stateOf(authority, order)).toBe('waiting');
    });

    it.each([
      ['answers something else', 'wrong', 'unauthorized'],
      ['answers nothing', undefined, 'unauthorized'],
    ])('whose web server %s is refused in words', async (_what, answer, type) => {
      const name = await published(`refused-${answer ?? 'nothing'}`);
      const order = await authority.openOrder(account, name);
      const { token } = await challengeOf(authority, order);
      if (answer !== undefined) world.web.answers.set(token, answer);
      await authority.askToLook(account, order);
      await expect.poll(() => stateOf(authority, order)).toBe('refused');
      const state = await authority.readOrder(account, order);
      expect(state).toMatchObject({
        code: `${URN}${type}`,
        reason: expect.stringMatching(/\w{3}/),
      });
      await authority.askToLook(account, order);
      await authority.finalize(account, order, name, await newPrivateKey());
      expect(await authority.readOrder(account, order)).toEqual(state);
    });

    it('of another account, and one that is not there, are refused', async () => {
      const order = await authority.openOrder(account, await published('foreign'));
      const other = await newPrivateKey();
      expect(await authority.readOrder(other, order)).toMatchObject({ state: 'refused' });
      const gone = order.replace(/[^/]+$/, '424242');
      expect(await authority.readOrder(account, gone)).toMatchObject({ state: 'refused' });
    });

    it('of what is no name is refused for good, and names the setting, without a key', async () => {
      const error = await providerError(authority.openOrder(account, 'no_name!.acme.com'));
      expect(error.kind).toBe('rejected');
      expect(error.facts.operatorHint).toContain('ACME_DIRECTORY_URL');
      expect(inspect(error)).not.toContain('PRIVATE KEY');
    });
  });
});

describe.skipIf(missing !== undefined)(
  `pebble${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    it('that has forgotten everything makes the account anew; its orders are gone', async () => {
      const pebble = await pebbleAuthority(world);
      const { directoryUrl } = pebble;
      const authority = createCertificateAuthority({ directoryUrl, timeoutMs: TIMEOUT_MS });
      const name = await pebble.publish('forgotten');
      const lost = await authority.openOrder(account, name);
      await pebble.restart();
      expect(await stateOf(authority, await authority.openOrder(account, name))).toBe('waiting');
      expect(await stateOf(authority, lost)).toBe('refused');
      await pebble.close();
    });
  },
);

describe('faults of the authority', () => {
  let at: TestAuthority;
  let authority: CertificateAuthority;
  let hasty: CertificateAuthority;
  beforeAll(async () => {
    at = await standInAuthority(world);
    const { directoryUrl } = at;
    authority = createCertificateAuthority({ directoryUrl, timeoutMs: TIMEOUT_MS });
    hasty = createCertificateAuthority({ directoryUrl, timeoutMs: LOST_AFTER_MS });
    // What it asks once, it knows from here on.
    await hasty.openOrder(account, await at.publish('warm'));
  });
  const fault = (operation: string, kind: string) =>
    world.sandbox.control('POST', '/faults', { vendor: 'acme', operation, kind, times: 1 });

  it('a lost answer to each call: repeated, nothing is made twice', async () => {
    const name = await at.publish('lost');
    await fault('POST /new-order', 'timeout_after_effect');
    expect((await providerError(hasty.openOrder(account, name))).kind).toBe('unavailable');
    const order = await authority.openOrder(account, name);
    serve(await challengeOf(authority, order));
    await fault('POST /challenge/{id}', 'timeout_after_effect');
    expect((await providerError(hasty.askToLook(account, order))).kind).toBe('unavailable');
    await authority.askToLook(account, order);
    await expect.poll(() => stateOf(authority, order)).toBe('ready');
    const key = await newPrivateKey();
    await fault('POST /order/{id}/finalize', 'timeout_after_effect');
    const failed = await providerError(hasty.finalize(account, order, name, key));
    expect(failed.kind).toBe('unavailable');
    await authority.finalize(account, order, name, key);
    const leaf = new X509Certificate(await issued(authority, order));
    const ours = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    expect(leaf.publicKey.export({ type: 'spki', format: 'pem' })).toBe(ours);
    const { body } = await world.sandbox.control('GET', '/books');
    const ofName = body.certificates.orders.filter((each: { name: string }) => each.name === name);
    expect(ofName).toHaveLength(1);
  });

  it.each([
    ['error_500', 'unavailable', `${URN}serverInternal`],
    ['rate_limited', 'rate_limited', `${URN}rateLimited`],
    ['rejected', 'rejected', `${URN}rejectedIdentifier`],
    ['auth', 'rejected', `${URN}unauthorized`],
    ['reset', 'unavailable', expect.any(String)],
    ['timeout_before_effect', 'unavailable', 'timeout'],
  ])('%s is %s', async (kind, expected, providerCode) => {
    const name = await at.publish(`fault-${kind.replaceAll('_', '-')}`);
    await fault('POST /new-order', kind);
    const asking = kind.startsWith('timeout') ? hasty : authority;
    const error = await providerError(asking.openOrder(account, name));
    expect(error).toMatchObject({ kind: expected, facts: { provider: 'acme', providerCode } });
    expect(error.facts.retryAfterMs).toBe(kind === 'rate_limited' ? 2_000 : undefined);
    await authority.openOrder(account, name);
  });

  it('a refused account is for an operator', async () => {
    await fault('POST /new-account', 'auth');
    const error = await providerError(authority.openOrder(await newPrivateKey(), 'a.acme.com'));
    expect(error).toMatchObject({ kind: 'auth', facts: { providerCode: `${URN}unauthorized` } });
    expect(error.facts.operatorHint).toContain('ACME_DIRECTORY_URL');
  });

  it('a certificate that cannot be made, and a web server that is not reached', async () => {
    const name = await at.publish('later');
    const order = await readyOrder(authority, name);
    await fault('POST /order/{id}/finalize', 'fails_later');
    await authority.finalize(account, order, name, await newPrivateKey());
    await expect
      .poll(() => authority.readOrder(account, order))
      .toMatchObject({ state: 'refused', code: `${URN}serverInternal` });
    const other = await authority.openOrder(account, await at.publish('unreached'));
    await fault('POST /challenge/{id}', 'fails_later');
    await authority.askToLook(account, other);
    await expect
      .poll(() => authority.readOrder(account, other))
      .toMatchObject({ state: 'refused', code: `${URN}connection` });
  });

  it('orders that end are refused', async () => {
    const order = await authority.openOrder(account, await at.publish('ending'));
    await world.sandbox.control('DELETE', '/certificates');
    const state = await authority.readOrder(account, order);
    expect(state).toMatchObject({ state: 'refused', reason: expect.stringContaining('xpired') });
  });

  it('nobody there, and somebody else there', async () => {
    const nobody = createCertificateAuthority({
      directoryUrl: 'http://127.0.0.1:9/directory',
      timeoutMs: LOST_AFTER_MS,
    });
    const error = await providerError(nobody.openOrder(account, 'a.acme.com'));
    expect(error).toMatchObject({ kind: 'unavailable', facts: { providerCode: 'ECONNREFUSED' } });
    const server = await startJsonServer();
    server.answer = () => ({ status: 200, body: { hello: 'world' } });
    const stranger = createCertificateAuthority({
      directoryUrl: server.url,
      timeoutMs: TIMEOUT_MS,
    });
    expect(await providerError(stranger.openOrder(account, 'a.acme.com'))).toMatchObject({
      kind: 'unavailable',
      facts: { providerCode: 'unexpected_answer' },
    });
    server.close();
  });

  it('one that takes no nonce is given up after five tries', async () => {
    const server = await startJsonServer();
    server.answer = (call) => {
      if (call.startsWith('POST')) {
        return { status: 400, body: { type: `${URN}badNonce`, detail: 'no' } };
      }
      const at = (path: string) => `${server.url}/${path}`;
      const body = { newNonce: at('nonce'), newAccount: at('account'), newOrder: at('order') };
      return { status: 200, body, headers: { 'replay-nonce': 'abc' } };
    };
    const deaf = createCertificateAuthority({ directoryUrl: server.url, timeoutMs: TIMEOUT_MS });
    const error = await providerError(deaf.openOrder(account, 'a.acme.com'));
    expect(error).toMatchObject({ kind: 'unavailable', facts: { providerCode: `${URN}badNonce` } });
    expect(server.calls.filter((call) => call.startsWith('POST'))).toHaveLength(5);
    server.close();
  });

  it('503 with Retry-After is a rate limit', async () => {
    const server = await startJsonServer();
    const headers = { 'retry-after': '7' };
    server.answer = () => ({ status: 503, headers, body: 'too many requests' });
    const busy = createCertificateAuthority({ directoryUrl: server.url, timeoutMs: TIMEOUT_MS });
    const error = await providerError(busy.openOrder(account, 'a.acme.com'));
    expect(error).toMatchObject({ kind: 'rate_limited', facts: { retryAfterMs: 7_000 } });
    server.close();
  });
});
