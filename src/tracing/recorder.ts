/** Records spans by OpenTelemetry's API; loaded when tracing is turned on. */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base';
import {
  formatTraceParent,
  parseTraceParent,
  type TraceParent,
} from '../domain/operations/trace-carrier.ts';
import { newTraceId, withIds } from './ids.ts';
import { currentSpan, holding, type Origin } from './origin.ts';
import type { Recorder, SpanOptions, StartedSpan } from './spans.ts';
import { UnkeptSpan } from './unkept-span.ts';

/**
 * `tracer`: of an SDK with our ids, which keeps what it is given: `sampler` is asked here, before anything of a span is
 * made. What it is asked is whether a trace is kept, so it must not look at names and attributes; none of
 * `OTEL_TRACES_SAMPLER` does.
 */
export function createRecorder(tracer: Tracer, sampler: Sampler): Recorder {
  const isKept = (traceId: string, under: Context) =>
    sampler.shouldSample(under, traceId, '', SpanKind.INTERNAL, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;
  const begun = (name: string, options: SpanOptions, under: Context): StartedSpan => {
    const linked = parseTraceParent(options.link);
    const links = linked ? [{ context: remoteOf(linked) }] : [];
    const span = tracer.startSpan(name, { ...shownOf(options), links }, under);
    return new KeptSpan(span, trace.setSpan(under, span));
  };
  return {
    start(name, options) {
      const parent = options.parent ?? 'active';
      if (parent === 'active') {
        const at = currentSpan();
        // Undefined where a span would be nobody's: thousands of traces of one statement.
        return at instanceof KeptSpan ? begun(name, options, at.context) : unkept(at);
      }
      const remote = parent === 'root' ? undefined : parseTraceParent(parent);
      if (remote) {
        const under = trace.setSpanContext(ROOT_CONTEXT, remoteOf(remote));
        if (isKept(remote.traceId, under)) return begun(name, options, under);
        return new UnkeptSpan(remote.traceId, remote.spanId);
      }
      const traceId = newTraceId();
      if (!isKept(traceId, ROOT_CONTEXT)) return new UnkeptSpan(traceId);
      return withIds({ traceId }, () => begun(name, options, ROOT_CONTEXT));
    },
    past(name, options, { startedAt, failure }) {
      const at = currentSpan();
      if (!(at instanceof KeptSpan)) return;
      const shown = { ...shownOf(options), startTime: startedAt };
      const span = tracer.startSpan(name, shown, at.context);
      if (failure !== undefined) fail(span, failure);
      span.end();
    },
    run(name, attributes, run) {
      const own = parseTraceParent(run.traceparent);
      if (!own) return;
      const under = trace.setSpanContext(
        ROOT_CONTEXT,
        remoteOf({ ...own, spanId: run.parentSpanId }),
      );
      if (!isKept(own.traceId, under)) return;
      const shown = { attributes, startTime: run.startedAt };
      const span = withIds({ spanId: own.spanId }, () => tracer.startSpan(name, shown, under));
      if (run.failure !== undefined) fail(span, run.failure);
      span.end(run.endedAt);
    },
  };
}

/** The span at hand stands for its children where it is not kept. */
const unkept = (at: unknown): UnkeptSpan | undefined => (at instanceof UnkeptSpan ? at : undefined);

class KeptSpan implements StartedSpan {
  readonly isKept = true;
  readonly context: Context;
  readonly #span: Span;
  #hasEnded = false;
  readonly #names: TraceParent;

  constructor(span: Span, context: Context) {
    this.context = context;
    this.#span = span;
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.#names = { traceId, spanId, flags: traceFlags };
  }

  get isRecording(): boolean {
    return !this.#hasEnded;
  }

  get traceId(): string {
    return this.#names.traceId;
  }

  get traceparent(): string {
    return formatTraceParent(this.#names);
  }

  run<T>(work: () => T, origin?: Origin): T {
    return holding({ span: this, ...(origin && { origin }) }, work);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  answered(status: number): void {
    this.#span.setAttribute('http.response.status_code', status);
    if (status >= 400) this.fail(String(status));
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  fail(type: string): void {
    fail(this.#span, type);
  }

  end(): void {
    this.#hasEnded = true;
    this.#span.end();
  }
}

const shownOf = ({ kind, attributes = {} }: SpanOptions) => ({
  kind: SpanKind[kind ?? 'INTERNAL'],
  attributes,
});

const remoteOf = ({ traceId, spanId, flags }: TraceParent) => ({
  traceId,
  spanId,
  traceFlags: flags,
  isRemote: true,
});

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
