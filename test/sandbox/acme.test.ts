/** The world's certificate authority in its own words: what it refuses, whom it looks at, what it keeps. */
import { createPublicKey } from 'node:crypto';
import { FlattenedSign, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/providers/certificates/acme.ts';
import { newPrivateKey } from '../../src/providers/certificates/keys.ts';
import { LINKS_HOST } from '../../src/sandbox/links-host.ts';
import { certificateRequest } from '../../src/providers/certificates/certificate-request.ts';
import type { CertificateAuthority } from '../../src/providers/certificates/port.ts';
import { openAccountKey } from '../../src/providers/certificates/keys.ts';
import {
  startChallengeServer,
  type ChallengeServer,
} from '../support/vendors/certificate-authorities.ts';
import { registrarAt } from '../support/vendors/registrar-world.ts';
import { startTestSandbox, type Reply, type TestSandbox } from '../support/vendors/sandbox.ts';

const URN = 'urn:ietf:params:acme:error:';
let sandbox: TestSandbox;
let web: ChallengeServer;
let authority: CertificateAuthority;
let account: string;
beforeAll(async () => {
  web = await startChallengeServer();
  sandbox = await startTestSandbox({ pace: 20, linksHttpPort: web.port, linksTlsPort: 4443 });
  await sandbox.namecom('POST', '/domains', { domain: { domainName: 'acme.com' } });
  authority = authorityAt(sandbox);
  account = await newPrivateKey();
});
afterAll(async () => {
  web.close();
  await sandbox.remove();
});

const authorityAt = ({ url }: TestSandbox) =>
  createCertificateAuthority({ directoryUrl: `${url}/acme/directory`, timeoutMs: 30_000 });
const publish = (record: object) =>
  sandbox.namecom('POST', '/domains/acme.com/records', { ttl: 300, ...record });
const alias = async (label: string): Promise<string> => {
  await publish({ host: label, type: 'CNAME', answer: LINKS_HOST });
  return `${label}.acme.com`;
};
const at = (path: string) => `${sandbox.url}/acme${path}`;

interface Signing {
  key?: string;
  header?: object;
  payload?: object | '';
}

async function post(path: string, { key = account, header, payload = '' }: Signing = {}) {
  const nonce = (await sandbox.ask('GET', '/acme/new-nonce')).headers.get('replay-nonce');
  const text = payload === '' ? '' : JSON.stringify(payload);
  const { privateKey, jwk } = await openAccountKey(key);
  const body = await new FlattenedSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ES256', nonce, url: at(path), jwk, ...header } as { alg: string })
    .sign(privateKey);
  const headers = { 'content-type': 'application/jose+json', 'user-agent': 'test' };
  return sandbox.ask('POST', `/acme${path}`, body, headers);
}

/** Good nonces are refused now and then: everybody has to ask again. */
async function persistent(path: string, signing: Signing = {}): Promise<Reply> {
  const answer = await post(path, signing);
  return answer.body?.type === `${URN}badNonce` ? post(path, signing) : answer;
}

const newAccount = (signing: Signing = {}) =>
  persistent('/new-account', { payload: { termsOfServiceAgreed: true }, ...signing });
const kidOf = async (): Promise<string> => (await newAccount()).headers.get('location')!;

/** An order of the name that is proven. */
async function proven(name: string): Promise<string> {
  const order = await authority.openOrder(account, name);
  const state = await authority.readOrder(account, order);
  if (state.state !== 'waiting') throw new Error(state.state);
  web.answers.set(state.challenge.token, state.challenge.keyAuthorization);
  await authority.askToLook(account, order);
  return order;
}

describe('a signed request', () => {
  it('makes an account once, and only for who agrees to the terms', async () => {
    const key = await newPrivateKey();
    const silent = await newAccount({ key, payload: {} });
    expect(silent).toMatchObject({ status: 400, body: { type: `${URN}malformed` } });
    expect(silent.headers.get('content-type')).toContain('application/problem+json');
    const none = await newAccount({ key, payload: { onlyReturnExisting: true } });
    expect(none.body.type).toBe(`${URN}accountDoesNotExist`);
    const made = await newAccount({ key });
    expect(made.status).toBe(201);
    const again = await newAccount({ key });
    expect(again.status).toBe(200);
    expect(again.headers.get('location')).toBe(made.headers.get('location'));
  });

  it('is refused for another address, another key, and without a good nonce', async () => {
    const other = await newAccount({ header: { url: at('/new-order') } });
    expect(other).toMatchObject({ status: 403, body: { type: `${URN}unauthorized` } });
    const jwk = createPublicKey(await newPrivateKey()).export({ format: 'jwk' }) as JWK;
    expect((await newAccount({ header: { jwk } })).body.type).toBe(`${URN}malformed`);
    const stale = await post('/new-account', { header: { nonce: 'made-up' } });
    expect(stale.body.type).toBe(`${URN}badNonce`);
    expect(stale.headers.get('replay-nonce')).toMatch(/^[\w-]{22}$/);
    const kid = at('/account/4711');
    const unknown = await persistent('/new-order', { header: { kid, jwk: undefined } });
    expect(unknown.body.type).toBe(`${URN}accountDoesNotExist`);
    const plain = await sandbox.ask('POST', '/acme/new-account', { payload: '' });
    expect(plain.status).toBe(415);
  });

  it('with a good nonce is refused every sixth time', async () => {
    const answers: string[] = [];
    for (let each = 0; each < 12; each += 1) {
      const { body } = await post('/new-account', { payload: { termsOfServiceAgreed: true } });
      answers.push(String(body.type ?? 'taken'));
    }
    expect(answers.filter((each) => each === `${URN}badNonce`)).toHaveLength(2);
  });
});

describe('a request for a certificate', () => {
  it('is refused for another name, for the account’s own key, and where it is none', async () => {
    const name = await alias('requests');
    const order = await proven(name);
    await expect.poll(async () => (await authority.readOrder(account, order)).state).toBe('ready');
    const kid = await kidOf();
    const path = `${new URL(order).pathname.replace('/acme', '')}/finalize`;
    const finalize = (csr: string) =>
      persistent(path, { header: { kid, jwk: undefined }, payload: { csr } });
    const key = await newPrivateKey();
    const csrOf = (of: string, by: string) => certificateRequest(of, by).toString('base64url');
    for (const csr of [csrOf('other.acme.com', key), csrOf(name, account), 'nonsense']) {
      const { status, body } = await finalize(csr);
      expect({ status, type: body.type }).toEqual({ status: 400, type: `${URN}badCSR` });
    }
    expect((await finalize(csrOf(name, key))).body.status).toBe('processing');
  });
});

describe('CAA records', () => {
  const refusal = async (name: string) => {
    const order = await proven(name);
    const state = () => authority.readOrder(account, order);
    await expect.poll(async () => (await state()).state).not.toBe('waiting');
    const found = await state();
    return found.state === 'refused' ? found.code : found.state;
  };

  it('of the domain forbid us, of a name below it let us', async () => {
    // Name.com has none.
    const registrar = registrarAt({ sandbox: () => sandbox }, 'porkbun');
    const domain = 'strict.com';
    await registrar.register(domain, 3_000, 'key-strict');
    const create = (type: 'CAA' | 'CNAME', name: string, value: string) =>
      registrar.createRecord(domain, { type, name, value, ttl: 600 });
    await create('CAA', '@', '0 issue "other.test"');
    await create('CNAME', 'links', LINKS_HOST);
    await create('CAA', 'eu', '0 issue "ca.sandbox.test; account=1"');
    await create('CNAME', 'links.eu', LINKS_HOST);
    expect(await refusal(`links.${domain}`)).toBe(`${URN}caa`);
    expect(await refusal(`links.eu.${domain}`)).toBe('ready');
  });
});

describe('a name', () => {
  it('that does not exist, or that nobody serves, is refused as such', async () => {
    const missing = await proven('nowhere.acme.com');
    await expect
      .poll(() => authority.readOrder(account, missing))
      .toMatchObject({
        state: 'refused',
        code: `${URN}dns`,
        reason: expect.stringMatching(/NXDOMAIN/),
      });
    await publish({ host: 'closed', type: 'A', answer: '198.18.77.7' });
    const closed = await proven('closed.acme.com');
    await expect
      .poll(() => authority.readOrder(account, closed))
      .toMatchObject({ state: 'refused', code: `${URN}connection` });
  });

  it('that is a CNAME to the links host leads to the product’s ports', async () => {
    const name = await alias('clicks');
    const dial = async (port: number) =>
      (await sandbox.control('GET', `/dial?host=${name}&port=${port}`)).body;
    expect(await dial(80)).toEqual({ host: '127.0.0.1', port: web.port });
    expect(await dial(443)).toEqual({ host: '127.0.0.1', port: 4443 });
    const { body } = await sandbox.control('GET', '/dns?name=links.outreach.test');
    expect(body.records).toMatchObject([{ type: 'A', value: '198.19.255.251' }]);
  });

  it('leads to the machine of the product, where that is another one', async () => {
    const ports = { linksHttpPort: web.port, linksTlsPort: 9 };
    const apart = await startTestSandbox({ pace: 20, ...ports, linksAddress: 'localhost' });
    try {
      const at = async (port: number) => {
        const { body } = await apart.control('GET', `/dial?host=${LINKS_HOST}&port=${port}`);
        return `http://${body.host}:${body.port}`;
      };
      expect(await at(80)).not.toBe(`http://127.0.0.1:${web.port}`);
      web.answers.set('a-token-at-a-distance', 'its answer');
      const path = '/.well-known/acme-challenge/a-token-at-a-distance';
      const answer = await fetch((await at(80)) + path, { headers: { connection: 'close' } });
      expect([answer.status, await answer.text()]).toEqual([200, 'its answer']);
      // Nobody listens there (yet): the sandbox is started before the API.
      await expect(fetch((await at(443)) + path)).rejects.toThrow(/fetch failed/);
    } finally {
      await apart.remove();
    }
  });
});

describe('a restart', () => {
  it('keeps accounts and orders, goes on with what was in work, and forgets nonces', async () => {
    const name = await alias('restart');
    const order = await authority.openOrder(account, name);
    const state = await authority.readOrder(account, order);
    if (state.state !== 'waiting') throw new Error(state.state);
    web.answers.set(state.challenge.token, state.challenge.keyAuthorization);
    await authority.askToLook(account, order);
    const nonce = (await sandbox.ask('GET', '/acme/new-nonce')).headers.get('replay-nonce');
    const kid = await kidOf();
    sandbox = await sandbox.restart();
    authority = authorityAt(sandbox);
    const moved = order.replace(/^https?:\/\/[^/]+/, sandbox.url);
    expect((await post('/new-account', { header: { nonce } })).body.type).toBe(`${URN}badNonce`);
    expect(new URL(await kidOf()).pathname).toBe(new URL(kid).pathname);
    await expect.poll(async () => (await authority.readOrder(account, moved)).state).toBe('ready');
    await authority.finalize(account, moved, name, await newPrivateKey());
    sandbox = await sandbox.restart();
    authority = authorityAt(sandbox);
    const again = moved.replace(/^https?:\/\/[^/]+/, sandbox.url);
    await expect.poll(async () => (await authority.readOrder(account, again)).state).toBe('issued');
  });
});
