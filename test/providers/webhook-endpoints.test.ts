/** No spelling of an address, no redirect and no DNS answer makes us post to what is inside. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookEndpoints } from '../../src/providers/webhook-endpoints/index.ts';
import type { WebhookEndpoints } from '../../src/providers/webhook-endpoints/port.ts';
import { forbiddenHosts, innerIpv4 } from '../support/websites/address-forms.ts';
import { startWebWorld, type WebWorld } from '../support/websites/web-world.ts';

let world: WebWorld;
let endpoints: WebhookEndpoints;
let socketsOpened = 0;
const count = () => (socketsOpened += 1);

const options = () => ({ ...world.options, allowHttp: true, timeoutMs: 3_000 });

beforeAll(async () => {
  world = await startWebWorld();
  endpoints = createWebhookEndpoints(options());
  subscribe('net.client.socket', count);
});
afterAll(async () => {
  unsubscribe('net.client.socket', count);
  await world.close();
});
beforeEach(() => {
  socketsOpened = 0;
  world.socks.asked.length = 0;
});

const deliver = (url: string, by = endpoints) =>
  by.deliver({ url, secrets: ['whsec_x'], eventId: 'evt_1', body: '{}' });

describe('an address that is not public', () => {
  it('is refused at creation and at the dial, in every spelling, before a socket opens', async () => {
    const through: string[] = [];
    for (const host of forbiddenHosts()) {
      for (const url of [`http://${host}/`, `https://${host}/hook?a=b`, `http://${host}:8080/`]) {
        const { error } = await deliver(url);
        if (endpoints.refusal(url) === undefined || error === null) through.push(url);
      }
    }
    expect(through).toEqual([]);
    expect(socketsOpened).toBe(0);
  });

  it('is refused behind a name, also beside a public one, without a proxy too', async () => {
    const direct = createWebhookEndpoints({ ...options(), outboundProxy: undefined });
    for (const [n, inner] of innerIpv4.entries()) {
      world.records.set(`inner-${n}.example.com`, [inner]);
      world.records.set(`both-${n}.example.com`, ['203.0.114.7', inner]);
      for (const host of [`inner-${n}.example.com`, `both-${n}.example.com`]) {
        expect(endpoints.refusal(`http://${host}/`)).toBeUndefined();
        const { error } = await deliver(`http://${host}/`, direct);
        expect(error).toBe('The endpoint leads to an address that is not public');
      }
    }
    expect(socketsOpened).toBe(0);
  });

  it('is not dialled when the name’s answer changes', async () => {
    const address = world.site('rebind.example.com', (_request, response) => response.end());
    let lookups = 0;
    const dns = {
      resolveA: () => Promise.resolve([(lookups += 1) % 2 === 1 ? address : '127.0.0.1']),
    };
    const rebound = createWebhookEndpoints({ ...options(), dns });
    const errors = [];
    for (let n = 0; n < 4; n++) {
      errors.push((await deliver('http://rebind.example.com/', rebound)).error);
    }
    const forbidden = 'The endpoint leads to an address that is not public';
    expect(errors).toEqual([null, forbidden, null, forbidden]);
    expect(new Set(world.socks.asked.map(({ host }) => host))).toEqual(new Set([address]));
  });

  it('is not dialled when the endpoint redirects there', async () => {
    world.site('redirect.example.com', (_request, response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    });
    const answer = await deliver('http://redirect.example.com/');
    expect(answer).toEqual({ status: 307, error: expect.stringContaining('not followed') });
    expect(world.socks.asked).toHaveLength(1);
  });
});

describe('the address of an endpoint', () => {
  it.each([
    ['http://user:secret@hooks.example.com/', 'user name'],
    ['https://hooks.example.com:25/', 'port'],
    ['https://hooks.example.com:22/', 'port'],
    ['ftp://hooks.example.com/', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['hooks', 'web address'],
    [`https://hooks.example.com/${'x'.repeat(3_000)}`, 'web address'],
  ])('%s is refused', (url, words) => {
    expect(endpoints.refusal(url)).toContain(words);
  });

  it('must be https in production', () => {
    const production = createWebhookEndpoints({ ...options(), allowHttp: false });
    expect(production.refusal('http://hooks.example.com/')).toContain('https://');
    expect(production.refusal('https://hooks.example.com:8443/a')).toBeUndefined();
  });
});

describe('a delivery', () => {
  it('is posted over TLS to the address that was looked up, and only there', async () => {
    const bodies: string[] = [];
    const address = world.site('tls.example.com', (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(204).end());
    });
    expect(await deliver('https://tls.example.com/hook')).toEqual({ status: 204, error: null });
    expect(bodies).toEqual(['{}']);
    expect(world.socks.asked).toEqual([{ host: address, port: 443 }]);
  });

  it('fails at a certificate of another name, a closed port and a missing name', async () => {
    world.site('other.example.com', () => undefined, { certificateFor: ['else.example.com'] });
    const errors = [];
    for (const url of [
      'https://other.example.com/',
      'http://other.example.com:9999/',
      'http://nobody.example.com/',
    ]) {
      errors.push((await deliver(url)).error);
    }
    expect(errors).toEqual([
      'The endpoint’s certificate is not valid',
      'The endpoint refuses connections',
      'The endpoint has no address',
    ]);
  });

  it('is cut off by its caller alone with a rejection', async () => {
    world.site('slow.example.com', () => undefined);
    const ending = new AbortController();
    const message = { url: 'http://slow.example.com/', secrets: ['x'], eventId: 'e', body: '{}' };
    const work = endpoints.deliver({ ...message, signal: ending.signal });
    setTimeout(() => ending.abort(), 50);
    await expect(work).rejects.toThrow('aborted');
  });
});
