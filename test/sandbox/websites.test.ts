/** Business websites by the control API: bytes as given, by name through DNS and proxy, http and https. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTransport } from 'nodemailer';
import { SocksClient } from 'socks';
import { LOST_AFTER_MS, startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { cpuMs } from '../support/cpu-time.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.remove());

interface Visit {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** As the crawler goes: resolve, tunnel to the literal address, TLS for the name. */
async function visit(url: string, limitMs = 30_000): Promise<Visit> {
  const { protocol, hostname, pathname, search } = new URL(url);
  const { body: dns } = await sandbox.control('GET', `/dns?name=${hostname}`);
  const address = dns.records[0]?.value as string | undefined;
  if (address === undefined) throw new Error(`no address of ${hostname}`);
  const isSecure = protocol === 'https:';
  const { hostname: host, port } = new URL(sandbox.socks);
  const { socket } = await SocksClient.createConnection({
    proxy: { host, port: Number(port), type: 5 },
    command: 'connect',
    destination: { host: address, port: isSecure ? 443 : 80 },
  });
  const ca = readFileSync(sandbox.caFile);
  const stream = isSecure ? connectTls({ socket, servername: hostname, ca }) : socket;
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        createConnection: () => stream,
        headers: { host: hostname },
        path: pathname + search,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      },
    );
    const timer = setTimeout(() => asked.destroy(new Error('no answer')), limitMs);
    asked.on('close', () => clearTimeout(timer));
    asked.on('error', reject).end();
  });
}

const put = (host: string, pages: object) => sandbox.control('PUT', `/sites/${host}`, { pages });
const text = async (url: string) => (await visit(url)).body.toString();

describe('PUT /_sandbox/sites/:host', () => {
  it('answers on http and https, with a certificate of the world for the name', async () => {
    const { status, body } = await put('acme-bakery.de', { '/': { body: '<h1>Bäckerei</h1>' } });
    expect(status).toBe(200);
    expect(body.address).toMatch(/^198\.1[89]\./);
    const { headers, ...plain } = await visit('http://acme-bakery.de/');
    expect(plain).toEqual({ status: 200, body: Buffer.from('<h1>Bäckerei</h1>') });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(await text('https://acme-bakery.de/')).toBe('<h1>Bäckerei</h1>');
  });

  it('gives bytes, types, statuses and headers as they were put', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0xe4, 0x0a]);
    await put('bytes.test', {
      '/latin1': { bodyBase64: bytes.toString('base64'), contentType: 'text/html' },
      '/gone': { status: 410, body: 'gone' },
      '/moved': {
        status: 301,
        headers: { Location: 'https://www.bytes.test/', 'X-A': ['1', '2'] },
      },
      '/untyped': { contentType: null, body: 'x' },
      '/404': { status: 404, body: 'mine' },
    });
    expect((await visit('http://bytes.test/latin1')).body).toEqual(bytes);
    expect((await visit('http://bytes.test/latin1')).headers['content-type']).toBe('text/html');
    expect((await visit('http://bytes.test/gone')).status).toBe(410);
    const moved = await visit('http://bytes.test/moved');
    expect(moved.status).toBe(301);
    expect(moved.headers.location).toBe('https://www.bytes.test/');
    expect((await visit('http://bytes.test/untyped')).headers).not.toHaveProperty('content-type');
    expect((await visit('http://bytes.test/nowhere')).status).toBe(404);
  });

  it('knows queries, encoded paths and international names', async () => {
    await put('BÜCHER.test', {
      '/über-uns': { body: 'about' },
      '/p?id=1': { body: 'one' },
      '/p': { body: 'any' },
    });
    const host = 'xn--bcher-kva.test';
    expect(await text(`http://${host}/%C3%BCber-uns`)).toBe('about');
    expect(await text(`http://${host}/p?id=1`)).toBe('one');
    expect(await text(`http://${host}/p?id=2`)).toBe('any');
    expect(await text(`http://${host}/%C3%BCber-uns?utm_source=x`)).toBe('about');
  });

  it('takes a page of 16 MB', async () => {
    const bytes = Buffer.alloc(16 * 1024 * 1024, 'é');
    await put('large.test', { '/': { bodyBase64: bytes.toString('base64') } });
    expect((await visit('http://large.test/')).body.equals(bytes)).toBe(true);
    await sandbox.control('DELETE', '/sites/large.test');
  });

  it('waits delayMs of real time', async () => {
    await put('late.test', { '/': { body: 'late', delayMs: 200 } });
    const began = performance.now();
    expect(await text('http://late.test/')).toBe('late');
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  it.each([
    ['a host that is no name', 'not a host', { pages: {} }],
    ['no pages', 'x.test', {}],
    ['two bodies', 'x.test', { pages: { '/': { body: 'a', bodyBase64: 'YQ==' } } }],
    ['a header that cannot be sent', 'x.test', { pages: { '/': { headers: { 'a b': 'c' } } } }],
    ['an unknown field', 'x.test', { pages: { '/': { text: 'a' } } }],
  ])('400 for %s', async (_what, host, body) => {
    expect((await sandbox.control('PUT', `/sites/${encodeURIComponent(host)}`, body)).status).toBe(
      400,
    );
  });

  it('replaces the pages, and DELETE takes the name away', async () => {
    const first = await put('twice.test', { '/a': { body: 'a' } });
    const second = await put('twice.test', { '/b': { body: 'b' } });
    expect(second.body.address).toBe(first.body.address);
    expect((await visit('http://twice.test/a')).status).toBe(404);
    expect(await text('http://twice.test/b')).toBe('b');
    await sandbox.control('DELETE', '/sites/twice.test');
    await expect(visit('http://twice.test/b')).rejects.toThrow('no address');
  });

  it('makes the host a domain with mail', async () => {
    await put('www.mail-example.de', { '/': { body: 'x' } });
    for (const name of ['www.mail-example.de', 'mail-example.de']) {
      const { body } = await sandbox.control('GET', `/dns?name=${name}&type=MX`);
      expect(body.records).toHaveLength(1);
    }
    const { body } = await sandbox.control('GET', '/dns?name=elsewhere.de&type=MX');
    expect(body).toMatchObject({ exists: false, records: [] });
  });

  it('has its mail taken by the exchangers of the world, magic recipients included', async () => {
    await put('www.letters-example.de', { '/': { body: 'x' } });
    const { body } = await sandbox.control('GET', '/dns?name=letters-example.de&type=MX');
    const { body: exchanger } = await sandbox.control(
      'GET',
      `/dial?host=${body.records[0].value}&port=25`,
    );
    const transport = createTransport({ ...exchanger, ignoreTLS: true });
    const send = (to: string) =>
      transport.sendMail({ from: 'me@elsewhere.test', to, subject: 'Hello', text: 'Hello' });
    await expect(send('info@letters-example.de')).resolves.toMatchObject({
      accepted: ['info@letters-example.de'],
    });
    await expect(send('bounce-1@letters-example.de')).rejects.toThrow('no such user');
    await expect(send('info@nobodys-example.de')).rejects.toThrow('Relay access denied');
  });

  it('is kept over a restart, addresses included', async () => {
    const { body } = await put('kept.test', { '/': { body: 'kept' } });
    sandbox = await sandbox.restart();
    expect(await text('https://kept.test/')).toBe('kept');
    expect((await sandbox.control('GET', '/sites/kept.test')).body).toMatchObject({
      address: body.address,
      pages: { '/': { body: 'kept' } },
    });
  });

  it('holds thousands of hosts, each with its own address', async () => {
    const hosts = Array.from({ length: 3_000 }, (_, i) => `many-${i}.test`);
    const putAll = async () => {
      for (let i = 0; i < hosts.length; i += 1_000) {
        const sites = Object.fromEntries(
          hosts.slice(i, i + 1_000).map((host) => [host, { pages: { '/': { body: host } } }]),
        );
        expect((await sandbox.control('PUT', '/sites', { sites })).status).toBe(200);
      }
    };
    expect(await cpuMs(putAll)).toBeLessThan(5_000);
    expect(await text('https://many-0.test/')).toBe('many-0.test');
    expect(await text('https://many-2999.test/')).toBe('many-2999.test');
    const { body } = await sandbox.control('GET', '/sites');
    const addresses = body.sites.map((each: { address: string }) => each.address);
    expect(new Set(addresses).size).toBe(body.sites.length);
  });
});

describe('faults of sites', () => {
  it.each([
    ['error_500', 500],
    ['rate_limited', 429],
    ['rejected', 403],
    ['auth', 401],
  ])('%s: answered %i', async (kind, status) => {
    await put('bad.test', { '/': { body: 'good' } });
    await sandbox.control('POST', '/faults', { vendor: 'sites', kind, times: 1 });
    expect((await visit('http://bad.test/')).status).toBe(status);
    expect(await text('http://bad.test/')).toBe('good');
  });

  it('slow: the page comes once the fault is taken away', async () => {
    await put('slow.test', { '/': { body: 'good' } });
    const slow = { vendor: 'sites', kind: 'slow', delayMs: 60_000 };
    const { body } = await sandbox.control('POST', '/faults', slow);
    const began = performance.now();
    let isAnswered = false;
    const page = text('http://slow.test/').finally(() => (isAnswered = true));
    await sleep(300);
    expect(isAnswered).toBe(false);
    await sandbox.control('DELETE', `/faults/${body.id}`);
    expect(await page).toBe('good');
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('reset and time-out, aimed at a path or a host', async () => {
    await put('one.test', { '/a': { body: 'a' } });
    await put('two.test', { '/a': { body: 'a' } });
    const fault = (kind: string, operation: string) =>
      sandbox.control('POST', '/faults', { vendor: 'sites', kind, operation });
    await fault('reset', 'GET /one.test/*');
    await expect(visit('http://one.test/a')).rejects.toThrow('socket');
    expect(await text('http://two.test/a')).toBe('a');
    await sandbox.control('DELETE', '/faults');
    await fault('timeout_before_effect', 'GET /a');
    await expect(visit('http://two.test/a', LOST_AFTER_MS)).rejects.toThrow('no answer');
    const { body } = await sandbox.control('GET', '/requests?vendor=sites');
    expect(body.requests.at(-1)).toMatchObject({
      path: 'http://two.test/a',
      status: null,
      fault: 'timeout_before_effect',
    });
  });
});
