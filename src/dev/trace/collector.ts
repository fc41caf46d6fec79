/** A small collector of OpenTelemetry's spans (OTLP over HTTP, as JSON) that shows them to people. */
import { createServer, type IncomingMessage } from 'node:http';
import { freePort, nextFreePort } from '../ports.ts';
import { createSpanStore, exportRequest, type SpanStore } from './span-store.ts';
import { listPage, waterfallPage } from './waterfall.ts';

/** A full batch has 512 spans of about 1 kB. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

interface Answer {
  status: number;
  type?: string;
  text?: string;
  location?: string;
}

/** Where OpenTelemetry's exporters look for a collector. */
const WANTED_PORT = 4318;

/** Listens on the loopback alone; on any free port with `auto`. */
export async function startCollector(
  ports: 'default' | 'auto',
): Promise<{ url: string; close(): Promise<void> }> {
  const port = ports === 'auto' ? await freePort() : await nextFreePort(WANTED_PORT);
  const store = createSpanStore();
  const server = createServer((request, response) => {
    answerOf(store, request).then(
      ({ status, type = 'text/plain', text = '', location }) =>
        response
          .writeHead(status, {
            'Content-Type': `${type}; charset=utf-8`,
            'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
            ...(location !== undefined && { Location: location }),
            ...(status >= 400 && { Connection: 'close' }),
          })
          .end(text),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerOf(store: SpanStore, request: IncomingMessage): Promise<Answer> {
  const path = request.url?.split('?')[0] ?? '';
  if (request.method === 'POST') return path === '/v1/traces' ? take(store, request) : NOWHERE;
  if (path === '/') return html(listPage(store.list()));
  if (path === '/traces.json') return json(store.list().map(({ id }) => id));
  const [, traceId = '', form] = /^\/traces\/([0-9a-f]{32})(\.json)?$/.exec(path) ?? [];
  const trace = store.find(traceId);
  if (trace) return form === undefined ? html(waterfallPage(trace)) : json(trace);
  const [, resource] = /^\/of\/([\w-]+\/\d+)$/.exec(path) ?? [];
  const found = resource === undefined ? undefined : store.findOf(resource);
  return found ? { status: 302, location: `/traces/${found.id}` } : NOWHERE;
}

const NOWHERE: Answer = { status: 404, text: 'There is no such trace (yet).' };

async function take(store: SpanStore, request: IncomingMessage): Promise<Answer> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return { status: 415, text: 'Only JSON is taken: OTEL_EXPORTER_OTLP_PROTOCOL=http/json' };
  }
  const text = await bodyOf(request);
  if (text === undefined) return { status: 413, text: 'The body is too large' };
  const parsed = exportRequest.safeParse(parse(text));
  if (!parsed.success) return { status: 400, text: 'This is no export of spans' };
  store.add(parsed.data);
  return json({});
}

const html = (text: string): Answer => ({ status: 200, type: 'text/html', text });
const json = (body: unknown): Answer => ({
  status: 200,
  type: 'application/json',
  text: JSON.stringify(body),
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Undefined when it is longer than allowed. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
