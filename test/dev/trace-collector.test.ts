/** The world's own collector: takes what OpenTelemetry sends, shows it, and never grows without end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCollector } from '../../src/dev/trace/collector.ts';
import { createSpanStore, exportRequest } from '../../src/dev/trace/span-store.ts';
import { rowsOf, waterfallPage } from '../../src/dev/trace/waterfall.ts';
import { pino } from 'pino';
import { startSpan, traced } from '../../src/tracing/spans.ts';
import { startTracing } from '../../src/tracing/start-tracing.ts';

const traceId = (n: number) => n.toString(16).padStart(32, '0');
const spanId = (n: number) => n.toString(16).padStart(16, '0');

interface Given {
  trace: number;
  id: number;
  parent?: number;
  name?: string;
  text?: string;
}

const sent = (spans: Given[]) =>
  exportRequest.parse({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'api' } }] },
        scopeSpans: [
          {
            spans: spans.map(({ trace, id, parent, name = 'work', text = 'x' }) => ({
              traceId: traceId(trace),
              spanId: spanId(id),
              ...(parent !== undefined && { parentSpanId: spanId(parent) }),
              name,
              startTimeUnixNano: `${1_700_000_000_000 + id}000000`,
              endTimeUnixNano: `${1_700_000_000_100 + id}000000`,
              attributes: [{ key: 'text', value: { stringValue: text } }],
            })),
          },
        ],
      },
    ],
  });

describe('what is kept', () => {
  it('is bounded: the traces that got nothing for longest go first', () => {
    const store = createSpanStore({ all: 10, ofTrace: 4 });
    for (let trace = 1; trace <= 20; trace++) {
      store.add(sent([1, 2].map((id) => ({ trace, id, text: 'y'.repeat(5_000) }))));
    }
    store.add(sent([{ trace: 17, id: 3 }]));
    const kept = store.list();
    expect(kept.map(({ id }) => Number.parseInt(id, 16))).toEqual([18, 19, 20, 17]);
    expect(kept.flatMap(({ spans }) => spans).length).toBeLessThanOrEqual(10);
    expect(kept[0]!.spans[0]!.attributes['text']).toHaveLength(300);
  });

  it('is bounded for one trace, which says what is missing', () => {
    const store = createSpanStore({ all: 10, ofTrace: 4 });
    store.add(sent([1, 2, 3, 4, 5, 6].map((id) => ({ trace: 1, id }))));
    expect(store.find(traceId(1))).toMatchObject({ dropped: 2 });
    expect(waterfallPage(store.find(traceId(1))!)).toContain('2 spans did not fit');
  });
});

describe('a waterfall', () => {
  const trace = (spans: Given[]) => {
    const store = createSpanStore();
    store.add(sent(spans));
    return store.find(traceId(1))!;
  };

  it('shows parents before their children, and orphans at the top', () => {
    const rows = rowsOf(
      trace([
        { trace: 1, id: 3, parent: 2 },
        { trace: 1, id: 2, parent: 1 },
        { trace: 1, id: 4, parent: 1 },
        { trace: 1, id: 1 },
        { trace: 1, id: 9, parent: 77 },
      ]),
    );
    const shown = rows.map(({ span, depth }) => [Number.parseInt(span.id, 16), depth]);
    expect(shown).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 1],
      [9, 0],
    ]);
  });

  it('ends for spans that name each other, and shows no text as HTML', () => {
    const page = waterfallPage(
      trace([
        { trace: 1, id: 1, parent: 2 },
        { trace: 1, id: 2, parent: 1 },
        { trace: 1, id: 3, name: '<script>alert(1)</script>', text: '"><img>' },
      ]),
    );
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('<img>');
  });
});

describe('the collector', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  beforeAll(async () => void (collector = await startCollector('auto')));
  afterAll(() => collector.close());
  const read = async (path: string) => {
    const answer = await fetch(`${collector.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };

  it('shows what the product sends, by trace and by what was ordered', async () => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
    let id = '';
    try {
      const settings = { OTEL_SDK_DISABLED: false, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
      const logger = pino({ level: 'silent' });
      const tracing = await startTracing(settings, { service: 'outreach-test', logger });
      const request = startSpan('POST', { kind: 'SERVER', parent: 'root' })!;
      id = request.traceId;
      await request.run(() =>
        traced('operation', { attributes: { 'outreach.resource': 'cluster/7' } }, async () => 1),
      );
      request.rename('POST /v1/clusters/create');
      request.fail('500');
      request.end();
      await tracing.stop();
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    }
    expect((await read('/')).text).toContain(
      `<a href="/traces/${id}">POST /v1/clusters/create</a>`,
    );
    const page = await read('/of/cluster/7');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('outreach-test') });
    expect(JSON.parse((await read(`/traces/${id}.json`)).text)).toMatchObject({
      spans: [
        { name: 'operation', isError: false },
        { name: 'POST /v1/clusters/create', isError: true },
      ],
    });
  });

  it.each([
    ['what it does not have', 'GET', `/traces/${traceId(99)}`, undefined, '', 404],
    ['another path', 'POST', '/v1/logs', 'application/json', '{}', 404],
    ['protobuf', 'POST', '/v1/traces', 'application/x-protobuf', 'x', 415],
    ['what is no JSON', 'POST', '/v1/traces', 'application/json', '{', 400],
    ['what is no export', 'POST', '/v1/traces', 'application/json', '{"resourceSpans":7}', 400],
  ])('refuses %s', async (_what, method, path, type, body, status) => {
    const answer = await fetch(`${collector.url}${path}`, {
      method,
      ...(type !== undefined && { headers: { 'content-type': type }, body }),
    });
    expect(answer.status).toBe(status);
    await answer.body?.cancel();
  });
});
