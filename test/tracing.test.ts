/** Tracing: when it is on, what it costs when it is off, and the small words that spans are made of. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { summaryOf } from '../src/db/trace-statements.ts';
import {
  formatTraceParent,
  parseTraceParent,
  spanIdOfRun,
} from '../src/domain/operations/trace-carrier.ts';
import { OutreachError, ProviderError } from '../src/domain/errors.ts';
import { errorType } from '../src/tracing/error-type.ts';
import { isTracing, pastSpan, startSpan, traced } from '../src/tracing/spans.ts';
import { isTracingWanted, startTracing } from '../src/tracing/start-tracing.ts';
import { pathPattern } from '../src/tracing/vendor-span.ts';
import { recordSpans } from './support/tracing/recorded-spans.ts';

const off = { OTEL_SDK_DISABLED: false };
const logger = pino({ level: 'silent' });

describe('tracing', () => {
  it.each([
    ['off by default', {}, false],
    ['on by the address of a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, true],
    ['on by the address for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x' }, true],
    ['on by its exporter', { OTEL_TRACES_EXPORTER: 'otlp' as const }, true],
    [
      'off by its exporter',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' as const },
      false,
    ],
    [
      'off by the SDK’s switch',
      { OTEL_TRACES_EXPORTER: 'otlp' as const, OTEL_SDK_DISABLED: true },
      false,
    ],
  ])('is %s', (_words, settings, isOn) => {
    expect(isTracingWanted({ ...off, ...settings })).toBe(isOn);
  });

  it('sends to the collector what it has, at the latest when it stops', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(`${request.url} ${body}`);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // The SDK reads the variables itself.
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
    try {
      const settings = { ...off, OTEL_EXPORTER_OTLP_ENDPOINT: url };
      const tracing = await startTracing(settings, { service: 'outreach-test', logger });
      await traced('work', { parent: 'root' }, async () => undefined);
      await tracing.stop();
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
      server.close();
    }
    expect(bodies.join()).toMatch(/^\/v1\/traces \{.*outreach-test.*"name":"work"/);
    expect(isTracing()).toBe(false);
  });

  it('ends in time where nobody takes its spans', async () => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:9';
    try {
      const settings = { ...off, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
      const tracing = await startTracing(settings, { service: 'outreach-test', logger });
      await traced('work', { parent: 'root' }, async () => undefined);
      const startedAt = Date.now();
      await tracing.stop();
      // Three seconds; the exporter itself would try for ten.
      expect(Date.now() - startedAt).toBeLessThan(8_000);
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    }
  });

  it('loads nothing of OpenTelemetry while it is off', async () => {
    const script = `
      await import('./src/context.ts');
      await import('./src/http/app.ts');
      const { startTracing } = await import('./src/tracing/start-tracing.ts');
      await startTracing({ OTEL_SDK_DISABLED: false }, { service: 'test' });
      const { Module } = await import('node:module');
      const paths = Object.keys(Module._cache).filter((path) => path.includes('@opentelemetry'));
      console.log(JSON.stringify([...new Set(paths.map((path) => /@opentelemetry.([^/]+)/.exec(path)[1]))]));
      process.exit(0);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      script,
    ]);
    expect(JSON.parse(stdout)).toEqual([]);
  }, 60_000);
});

describe('a span', () => {
  it('is none while tracing is off', async () => {
    const seen = await traced('work', { parent: 'root' }, async (span) => {
      span.set({ a: 1 });
      span.answered(500);
      return span.traceparent;
    });
    expect(seen).toBeUndefined();
    expect(startSpan('work', { parent: 'root' })).toBeUndefined();
    expect(() => pastSpan(() => ({ name: 'work', options: {} }), { startedAt: 0 })).not.toThrow();
  });

  it('is a child of the one at hand, and none where there is none', async () => {
    const recording = await recordSpans();
    await traced('nobody’s', {}, async () => undefined);
    pastSpan(() => ({ name: 'nobody’s, too', options: {} }), { startedAt: Date.now() });
    await traced('outer', { parent: 'root' }, async () => {
      await traced('inner', {}, async () => undefined);
      pastSpan(() => ({ name: 'past', options: {} }), { startedAt: Date.now() - 5 });
    });
    const spans = await recording.stop();
    const outer = spans.find(({ name }) => name === 'outer');
    const children = spans.filter(({ parentId }) => parentId === outer!.id);
    expect(spans.length).toBe(3);
    expect(children.map(({ name }) => name).toSorted()).toEqual(['inner', 'past']);
  });

  it('names an error by its type, and keeps its words out', async () => {
    const recording = await recordSpans();
    const words = 'the password of ann@client.test is wrong';
    const fails = async () => {
      throw new ProviderError('auth', words, { provider: 'p' });
    };
    await expect(traced('work', { parent: 'root' }, fails)).rejects.toThrow(words);
    const [span] = await recording.stop();
    expect(span!.error).toBe('auth');
    expect(recording.text()).not.toContain('ann');
  });
});

it.each([
  [new OutreachError('invalid', 'INVALID_STATE', 'x'), 'INVALID_STATE'],
  [Object.assign(new Error('x'), { code: '23505' }), '23505'],
  [Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'ECONNRESET'],
  [Object.assign(new Error('x'), { code: 'ann@client.test' }), 'Error'],
  [new TypeError('x'), 'TypeError'],
  ['a text', 'Error'],
  [undefined, 'Error'],
])('%s is an error of a type that may be told', (error, type) => {
  expect(errorType(error)).toBe(type);
});

it.each([
  ['/v1/servers/123/actions?key=abc', '/v1/servers/:id/actions'],
  ['/api/json/v3/dns/retrieve/acme.com', '/api/json/v3/dns/retrieve/:id'],
  ['/users/ann@client.test', '/users/:id'],
  ['/bot123:AAbbCC/send', '/:id/send'],
  ['/hooks/AbCdEfGhIjKlMnOpQrStUvWxYz', '/hooks/:id'],
])('the path %s is told as %s', (path, told) => {
  expect(pathPattern(path)).toBe(told);
});

it.each([
  ['select * from "leads" where email = $1', { operation: 'SELECT', collection: 'leads' }],
  ['/*due*/ select 1', { operation: 'SELECT', name: 'due' }],
  [`update users set name = 'Ann'`, { operation: 'UPDATE', collection: 'users' }],
  ['with a as (select 1) select a from a', { operation: 'WITH', collection: 'a' }],
  [`set local role 'secret'`, { operation: 'SQL' }],
])('the statement %s is told without its values', (sql, told) => {
  expect(summaryOf(sql)).toEqual(told);
});

it('reads and writes the W3C form, and no other', () => {
  const text = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(formatTraceParent(parseTraceParent(text)!)).toBe(text);
  const others = ['', null, undefined, text.slice(1), `${text}-x`, text.replace('00-', 'ff-')];
  others.push(`00-${'0'.repeat(32)}-b7ad6b7169203331-01`);
  for (const other of others) expect(parseTraceParent(other)).toBeUndefined();
});

it('names the span of a run by the run', () => {
  expect(spanIdOfRun('0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b')).toBe('8a9b0c1d2e3f4a5b');
});
