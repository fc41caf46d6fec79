/** Logs and metrics tell what happened, and never a secret or a raw path. */
import { Writable } from 'node:stream';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../src/http/app.ts';
import { route } from '../../src/http/route.ts';
import { idParams } from '../../src/http/schemas.ts';
import { createLogger, requestLog } from '../../src/telemetry/logger.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { apiKeyRoutes } from '../../src/routes/accounts/api-keys.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let api: TestApi;
let metrics: Metrics;
let url: string;
let stop: () => void;
const lines: string[] = [];

const probe = route({
  method: 'post',
  path: '/v1/clusters/:id/probe',
  operationId: 'probe.ask',
  tag: 'probe',
  summary: 'Names a workflow',
  status: 200,
  params: idParams,
  response: z.object({}),
  handler: ({ noteWorkflow }): Record<string, never> => {
    noteWorkflow('provision-cluster/7');
    return {};
  },
});

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database });
  metrics = createMetrics(database.db);
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = pino({ level: 'info' }, sink);
  const app = createApp({ ...api.context, logger }, [probe, ...apiKeyRoutes(api.context)], {
    observers: [metrics.observe, requestLog(logger)],
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => server.close();
});
afterAll(async () => {
  stop();
  await api.close();
  await database.close();
});

const send = async (method: string, path: string, token: string, body?: object) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-request-id': 'request-7',
      connection: 'close',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { data: { key: string } };
};

describe('a log line', () => {
  it('has request id, user, route and workflow', async () => {
    await send('POST', '/clusters/7/probe', await api.jwt('logged'));
    const line = JSON.parse(lines.at(-1)!) as object;
    expect(line).toMatchObject({
      req: { method: 'POST', path: '/clusters/7/probe' },
      res: { statusCode: 200 },
      requestId: 'request-7',
      userId: 'logged',
      route: '/v1/clusters/:id/probe',
      workflowId: 'provision-cluster/7',
      responseTime: expect.any(Number),
    });
  });

  it('never has a token, a key, a body or a query', async () => {
    const token = await api.jwt('secretive');
    const made = await send('POST', '/api/keys', token, { name: 'the-name-in-the-body' });
    const { key } = made.data;
    await send('GET', `/api/keys?token=the-query-secret`, token);
    await send('GET', `/api/keys/${key}`, token);
    await send('GET', `/nowhere/${key}?key=${key}`, key);
    await send('GET', '/api/keys', `${key.slice(0, -1)}x`);
    const text = lines.join('');
    for (const secret of [token, key, key.slice(4, 30), 'name-in-the-body', 'the-query-secret']) {
      expect(text).not.toContain(secret);
    }
  });

  it('censors secrets that were logged by mistake', () => {
    const stream: string[] = [];
    const logger = createLogger({ level: 'info', name: 'test' });
    const target = logger as unknown as Record<symbol, { write(text: string): void }>;
    target[pino.symbols.streamSym] = { write: (text) => stream.push(text) };
    logger.info({ password: 'p4ss', mailbox: { password: 'p4ss' }, authorization: 'p4ss' }, 'oops');
    expect(stream.join('')).toContain('[secret]');
    expect(stream.join('')).not.toContain('p4ss');
  });

  it('has of an error of Postgres what broke, and none of the row', async () => {
    const stream: string[] = [];
    const logger = createLogger({ level: 'info', name: 'test' });
    const target = logger as unknown as Record<symbol, { write(text: string): void }>;
    target[pino.symbols.streamSym] = { write: (text) => stream.push(text) };
    const user = { user_id: 'twin', email: 'canary-of-a-row@x.test' };
    const insert = () => database.db.insertInto('users').values(user).execute();
    await insert();
    const err = await insert().catch((error: unknown) => error);
    expect(err).toMatchObject({ detail: expect.stringContaining('twin') });
    logger.error({ err }, 'oops');
    const line = JSON.parse(stream.join(''));
    expect(line.err).toMatchObject({ code: '23505', detail: '[secret]' });
    expect(line.err.message).toContain('users');
    expect(stream.join('')).not.toMatch(/twin|canary/);
  });
});

describe('the metrics', () => {
  it('count by route pattern and status, never by raw path or odd method', async () => {
    const token = await api.jwt('measured');
    await send('POST', '/clusters/12345/probe', token);
    await send('GET', '/no/such/path/98765', token);
    await send('PROPFIND', '/no', token);
    const text = await metrics.text();
    expect(text).toMatch(
      /_count\{method="POST",route="\/v1\/clusters\/:id\/probe",status="200"\} \d/,
    );
    expect(text).toMatch(/_count\{method="GET",route="none",status="404"\} \d/);
    expect(text).toMatch(/_count\{method="other",route="none",status="404"\} \d/);
    expect(text).toMatch(/postgres_pool_connections\{pool="work",state="idle"\} \d/);
    expect(text).toContain('outreach_database_up 1');
    expect(text).not.toMatch(/12345|98765/);
  });

  it('are served on a port of their own, at /metrics alone', async () => {
    const server = await metrics.listen(0, '127.0.0.1');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await fetch(`${base}/metrics`);
    expect(found.status).toBe(200);
    expect(await found.text()).toContain('http_request_duration_seconds_bucket');
    expect((await fetch(`${base}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    server.closeAllConnections();
    server.close();
  });
});
