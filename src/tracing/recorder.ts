/** Records spans by OpenTelemetry's API; loaded when tracing is turned on. */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import {
  formatTraceParent,
  parseTraceParent,
  type TraceParent,
} from '../domain/operations/trace-carrier.ts';
import { withSpanId } from './ids.ts';
import { currentContext, withContext } from './origin.ts';
import type { Recorder, SpanOptions, StartedSpan } from './spans.ts';

/** `tracer`: of an SDK with our ids. */
export const createRecorder = (tracer: Tracer): Recorder => ({
  start(name, options) {
    const under = contextFor(options.parent ?? 'active');
    if (!under) return undefined;
    const linked = parseTraceParent(options.link);
    const links = linked ? [{ context: remoteOf(linked) }] : [];
    const span = tracer.startSpan(name, { ...shownOf(options), links }, under);
    return startedSpan(span, trace.setSpan(under, span));
  },
  past(name, options, { startedAt, failure }) {
    const span = tracer.startSpan(
      name,
      { ...shownOf(options), startTime: startedAt },
      currentContext(),
    );
    if (failure !== undefined) fail(span, failure);
    span.end();
  },
  run(name, attributes, run) {
    const own = parseTraceParent(run.traceparent);
    if (!own) return;
    const parent = remoteOf({ ...own, spanId: run.parentSpanId });
    const under = trace.setSpanContext(ROOT_CONTEXT, parent);
    const options = { attributes, startTime: run.startedAt };
    const span = withSpanId(own.spanId, () => tracer.startSpan(name, options, under));
    if (run.failure !== undefined) fail(span, run.failure);
    span.end(run.endedAt);
  },
  isRecording: () => activeSpan()?.isRecording() ?? false,
  current() {
    const active = activeSpan();
    return active && namesOf(active);
  },
});

function activeSpan(): Span | undefined {
  const context = currentContext();
  return context && trace.getSpan(context);
}

/** Undefined where a span would be nobody's: thousands of traces of one statement. */
function contextFor(parent: NonNullable<SpanOptions['parent']>): Context | undefined {
  if (parent === 'active') return currentContext();
  const remote = parent === 'root' ? undefined : parseTraceParent(parent);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remoteOf(remote)) : ROOT_CONTEXT;
}

function startedSpan(span: Span, within: Context): StartedSpan {
  const names = namesOf(span);
  return {
    traceId: names.traceId,
    traceparent: formatTraceParent(names),
    set: (attributes) => void span.setAttributes(attributes),
    answered(status) {
      span.setAttribute('http.response.status_code', status);
      if (status >= 400) fail(span, String(status));
    },
    run: (work) => withContext(within, work),
    rename: (name) => void span.updateName(name),
    fail: (type) => fail(span, type),
    end: () => span.end(),
  };
}

const shownOf = ({ kind, attributes = {} }: SpanOptions) => ({
  kind: SpanKind[kind ?? 'INTERNAL'],
  attributes,
});

function namesOf(span: Span): TraceParent {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, flags: traceFlags };
}

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
