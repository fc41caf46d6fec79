/** Endpoints of clients behind the world's resolver and proxy, and the deliveries to them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { runDeliveries } from '../../../activities/webhooks/run-deliveries.ts';
import type { Context } from '../../../src/context.ts';
import { createWebhookEndpoints } from '../../../src/providers/webhook-endpoints/index.ts';
import { webhookRoutes } from '../../../src/routes/webhooks/webhooks.ts';
import { startTestApi, type TestApi } from '../api/api.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { happen, type AnyEvent } from './events.ts';
import { startWebWorld, type WebWorld } from '../websites/web-world.ts';

/** A request that an endpoint received. */
export interface Received {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any event
  event: any;
  body: string;
  signature: string;
  /** All of the request. */
  headers: IncomingMessage['headers'];
}

export interface Endpoint {
  url: string;
  received: Received[];
  /** The answer: a status, or a function that answers. Default 200. */
  answer: number | ((response: ServerResponse, got: Received) => void);
}

export interface WebhookWorld {
  database: TestDatabase;
  web: WebWorld;
  api: TestApi;
  context: Context;
  /** Milliseconds by which the product's clock is ahead. */
  setClock(aheadMs: number): void;
  endpoint(host?: string): Endpoint;
  /** `data` of a call that must succeed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  ok(userId: string, method: string, path: string, body?: unknown): Promise<any>;
  happen(...events: AnyEvent[]): Promise<void>;
  /** Delivers until `isDone`, or for a while. */
  deliver(isDone?: () => boolean | Promise<boolean>, forMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** `timeoutMs` of an attempt: 15 s would be long for a test, 1 s short for a busy machine. */
export async function startWebhookWorld(
  timeoutMs = 4_000,
  environment: Record<string, string> = {},
): Promise<WebhookWorld> {
  const database = await createTestDatabase();
  const web = await startWebWorld();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const { dns, outboundProxy, allowBenchmarkRange } = web.options;
  const webhookEndpoints = createWebhookEndpoints({
    dns,
    outboundProxy,
    allowBenchmarkRange,
    allowHttp: true,
    timeoutMs,
  });
  const api = await startTestApi({
    database,
    routes: webhookRoutes,
    context: { clock, webhookEndpoints },
    environment: { RETRY_PACE: '0.1', ...environment },
  });
  let hosts = 0;
  return {
    database,
    web,
    api,
    context: api.context,
    setClock: (ms) => (aheadMs = ms),
    endpoint: (host = `hooks-${++hosts}.example.com`) => openEndpoint(web, host),
    async ok(userId, method, path, body) {
      const token = await api.jwt(userId);
      const answer = await api.call(method, path, { token, ...(body !== undefined && { body }) });
      if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    },
    happen: (...events) => happen(database.db, events),
    async deliver(isDone = () => false, forMs = 40_000) {
      const ending = new AbortController();
      const running = runDeliveries(api.context, { forMs, signal: ending.signal });
      const endsAt = Date.now() + forMs;
      while (Date.now() < endsAt && !(await isDone())) {
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      ending.abort();
      await running;
    },
    async close() {
      await api.close();
      await web.close();
      await database.close();
    },
  };
}

function openEndpoint(web: WebWorld, host: string): Endpoint {
  const endpoint: Endpoint = { url: `http://${host}/hook`, received: [], answer: 200 };
  const listener: RequestListener = (request, response) => {
    void read(request).then((body) => {
      const signature = String(request.headers['x-outreach-signature']);
      const { headers } = request;
      const got = { event: JSON.parse(body), body, signature, headers };
      endpoint.received.push(got);
      if (typeof endpoint.answer === 'number') response.writeHead(endpoint.answer).end('{}');
      else endpoint.answer(response, got);
    });
  };
  web.site(host, listener);
  return endpoint;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text;
}
