import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimPort, freePort, nextFreePort } from '../../src/dev/ports.ts';

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

describe('a claim', () => {
  it('keeps a port from others for as long as its process lives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outreach-claims-'));
    expect(claimPort(20_001, folder)).toBe(true);
    expect(claimPort(20_001, folder)).toBe(false);
    const other = spawn(process.execPath, ['--eval', 'setInterval(() => 0, 1000)']);
    await writeFile(join(folder, '20002'), String(other.pid));
    expect(claimPort(20_002, folder)).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(claimPort(20_002, folder)).toBe(true);
    expect(claimPort(20_002, folder)).toBe(false);
    await rm(folder, { recursive: true });
  });

  it('that is being written counts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'outreach-claims-'));
    await writeFile(join(folder, '20003'), '');
    expect(claimPort(20_003, folder)).toBe(false);
    await rm(folder, { recursive: true });
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
