/** The verifiers' stand-ins in their own words, their accounts, and the lab's place in the DNS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadProviderSpec, specMissing } from '../support/vendors/provider-spec.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.remove());

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${sandbox.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the vendor answers
  return { status: answer.status, body: (await answer.json()) as any };
}

const reacher = (to_email: string, key = 'reacher-sandbox-key') =>
  ask('/reacher/v0/check_email', { to_email }, { authorization: key });
const KEY = 'zerobounce-sandbox-key';
const zerobounce = (email: string, key = KEY) =>
  ask(`/zerobounce/v2/validate?api_key=${key}&email=${encodeURIComponent(email)}&ip_address=`);
const books = async () => (await sandbox.control('GET', '/books')).body.verifiers;

describe('Reacher', () => {
  it.each([
    ['ann@acme.test', 'safe'],
    ['info@acme.test', 'risky'],
    ['ann@catchall-1.test', 'risky'],
    ['disposable-1@acme.test', 'risky'],
    ['invalid-1@acme.test', 'invalid'],
    ['bounce-1@acme.test', 'invalid'],
    ['unknown-1@acme.test', 'unknown'],
    ['no address', 'invalid'],
  ])('calls %s %s', async (email, is_reachable) => {
    const { status, body } = await reacher(email);
    expect({ status, body }).toMatchObject({ status: 200, body: { input: email, is_reachable } });
  });

  const missing = specMissing('reacher.json');
  it.skipIf(missing)(`answers as its spec says${missing ? ` (${missing})` : ''}`, async () => {
    const spec = loadProviderSpec('reacher.json')!;
    for (const local of ['ann', 'info', 'invalid-1', 'unknown-1', 'disposable-1']) {
      const { status, body } = await reacher(`${local}@acme.test`);
      expect(spec.validateResponse('POST', '/v0/check_email', status, body)).toEqual([]);
    }
  });

  it('refuses strangers, faults and empty accounts with an error text', async () => {
    expect(await reacher('ann@acme.test', 'wrong')).toMatchObject({
      status: 401,
      body: { error: expect.any(String) },
    });
    await sandbox.control('PUT', '/credits', { vendor: 'reacher', credits: 0 });
    expect((await reacher('ann@acme.test')).status).toBe(402);
    await sandbox.control('PUT', '/credits', { vendor: 'reacher', credits: 100 });
    await sandbox.control('POST', '/faults', { vendor: 'reacher', kind: 'rate_limited', times: 1 });
    expect((await reacher('ann@acme.test')).status).toBe(429);
  });
});

describe('ZeroBounce', () => {
  it.each([
    ['ann@acme.test', 'valid', ''],
    ['info@acme.test', 'do_not_mail', 'role_based'],
    ['invalid-1@acme.test', 'invalid', 'mailbox_not_found'],
    ['unknown-1@acme.test', 'unknown', 'mail_server_did_not_respond'],
    ['disposable-1@acme.test', 'do_not_mail', 'disposable'],
    ['ann@catchall-1.test', 'catch-all', ''],
    ['spamtrap@example.com', 'spamtrap', ''],
  ])('calls %s %s (%s)', async (email, status, sub_status) => {
    expect((await zerobounce(email)).body).toMatchObject({ address: email, status, sub_status });
  });

  it('answers 200 with one sentence for a wrong key and for no credits; getcredits tells', async () => {
    const credits = async (key: string) =>
      (await ask(`/zerobounce/v2/getcredits?api_key=${key}`)).body;
    const stranger = await zerobounce('ann@acme.test', 'wrong');
    expect(stranger).toMatchObject({ status: 200, body: { error: expect.any(String) } });
    expect(await credits('wrong')).toEqual({ Credits: '-1' });
    await sandbox.control('PUT', '/credits', { vendor: 'zerobounce', credits: 0 });
    expect(await zerobounce('ann@acme.test')).toEqual(stranger);
    expect(await credits(KEY)).toEqual({ Credits: '0' });
    await sandbox.control('PUT', '/credits', { vendor: 'zerobounce', credits: 100 });
  });

  it('takes a batch, and charges for what it can tell', async () => {
    const before = (await books()).zerobounce;
    const email_batch = ['a@acme.test', 'unknown-a@acme.test'].map((email_address) => ({
      email_address,
      ip_address: null,
    }));
    const { body } = await ask('/zerobounce/v2/validatebatch', { api_key: KEY, email_batch });
    expect(body.email_batch.map(({ status }: { status: string }) => status)).toEqual([
      'valid',
      'unknown',
    ]);
    expect((await books()).zerobounce).toMatchObject({
      requests: before.requests + 1,
      credits: before.credits + 1,
    });
  });
});

describe('the lab', () => {
  const dns = async (name: string, type: string) =>
    (await sandbox.control('GET', `/dns?name=${name}&type=${type}`)).body;

  it('has exchangers of its own for its domains, and none where the name says so', async () => {
    expect(await dns('plain-7.mxlab.test', 'MX')).toMatchObject({
      records: [{ value: 'mx.plain-mxlab.test' }],
    });
    expect(await dns('null-mx.mxlab.test', 'MX')).toMatchObject({ records: [{ value: '.' }] });
    expect(await dns('no-mx.mxlab.test', 'MX')).toMatchObject({ exists: true, records: [] });
    expect(await dns('nonsense.mxlab.test', 'MX')).toMatchObject({ exists: false, records: [] });
    expect((await dns('a-only.mxlab.test', 'A')).records).toHaveLength(1);
    expect((await dns('acme.test', 'MX')).records).toHaveLength(1);
  });

  it('takes the mail of large providers', async () => {
    expect(await dns('gmail.com', 'MX')).toMatchObject({
      records: [{ value: 'mx.large-mxlab.test' }],
    });
  });

  it('can be dialled by name from outside the world', async () => {
    const { body } = await sandbox.control('GET', '/dial?host=mx.plain-mxlab.test&port=25');
    expect(body).toMatchObject({ host: '127.0.0.1', port: expect.any(Number) });
  });
});
