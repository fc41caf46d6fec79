/** The world's network: DNS as Node's resolver sees it, and the proxy as `socks` uses it. */
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SocksClient } from 'socks';
import { createCore } from '../../src/sandbox/core.ts';
import { startSocksServer, type SocksServer } from '../../src/sandbox/socks-server.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
let resolver: Resolver;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
  resolver = new Resolver({ timeout: 20_000, tries: 1 });
  resolver.setServers([sandbox.dns]);
  await sandbox.namecom('POST', '/domains', { domain: { domainName: 'acme.com' } });
});
afterAll(() => sandbox.remove());

const publish = (record: object) =>
  sandbox.namecom('POST', '/domains/acme.com/records', { ttl: 300, ...record });

/** As the vendor takes texts of more than 255 bytes. */
const inPieces = (text: string) =>
  text
    .match(/.{1,255}/g)!
    .map((piece) => `"${piece}"`)
    .join(' ');

describe('the DNS server', () => {
  it('answers A, MX, CNAME, SRV and TXT from what the registrar holds', async () => {
    await publish({ host: 'mail', type: 'A', answer: '198.18.0.7' });
    await publish({ host: '', type: 'MX', answer: 'mail.acme.com', priority: 10 });
    await publish({ host: 'www', type: 'CNAME', answer: 'mail.acme.com' });
    await publish({ host: '@', type: 'TXT', answer: 'v=spf1 mx -all' });
    await publish({ host: '_imaps._tcp', type: 'SRV', answer: '0 993 mail.acme.com', priority: 5 });
    expect(await resolver.resolve4('mail.acme.com')).toEqual(['198.18.0.7']);
    expect(await resolver.resolve4('WWW.acme.com')).toEqual(['198.18.0.7']);
    // Node 24 adds a `type`.
    expect(await resolver.resolveMx('acme.com')).toMatchObject([
      { exchange: 'mail.acme.com', priority: 10 },
    ]);
    expect(await resolver.resolveTxt('acme.com')).toEqual([['v=spf1 mx -all']]);
    expect(await resolver.resolveSrv('_imaps._tcp.acme.com')).toMatchObject([
      { name: 'mail.acme.com', port: 993, priority: 5, weight: 0 },
    ]);
  });

  it('splits a long TXT into strings of 255 bytes', async () => {
    const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
    await publish({ host: 's1._domainkey', type: 'TXT', answer: inPieces(key) });
    const [strings] = await resolver.resolveTxt('s1._domainkey.acme.com');
    expect(strings!.map((string) => string.length)).toEqual([255, key.length - 255]);
    expect(strings!.join('')).toBe(key);
  });

  it('answers over 512 bytes by TCP on the same port', async () => {
    const long = ['x', 'y', 'z'].map((message) => message.repeat(400));
    for (const text of long) await publish({ host: 'long', type: 'TXT', answer: inPieces(text) });
    const answers = await resolver.resolveTxt('long.acme.com');
    expect(answers.map((strings) => strings.join('')).toSorted()).toEqual(long);
  });

  it('tells a name that is not there from one without such a record', async () => {
    await expect(resolver.resolve4('nobody.acme.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve4('acme.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolve4('_domainkey.acme.com')).rejects.toMatchObject({
      code: 'ENODATA',
    });
    await expect(resolver.resolve4('elsewhere.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('misbehaves when the control API says so', async () => {
    const fault = (kind: string, more = {}) =>
      sandbox.control('POST', '/faults', { vendor: 'dns', kind, times: 1, ...more });
    await fault('error_500', { operation: 'A /mail.acme.com' });
    await expect(resolver.resolve4('mail.acme.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await fault('timeout_before_effect');
    const hasty = new Resolver({ timeout: 1_000, tries: 1 });
    hasty.setServers([sandbox.dns]);
    await expect(hasty.resolve4('mail.acme.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    await fault('lag', { delayMs: 600_000 });
    await expect(resolver.resolve4('mail.acme.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(await resolver.resolve4('mail.acme.com')).toEqual(['198.18.0.7']);
  });
});

describe('the proxy', () => {
  let socks: SocksServer;
  let greeter: Server;
  let greeterPort: number;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    greeter = createServer((socket) => socket.end('220 hello'));
    await new Promise<void>((resolve) => greeter.listen(0, '127.0.0.1', resolve));
    greeterPort = (greeter.address() as AddressInfo).port;
    const options = { stateDir: `${sandbox.stateDir}/proxy`, port: 0, dnsPort: 0, socksPort: 0 };
    const webhook = { webhookUrl: 'http://127.0.0.1:9/', webhookSecret: 'whsec_test' };
    const { core, close } = await createCore({ ...options, ...webhook, pace: 1 });
    core.zone.addSource({
      hasName: () => false,
      records: (name) =>
        name === 'mail.acme.com' ? [{ name, type: 'A', value: '198.18.0.7', ttlSeconds: 300 }] : [],
    });
    core.hosts.register('198.18.0.7', 25, greeterPort);
    socks = await startSocksServer(core);
    stop = () => {
      close();
      return socks.close();
    };
  });
  afterAll(async () => {
    await stop();
    greeter.close();
  });

  const connect = async (host: string, port: number): Promise<string> => {
    const { hostname, port: proxyPort } = new URL(socks.url);
    const { socket } = await SocksClient.createConnection({
      proxy: { host: hostname, port: Number(proxyPort), type: 5 },
      command: 'connect',
      destination: { host, port },
    });
    // `socks` hands early bytes over as a 'data' event, which a reader of streams would miss.
    let received = '';
    socket.on('data', (part: Buffer) => (received += part.toString()));
    await once(socket.resume(), 'end');
    return received;
  };

  it('maps a name and an address of the world to where the host really listens', async () => {
    expect(await connect('mail.acme.com', 25)).toBe('220 hello');
    expect(await connect('198.18.0.7', 25)).toBe('220 hello');
  });

  it('dials any other address as asked, private ones too', async () => {
    expect(await connect('127.0.0.1', greeterPort)).toBe('220 hello');
  });

  it('refuses a closed port and does not reach a host that is not there', async () => {
    await expect(connect('198.18.0.7', 26)).rejects.toThrow('ConnectionRefused');
    await expect(connect('198.18.0.99', 25)).rejects.toThrow('HostUnreachable');
  });

  it('notes every connection', () => {
    const seen = socks.connections().map(({ host, port, status }) => `${host}:${port} ${status}`);
    expect(seen).toEqual([
      'mail.acme.com:25 REQUEST_GRANTED',
      '198.18.0.7:25 REQUEST_GRANTED',
      `127.0.0.1:${greeterPort} REQUEST_GRANTED`,
      '198.18.0.7:26 CONNECTION_REFUSED',
      '198.18.0.99:25 HOST_UNREACHABLE',
    ]);
  });
});
