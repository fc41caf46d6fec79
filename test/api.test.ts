/** The API as a process: it starts, serves, and finishes what is in flight before it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../src/dev/ports.ts';
import { signTestJwt, testJwtSecret } from './support/api/api.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { compiledProgram } from '../src/dev/processes/compiled-sources.ts';

let database: TestDatabase;
let child: ChildProcess;
let port: number;
let metricsPort: number;
let output = '';

beforeAll(async () => {
  database = await createTestDatabase();
  port = await freePort();
  metricsPort = await freePort(new Set([port]));
  child = spawn(process.execPath, [...compiledProgram('src/api.ts')], {
    env: {
      PATH: process.env.PATH,
      OUTREACH_ENV: 'development',
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      API_METRICS_PORT: String(metricsPort),
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      JWT_SECRET: testJwtSecret,
      ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
    },
  });
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (part) => (output += String(part)));
  }
  const deadline = Date.now() + 110_000;
  while (!output.includes('api is listening')) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(output);
    await sleep(50);
  }
}, 120_000);
afterAll(async () => {
  child.kill('SIGKILL');
  await database.close();
});

describe('the API process', () => {
  it('serves health and metrics on a port each', async () => {
    const health = await fetch(`http://127.0.0.1:${port}/health`);
    expect(await health.json()).toMatchObject({
      data: { checks: { database: 'up', temporal: 'down' } },
    });
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(await metrics.text()).toContain('route="/health"');
  });

  it('finishes what is in flight on SIGTERM, takes nothing new, and ends with 0', async () => {
    const token = await signTestJwt({ userId: 'late', email: 'late@example.test' });
    const body = JSON.stringify({ senderName: 'Late' });
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => (answer += String(part)));
    socket.write(
      `PATCH /v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        'Expect: 100-continue\r\n\r\n',
    );
    // Says that the request is in flight.
    await expect.poll(() => answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    answer = '';
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    const health = () => fetch(`http://127.0.0.1:${port}/health`).then(String, String);
    await expect.poll(health).toBe('TypeError: fetch failed');
    socket.write(body);
    const [code] = await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"senderName":"Late"');
    expect(code).toBe(0);
    expect(output).not.toContain(token);
  }, 120_000);
});
