/** A trace that is not kept has its names, for logs, rows and headers, and costs next to nothing besides. */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { Express } from 'express';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { parseTraceParent } from '../../src/domain/operations/trace-carrier.ts';
import { traceRequest } from '../../src/http/trace-request.ts';
import { orderedBy, type OperationOrigin } from '../../src/tracing/operation-span.ts';
import {
  currentTraceId,
  currentTraceParent,
  isRecording,
  pastSpan,
  runSpan,
  traced,
} from '../../src/tracing/spans.ts';
import type { Sampling } from '../../src/tracing/start-tracing.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { recordSpans } from '../support/tracing/recorded-spans.ts';

const NONE: Sampling = { OTEL_TRACES_SAMPLER: 'always_off' };
const REMOTE = '0af7651916cd43dd8448eb211c80319c';
const parentWith = (flags: '00' | '01') => `00-${REMOTE}-b7ad6b7169203331-${flags}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Runs `work` as what a request does; answers what the request was given, and how many listeners its answer has. */
function within(work: () => unknown): { locals: { traceId?: string }; listeners: number } {
  let listeners = 0;
  const locals = { requestId: 'request-1' } as { traceId?: string };
  const response = { locals, once: () => (listeners += 1) };
  const request = { method: 'GET', url: '/v1/clusters', headers: {} };
  const handle = traceRequest as unknown as (...given: unknown[]) => Express;
  handle(request, response, work);
  return { locals, listeners };
}

describe('of a request that is not kept', () => {
  it('no span is made, nor of what it does', async () => {
    const tracer = Object.getPrototypeOf(new BasicTracerProvider().getTracer('any')) as {
      startSpan(): unknown;
    };
    const startSpan = vi.spyOn(tracer, 'startSpan');
    const recording = await recordSpans(NONE);
    const db = open();
    try {
      await new Promise<void>((resolve, reject) => {
        within(() => work(db).then(resolve, reject));
      });
      expect(startSpan).not.toHaveBeenCalled();
    } finally {
      await db.destroy();
      startSpan.mockRestore();
      expect(await recording.stop()).toEqual([]);
    }
  });

  it('one store is entered and nothing listens for its end, as with traces off', async () => {
    const enter = vi.spyOn(AsyncLocalStorage.prototype, 'run');
    const seen = () => {
      enter.mockClear();
      const { listeners } = within(() => undefined);
      return { entered: enter.mock.calls.length, listeners };
    };
    const off = seen();
    const recording = await recordSpans(NONE);
    const unkept = seen();
    await recording.stop();
    enter.mockRestore();
    expect(off).toEqual({ entered: 1, listeners: 0 });
    expect(unkept).toEqual(off);
  });

  it('its statements take as many promises as with traces off', async () => {
    const off = await promisesOfStatement();
    const recording = await recordSpans(NONE);
    const unkept = await promisesOfStatement();
    await recording.stop();
    expect(unkept).toBe(off);
  });

  it('its names are those of one trace, and say that it is not kept', async () => {
    const recording = await recordSpans(NONE);
    let names: (string | undefined)[] = [];
    let row: OperationOrigin | undefined;
    const { locals } = within(() => {
      names = [currentTraceId(), currentTraceParent(), currentTraceParent()];
      void orderedBy({ kind: 'provisionCluster', resource: 'cluster/1' }, async (origin) => {
        row = origin;
        return { id: 1 };
      });
    });
    await recording.stop();
    const { traceId } = locals;
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(names).toEqual([traceId, row?.trace_parent, row?.trace_parent]);
    expect(row?.request_id).toBe('request-1');
    expect(parseTraceParent(row?.trace_parent)).toMatchObject({ traceId, flags: 0 });
  });
});

const open = () => openDatabase(database.url, { poolSize: 1 });

/** Something of each kind that a span is made of. */
async function work(db: Kysely<Database>): Promise<void> {
  await traced('call', { kind: 'CLIENT' }, async (span) => {
    span.set({ a: 1 });
    span.answered(500);
    await sql`select 1`.execute(db);
  });
  pastSpan(() => ({ name: 'past', options: {} }), { startedAt: Date.now() });
  const attempt = { parent: currentTraceParent()! };
  await traced('attempt in another process', attempt, async () => undefined);
  const run = { traceparent: attempt.parent, parentSpanId: 'b7ad6b7169203331' };
  runSpan('run', {}, { ...run, startedAt: Date.now(), endedAt: Date.now() });
}

/** On a connection that is open; the fewest of several, since something else may run meanwhile. */
async function promisesOfStatement(): Promise<number> {
  const db = open();
  const counts: number[] = [];
  try {
    for (let n = 0; n < 10; n += 1) {
      let promises = 0;
      const hook = createHook({ init: (_id, type) => void (promises += +(type === 'PROMISE')) });
      await new Promise<void>((resolve, reject) => {
        within(() => {
          hook.enable();
          sql`select 1`.execute(db).then(() => resolve(), reject);
        });
      });
      hook.disable();
      counts.push(promises);
    }
    return Math.min(...counts);
  } finally {
    await db.destroy();
  }
}

describe('what is kept', () => {
  it('has no statement of what goes on after its end', async () => {
    const recording = await recordSpans();
    const db = open();
    let letGoOn: (() => void) | undefined;
    const hasEnded = new Promise<void>((resolve) => (letGoOn = resolve));
    let isLateRecording: boolean | undefined;
    const statement = () => sql`select 1`.execute(db);
    let goingOn: Promise<void> | undefined;
    await traced('own', { parent: 'root' }, async () => {
      await statement();
      goingOn = hasEnded.then(async () => {
        isLateRecording = isRecording();
        await statement();
      });
    });
    letGoOn!();
    await goingOn;
    await db.destroy();
    const names = (await recording.stop()).map(({ name }) => name);
    expect([isLateRecording, names]).toEqual([false, ['SELECT', 'own']]);
  });

  /** Of a trace of its own, of parts of another process' trace that is kept, and of one that is not. */
  it.each<[Sampling, boolean, boolean, boolean]>([
    [{}, true, true, false],
    [NONE, false, false, false],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, true, true, true],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 }, false, false, false],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, true, true, true],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, true, true, false],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, false, true, false],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 },
      false,
      true,
      false,
    ],
  ])('is told by %j', async (sampling, own, ofKept, ofUnkept) => {
    const recording = await recordSpans(sampling);
    const kept: boolean[] = [];
    const child = () => traced('child', {}, async () => void kept.push(isRecording()));
    await traced('own', { parent: 'root' }, child);
    await traced('of kept', { parent: parentWith('01') }, child);
    await traced('of unkept', { parent: parentWith('00') }, child);
    for (const [name, flags] of [
      ['run of kept', '01'] as const,
      ['run of unkept', '00'] as const,
    ]) {
      const run = { traceparent: parentWith(flags), parentSpanId: 'a7ad6b7169203331' };
      runSpan(name, {}, { ...run, startedAt: 1, endedAt: 2 });
    }
    const names = (await recording.stop()).map(({ name }) => name);
    expect(kept).toEqual([own, ofKept, ofUnkept]);
    expect(names.toSorted()).toEqual(
      [
        ...(own ? ['own', 'child'] : []),
        ...(ofKept ? ['of kept', 'child', 'run of kept'] : []),
        ...(ofUnkept ? ['of unkept', 'child', 'run of unkept'] : []),
      ].toSorted(),
    );
  });

  it('is the part of traces that is asked for, by their ids', async () => {
    const sampling: Sampling = {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: 0.1,
    };
    const recording = await recordSpans(sampling);
    const ids: string[] = [];
    for (let n = 0; n < 2_000; n += 1) {
      await traced('own', { parent: 'root' }, async () => void ids.push(currentTraceId()!));
    }
    const kept = new Set((await recording.stop()).map(({ traceId }) => traceId));
    expect(new Set(ids).size).toBe(2_000);
    // 200, give or take five times the deviation.
    expect(kept.size).toBeGreaterThan(130);
    expect(kept.size).toBeLessThan(270);
    for (const id of kept) expect(ids).toContain(id);
  });

  it('is handed on with the names of the trace where it is not', async () => {
    const recording = await recordSpans();
    const names = await traced('attempt', { parent: parentWith('00') }, async () => [
      currentTraceId(),
      currentTraceParent(),
    ]);
    expect(await recording.stop()).toEqual([]);
    expect(names).toEqual([REMOTE, parentWith('00')]);
  });
});
