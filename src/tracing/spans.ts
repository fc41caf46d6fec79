/**
 * Spans of our own choke points. Until `useTracer` was called each function here calls the work and does nothing
 * else: tracing is off by default. Attributes never hold what a person wrote or a secret: docs/tracing.md#no-secrets.
 */
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import {
  formatTraceParent,
  parseTraceParent,
  type EndedRun,
  type TraceParent,
} from '../domain/operations/trace-carrier.ts';
import { errorType } from './error-type.ts';
import { withSpanId } from './ids.ts';

let tracer: Tracer | undefined;

/** Turns tracing on, or off again with undefined. */
export const useTracer = (given: Tracer | undefined): void => void (tracer = given);

export const isTracing = (): boolean => tracer !== undefined;

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  /**
   * `active`, the default: a child of the span at hand; where there is none, no span. `root`: a trace of its own.
   * A traceparent: a child of that span, of another process; a trace of its own where it is not of that form.
   */
  parent?: 'active' | 'root' | (string & {});
  /** A traceparent that has to do with it and is not its parent. */
  link?: string | undefined;
}

/** The part of a span that the work within it sees. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** The status of an answer; 400 and more marks the span. */
  answered(status: number): void;
  /** For the header of a call; undefined while tracing is off. */
  traceparent: string | undefined;
}

const NO_SPAN: OpenSpan = {
  set: () => undefined,
  answered: () => undefined,
  traceparent: undefined,
};

/** Runs `work` within a span that ends with it; an error marks the span by its type, without its words. */
export async function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const opened = open(name, options);
  if (!opened) return work(NO_SPAN);
  const { span, within } = opened;
  try {
    return await context.with(within, () => work(visible(span)));
  } catch (error) {
    fail(span, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** As `traced`, for work that tells its end by events. Undefined while tracing is off. */
export function openSpan(
  name: string,
  options: SpanOptions,
):
  | {
      traceId: string;
      run<T>(work: () => T): T;
      end(last: { name?: string; attributes?: Attributes; failure?: string | undefined }): void;
    }
  | undefined {
  const opened = open(name, options);
  if (!opened) return undefined;
  const { span, within } = opened;
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(within, work),
    end(last) {
      if (last.name !== undefined) span.updateName(last.name);
      if (last.attributes) span.setAttributes(last.attributes);
      if (last.failure !== undefined) fail(span, last.failure);
      span.end();
    },
  };
}

/** A span of something that has happened already; nothing where no span is at hand. */
export function pastSpan(
  name: string,
  { kind, attributes = {} }: SpanOptions,
  past: { startedAt: number; error?: unknown },
): void {
  const active = trace.getSpan(context.active());
  if (!tracer || !active?.isRecording()) return;
  const span = tracer.startSpan(name, { ...kindOf(kind), attributes, startTime: past.startedAt });
  if (past.error !== undefined) fail(span, errorType(past.error));
  span.end();
}

/** The span of a workflow's run, which the run itself tells of at its end. */
export function runSpan(name: string, attributes: Attributes, run: EndedRun): void {
  const own = parseTraceParent(run.traceparent);
  if (!tracer || !own) return;
  const parent = spanContext({ ...own, spanId: run.parentSpanId });
  const options = { attributes, startTime: run.startedAt };
  const under = trace.setSpanContext(ROOT_CONTEXT, parent);
  const span = withSpanId(own.spanId, () => tracer!.startSpan(name, options, under));
  if (run.failure !== undefined) fail(span, run.failure);
  span.end(run.endedAt);
}

/** The traceparent of the span at hand. */
export function currentTraceParent(): string | undefined {
  const active = tracer && trace.getSpan(context.active());
  return active && traceparentOf(active);
}

/** The trace at hand, for logs. */
export const currentTraceId = (): string | undefined =>
  tracer && trace.getSpan(context.active())?.spanContext().traceId;

function open(name: string, options: SpanOptions): { span: Span; within: Context } | undefined {
  if (!tracer) return undefined;
  const { parent = 'active', kind, attributes = {}, link } = options;
  let under = context.active();
  if (parent === 'active') {
    // A statement or a call outside any request or activity is nobody's: thousands of traces of one span.
    if (!trace.getSpan(under)) return undefined;
  } else {
    const remote = parent === 'root' ? undefined : parseTraceParent(parent);
    under = remote ? trace.setSpanContext(ROOT_CONTEXT, spanContext(remote)) : ROOT_CONTEXT;
  }
  const linked = parseTraceParent(link);
  const links: Link[] = linked ? [{ context: spanContext(linked) }] : [];
  const span = tracer.startSpan(name, { ...kindOf(kind), attributes, links }, under);
  return { span, within: trace.setSpan(under, span) };
}

const visible = (span: Span): OpenSpan => ({
  set: (attributes) => void span.setAttributes(attributes),
  answered(status) {
    span.setAttribute('http.response.status_code', status);
    if (status >= 400) fail(span, String(status));
  },
  traceparent: traceparentOf(span),
});

const kindOf = (kind: SpanOptions['kind']) => (kind ? { kind: SpanKind[kind] } : {});

const spanContext = ({ traceId, spanId, flags }: TraceParent) => ({
  traceId,
  spanId,
  traceFlags: flags,
  isRemote: true,
});

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return formatTraceParent({ traceId, spanId, flags: traceFlags });
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
