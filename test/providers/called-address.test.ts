/** A mail server that a stranger named is called at the address that was judged, and at no other. Choice 105. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';
import { startSocksListener, type SocksListener } from '../support/tools/socks-listener.ts';

const HOST = 'mail.stranger.test';
const ACCESS = {
  host: HOST,
  email: 'a@stranger.test',
  password: 'p',
  servers: {
    username: 'a',
    smtp: { host: HOST, port: 465, tls: 'tls' as const },
    imap: { host: HOST, port: 993, tls: 'tls' as const },
  },
};
const MESSAGE = { to: ACCESS.email, subject: 's', text: 't', messageId: '<m@stranger.test>' };
const RELAY = { host: HOST, port: 465, user: 'a', password: 'p', isTls: true, name: 'us.test' };

let proxy: SocksListener;
/** What the resolver of the stranger says, one after the other; the last for good. */
let answers: string[][];
let transport: MailTransport;

beforeAll(async () => {
  proxy = await startSocksListener(() => undefined);
});
afterAll(() => proxy?.close());
beforeEach(() => {
  proxy.asked.length = 0;
  const resolveA = async () => (answers.length > 1 ? answers.shift()! : answers[0]!);
  const dns = { resolveA, resolveAaaa: async () => [] };
  const guard = { allowBenchmarkRange: false };
  transport = createMailTransport({ dns, outboundProxy: proxy.url, timeoutMs: 10_000, guard });
});

const CALLS: [string, () => Promise<unknown>][] = [
  ['checkSubmission', () => transport.checkSubmission(ACCESS)],
  ['checkImap', () => transport.checkImap(ACCESS)],
  ['openImap', () => transport.openImap(ACCESS)],
  ['openSubmission', () => transport.openSubmission(ACCESS)],
  ['openRelay', () => transport.openRelay({ ...RELAY, mustBe: 'public' })],
  ['submit', () => transport.submit(ACCESS, MESSAGE)],
];

it.each(CALLS)('%s calls nobody where the name has no address at first', async (_, call) => {
  for (const inside of ['10.0.0.5', '127.0.0.1', '198.18.0.1']) {
    answers = [[], [inside]];
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unavailable' });
    expect(proxy.asked).toEqual([]);
  }
});

it.each(CALLS)('%s calls the address that was judged, not the next one', async (_, call) => {
  answers = [['9.9.9.9'], ['10.0.0.5']];
  await call().catch(() => undefined);
  expect(new Set(proxy.asked.map(({ host }) => host))).toEqual(new Set(['9.9.9.9']));
});

/** A mailbox on a cluster of our own: what its name leads to is its client's to say. */
const { servers: _, ...OWN } = ACCESS;

const OWN_CALLS: [string, () => Promise<unknown>][] = [
  ['checkSubmission', () => transport.checkSubmission(OWN)],
  ['checkImap', () => transport.checkImap(OWN)],
  ['openImap', () => transport.openImap(OWN)],
  ['openSubmission', () => transport.openSubmission(OWN)],
  ['submit', () => transport.submit(OWN, MESSAGE)],
];

it.each(OWN_CALLS)('%s of our own host calls nobody inside', async (_, call) => {
  const inside = ['10.0.0.5', '127.0.0.1', '169.254.169.254', '100.64.0.1', '168.63.129.16'];
  for (const address of inside) {
    for (const told of [[address], ['9.9.9.9', address]]) {
      answers = [told];
      const failure = await call().catch((error: unknown) => error);
      const facts = { providerCode: 'HOST_FORBIDDEN', operatorHint: expect.any(String) };
      expect(failure).toMatchObject({ kind: 'unavailable', facts });
      expect(proxy.asked).toEqual([]);
    }
  }
});

it.each(OWN_CALLS)('%s of our own host calls what was looked up once', async (_, call) => {
  answers = [['9.9.9.9'], ['10.0.0.5']];
  await call().catch(() => undefined);
  expect(proxy.asked.map(({ host }) => host)).toEqual(['9.9.9.9']);
});

it('a relay that the operator named may be inside', async () => {
  answers = [['10.0.0.5']];
  await transport.openRelay(RELAY).catch(() => undefined);
  expect(proxy.asked.map(({ host }) => host)).toEqual(['10.0.0.5']);
});

it('a mailbox that the operator named may be inside', async () => {
  answers = [['10.0.0.5']];
  await transport.openImap({ ...OWN, isOperators: true }).catch(() => undefined);
  expect(proxy.asked.map(({ host }) => host)).toEqual(['10.0.0.5']);
});

it('a mailbox whose servers a client named may not, whatever else its access says', async () => {
  answers = [['10.0.0.5']];
  const opened = transport.openImap({ ...ACCESS, isOperators: true });
  await expect(opened).rejects.toMatchObject({ kind: 'unavailable' });
  expect(proxy.asked).toEqual([]);
});

it('TLS is looked at where the server is, and its name is not looked up', async () => {
  answers = [['10.0.0.5']];
  const server = { host: HOST, port: 993, ipv4: '203.0.113.9' };
  await expect(transport.checkTls(server)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(proxy.asked).toEqual([{ host: '203.0.113.9', port: 993 }]);
});
it.each(CALLS)(
  '%s says in test mode that a name outside the sandbox is forbidden',
  async (_, call) => {
    answers = [[]];
    const dns = { resolveA: async () => [], resolveAaaa: async () => [] };
    const guard = { allowBenchmarkRange: true, reach: 'benchmark' as const };
    transport = createMailTransport({ dns, outboundProxy: proxy.url, timeoutMs: 10_000, guard });
    const facts = { providerCode: 'HOST_FORBIDDEN' };
    await expect(call()).rejects.toMatchObject({ kind: 'unavailable', facts });
    expect(proxy.asked).toEqual([]);
  },
);
