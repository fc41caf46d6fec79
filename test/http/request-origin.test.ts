/** The request's id and the trace's id stand in every line that is logged for a request. */
import { pino, type Logger } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { createApp } from '../../src/http/app.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLogger, requestLog } from '../../src/telemetry/logger.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { recordSpans, type RecordedSpan } from '../support/tracing/recorded-spans.ts';
import type { AddressInfo } from 'node:net';

interface Line {
  msg: string;
  requestId?: string;
  traceId?: string;
}

let database: TestDatabase;
let api: TestApi;
let logger: Logger;
const lines: Line[] = [];

const probe = route({
  method: 'post',
  path: '/v1/clusters/:id/probe',
  operationId: 'probe.ask',
  tag: 'probe',
  summary: 'Logs something',
  status: 200,
  public: true,
  response: z.object({}),
  handler: async (): Promise<Record<string, never>> => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    logger.info('in the handler');
    return {};
  },
});

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database });
  logger = createLogger({ level: 'info', name: 'test' });
  const target = logger as unknown as Record<symbol, { write(text: string): void }>;
  target[pino.symbols.streamSym] = { write: (text) => lines.push(JSON.parse(text) as Line) };
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** The lines of one request, which ends with its own. */
async function linesOf(requestId: string): Promise<Line[]> {
  lines.length = 0;
  const observers = [requestLog(logger)];
  const server = createHttpServer(createApp({ ...api.context, logger }, [probe], { observers }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/v1/clusters/7/probe`, {
    method: 'POST',
    headers: { 'x-request-id': requestId, connection: 'close' },
  });
  await new Promise((resolve) => server.close(resolve));
  return lines;
}

it('without tracing every line has the request', async () => {
  const found = await linesOf('request-8');
  expect(found.map(({ msg }) => msg)).toEqual(['in the handler', 'request completed']);
  for (const line of found) expect(line).toMatchObject({ requestId: 'request-8' });
  for (const line of found) expect(line).not.toHaveProperty('traceId');
});

it('with tracing every line has the trace, too', async () => {
  const recording = await recordSpans();
  const found = [...(await linesOf('request-9'))];
  const spans: RecordedSpan[] = await recording.stop();
  expect(spans.map(({ name }) => name)).toEqual(['POST /v1/clusters/:id/probe']);
  expect(found.length).toBe(2);
  const [{ traceId }] = spans as [RecordedSpan];
  for (const line of found) expect(line).toMatchObject({ requestId: 'request-9', traceId });
});
