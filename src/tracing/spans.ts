/**
 * Spans of our own choke points. While tracing is off, as by default, each function here does the work and nothing
 * else, and nothing of OpenTelemetry is loaded. Attributes never hold what a person wrote or a secret:
 * docs/tracing.md#no-secrets.
 */
import type { Attributes } from '@opentelemetry/api';
import type { EndedRun } from '../domain/operations/trace-carrier.ts';
import { errorType } from './error-type.ts';
import { currentSpan, type Origin, type SpanAtHand } from './origin.ts';

export interface SpanOptions {
  /** `INTERNAL` by default. */
  kind?: 'CLIENT' | 'SERVER' | 'PRODUCER';
  attributes?: Attributes;
  /**
   * `active`, the default: a child of the span at hand; where there is none, no span. `root`: a trace of its own.
   * A traceparent: a child of that span, of another process; a trace of its own where it is not of that form.
   */
  parent?: 'active' | 'root' | (string & {});
  /** A traceparent that has to do with it and is not its parent. */
  link?: string | undefined;
}

/** What work within a span can do with it. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** The status of an answer; 400 and more marks the span. */
  answered(status: number): void;
  /** For the header of a call; undefined while tracing is off. */
  traceparent: string | undefined;
}

/** A span that somebody has to end. One that is not kept has its names, and everything else of it does nothing. */
export interface StartedSpan extends OpenSpan, SpanAtHand {
  traceparent: string;
  /** Spans that begin within `work` are its children. `origin`: what the work began with, where it begins here. */
  run<T>(work: () => T, origin?: Origin): T;
  rename(name: string): void;
  /** `type`: `error.type`. */
  fail(type: string): void;
  end(): void;
}

/** By whom spans are recorded: recorder.ts, while tracing is on. */
export interface Recorder {
  start(name: string, options: SpanOptions): StartedSpan | undefined;
  past(name: string, options: SpanOptions, past: { startedAt: number; failure?: string }): void;
  run(name: string, attributes: Attributes, run: EndedRun): void;
}

let recorder: Recorder | undefined;

/** Turns tracing on, or off again with undefined. */
export const recordBy = (given: Recorder | undefined): void => void (recorder = given);

export const isTracing = (): boolean => recorder !== undefined;

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
  const span = startSpan(name, options);
  if (!span) return work(NO_SPAN);
  if (!span.isKept) return span.run(() => work(span));
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** As `traced`, for work that tells its end by events. Undefined while tracing is off. */
export const startSpan = (name: string, options: SpanOptions): StartedSpan | undefined =>
  recorder?.start(name, options);

/** Whether there is a span at hand that is kept and has not ended: else what has happened is no span. */
export const isRecording = (): boolean =>
  recorder !== undefined && currentSpan()?.isRecording === true;

/** A span of something that has happened already; nothing where `isRecording` is not so. In milliseconds since 1970. */
export function pastSpan(
  describe: () => { name: string; options: SpanOptions },
  { startedAt, error }: { startedAt: number; error?: unknown },
): void {
  if (!isRecording()) return;
  const { name, options } = describe();
  recorder!.past(name, options, {
    startedAt,
    ...(error !== undefined && { failure: errorType(error) }),
  });
}

/** The span of a workflow's run, which the run itself tells of at its end. */
export const runSpan = (name: string, attributes: Attributes, run: EndedRun): void =>
  recorder?.run(name, attributes, run);

/** The traceparent of the span at hand. */
export const currentTraceParent = (): string | undefined => recorder && currentSpan()?.traceparent;

/** The trace at hand, for logs. */
export const currentTraceId = (): string | undefined => recorder && currentSpan()?.traceId;
