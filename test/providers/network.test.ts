/** Dialling: directly, through a proxy, and not at all. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, dial } from '../../src/providers/network.ts';
import { providerError } from '../support/vendors/provider-error.ts';

let server: Server;
let port: number;
/** Accepts and says nothing. */
let silent: Server;
let silentPort: number;
beforeAll(async () => {
  server = createServer((socket) => socket.end('220 hello\r\n'));
  silent = createServer(() => undefined);
  for (const each of [server, silent]) await once(each.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
  silentPort = (silent.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  silent.close();
});

const target = { provider: 'test', ipv4: '127.0.0.1', proxy: undefined, timeoutMs: 15_000 };

describe('dial', () => {
  it('connects directly when there is no proxy, and hears a server that speaks first', async () => {
    const socket = await dial({ ...target, port });
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    expect(greeting.toString()).toBe('220 hello\r\n');
  });

  it('is `unavailable` when nobody listens', async () => {
    const error = await providerError(dial({ ...target, port: 9 }));
    expect(error).toMatchObject({ kind: 'unavailable', facts: { providerCode: 'ECONNREFUSED' } });
  });

  it('gives up on a proxy that says nothing, and tells nobody its password', async () => {
    const proxy = `socks5://user:pass-word@127.0.0.1:${silentPort}`;
    const error = await providerError(dial({ ...target, port, proxy, timeoutMs: 300 }));
    expect(error.kind).toBe('unavailable');
    expect(error.message).not.toMatch(/pass-word|user/);
  });

  it('stops when the caller does', async () => {
    const proxy = `socks5://127.0.0.1:${silentPort}`;
    const signal = AbortSignal.timeout(20);
    const startedAt = Date.now();
    const error = await providerError(dial({ ...target, port, proxy, signal }));
    expect(error.message).toMatch(/cancelled/);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('addressOf', () => {
  it('asks the resolver for names and nobody for addresses', async () => {
    const asked: string[] = [];
    const resolver = {
      resolveA: async (name: string) => {
        asked.push(name);
        return name === 'mail.acme.com' ? ['198.18.0.1', '198.18.0.2'] : [];
      },
    };
    const tools = { dns: resolver };
    expect(await addressOf('test', tools, 'mail.acme.com')).toBe('198.18.0.1');
    expect(await addressOf('test', tools, '198.18.0.9')).toBe('198.18.0.9');
    expect((await providerError(addressOf('test', tools, 'x.com'))).kind).toBe('unavailable');
    expect(asked).toEqual(['mail.acme.com', 'x.com']);
  });

  it('in test mode names no address outside of the sandbox, whoever said it', async () => {
    const dns = {
      resolveA: async (name: string) => [name === 'in.test' ? '198.19.0.1' : '8.8.8.8'],
    };
    const tools = { dns, reach: 'benchmark' } as const;
    expect(await addressOf('test', tools, 'in.test')).toBe('198.19.0.1');
    for (const outside of ['smtp.acme.com', '9.9.9.9', '127.0.0.1', '198.17.0.1', '198.20.0.1']) {
      expect((await providerError(addressOf('test', tools, outside))).kind).toBe('unavailable');
    }
  });
});
