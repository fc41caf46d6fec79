/** The spans of a world, in memory and bounded: what OpenTelemetry's exporters send as JSON, by trace. */
import { z } from 'zod';

/** All that is kept; a span takes about 1 kB. */
const MAX_SPANS = 50_000;
/** Of one trace: the session of a campaign has one for each statement of hours. */
const MAX_SPANS_OF_TRACE = 10_000;
const MAX_TEXT = 300;
const MAX_ATTRIBUTES = 30;

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.union([z.string(), z.number()]).optional(),
    doubleValue: z.number().optional(),
    boolValue: z.boolean().optional(),
  }),
});
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string().regex(/^\d{1,20}$/),
  endTimeUnixNano: z.string().regex(/^\d{1,20}$/),
  attributes: z.array(attribute).default([]),
  status: z.object({ code: z.number().optional() }).optional(),
});

/** `ExportTraceServiceRequest` of OTLP 1 as JSON, as far as it is shown. */
export const exportRequest = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: z.object({ attributes: z.array(attribute).default([]) }).optional(),
        scopeSpans: z.array(z.object({ spans: z.array(span).default([]) })).default([]),
      }),
    )
    .default([]),
});

export interface KeptSpan {
  id: string;
  parentId: string | undefined;
  name: string;
  /** The process that it is of: `outreach-api`. */
  service: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string>;
  isError: boolean;
}

export interface KeptTrace {
  id: string;
  spans: KeptSpan[];
  /** Spans that came after it was full. */
  dropped: number;
}

export interface SpanStore {
  add(request: z.infer<typeof exportRequest>): void;
  /** Those with the newest spans last. */
  list(): KeptTrace[];
  find(traceId: string): KeptTrace | undefined;
  /** The newest trace of an operation on this resource, `cluster/7`. */
  findOf(resource: string): KeptTrace | undefined;
}

/** The traces that got no span for the longest time go first. */
export function createSpanStore(
  limits = { all: MAX_SPANS, ofTrace: MAX_SPANS_OF_TRACE },
): SpanStore {
  const traces = new Map<string, KeptTrace>();
  let count = 0;
  const keep = (traceId: string, kept: KeptSpan) => {
    const trace = traces.get(traceId) ?? { id: traceId, spans: [], dropped: 0 };
    // The last of the map is the one that was changed last.
    traces.delete(traceId);
    traces.set(traceId, trace);
    if (trace.spans.length >= limits.ofTrace) {
      trace.dropped += 1;
      return;
    }
    trace.spans.push(kept);
    count += 1;
    for (const [id, { spans }] of traces) {
      if (count <= limits.all || id === traceId) break;
      traces.delete(id);
      count -= spans.length;
    }
  };
  const list = () => [...traces.values()];
  return {
    add({ resourceSpans }) {
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = textsOf(resource?.attributes ?? [])['service.name'] ?? '';
        for (const one of scopeSpans.flatMap(({ spans }) => spans)) {
          keep(one.traceId, toKept(one, service));
        }
      }
    },
    list,
    find: (traceId) => traces.get(traceId),
    findOf: (resource) =>
      list().findLast(({ spans }) =>
        spans.some(({ attributes }) => attributes['outreach.resource'] === resource),
      ),
  };
}

const ERROR = 2;
const NANOS_PER_MILLI = 1e6;

const toKept = (one: z.infer<typeof span>, service: string): KeptSpan => ({
  id: one.spanId,
  parentId: one.parentSpanId || undefined,
  name: one.name.slice(0, MAX_TEXT),
  service,
  startedAt: Number(one.startTimeUnixNano) / NANOS_PER_MILLI,
  endedAt: Number(one.endTimeUnixNano) / NANOS_PER_MILLI,
  attributes: textsOf(one.attributes),
  isError: one.status?.code === ERROR,
});

function textsOf(attributes: z.infer<typeof attribute>[]): Record<string, string> {
  const texts = attributes.slice(0, MAX_ATTRIBUTES).map(({ key, value }) => {
    const [first = ''] = Object.values(value);
    return [key.slice(0, MAX_TEXT), String(first).slice(0, MAX_TEXT)] as const;
  });
  return Object.fromEntries(texts);
}
