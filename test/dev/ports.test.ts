import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { freePort, nextFreePort } from '../../src/dev/ports.ts';

const listen = async (port: number, host: string): Promise<Server> => {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
};

describe('freePort', () => {
  it('gives none that an outgoing connection may take meanwhile', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(ports.filter((port) => port < 20_000 || port >= 32_000)).toEqual([]);
  });
});

describe('nextFreePort', () => {
  it('gives the wanted port when it is free', async () => {
    const port = await freePort();
    expect(await nextFreePort(port)).toBe(port);
  });

  it.each(['127.0.0.1', '0.0.0.0'])('falls to the next one when %s has it', async (host) => {
    const port = await freePort();
    const server = await listen(port, host);
    expect(await nextFreePort(port)).toBeGreaterThan(port);
    server.close();
  });

  it('leaves out ports that are spoken for', async () => {
    const port = await freePort();
    expect(await nextFreePort(port, new Set([port]))).toBeGreaterThan(port);
  });
});
