/** Spans of a test's own process, kept instead of sent. */
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { traceTo, type Sampling } from '../../../src/tracing/start-tracing.ts';

export interface RecordedSpan {
  name: string;
  traceId: string;
  id: string;
  parentId: string | undefined;
  /** Trace ids of its links. */
  links: string[];
  attributes: Record<string, unknown>;
  /** `error.type`, of spans that failed. */
  error: string | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
}

export interface Recording {
  /** Ends the recording. */
  stop(): Promise<RecordedSpan[]>;
  /** All that would have been sent, as one text. */
  text(): string;
}

/** To be called before what is traced is made: a database decides by it when it is opened. `sampling`: all are kept by default. */
export async function recordSpans(sampling: Sampling = {}): Promise<Recording> {
  const spans: ReadableSpan[] = [];
  const exporter: SpanExporter = {
    export(batch, done) {
      spans.push(...batch);
      done({ code: 0 });
    },
    shutdown: async () => undefined,
  };
  const tracing = await traceTo(exporter, 'test', sampling);
  return {
    async stop() {
      await tracing.stop();
      return spans.map(recorded);
    },
    text: () =>
      JSON.stringify(
        spans.map(({ name, attributes, events, links, status, resource }) => [
          name,
          attributes,
          events,
          links,
          status,
          resource.attributes,
        ]),
      ),
  };
}

function recorded(span: ReadableSpan): RecordedSpan {
  const { traceId, spanId } = span.spanContext();
  const error = span.attributes['error.type'];
  return {
    name: span.name,
    traceId,
    id: spanId,
    parentId: span.parentSpanContext?.spanId,
    links: span.links.map(({ context }) => context.traceId),
    attributes: span.attributes,
    error: typeof error === 'string' ? error : undefined,
    startedAt: millis(span.startTime),
    endedAt: millis(span.endTime),
  };
}

const millis = ([seconds, nanos]: readonly [number, number]): number =>
  seconds * 1_000 + nanos / 1_000_000;
