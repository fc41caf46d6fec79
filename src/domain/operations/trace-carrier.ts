/** What of a trace goes from one process to the next, through rows and Temporal: pure, for workflows, too. */

/** Header of workflows and activities; the name that Temporal's own interceptors use. */
export const TRACE_HEADER = '_tracer-data';

/** The content of that header. */
export interface TraceCarrier {
  /** Of the span that the next one is a child of: `00-<32 hex>-<16 hex>-<2 hex>` (W3C Trace Context). */
  traceparent?: string;
  /** Of the request that it began with; goes along without any tracing. */
  requestId?: string;
}

export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** The lowest bit: whether it is recorded. */
  flags: number;
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined for anything else than version 00 of the W3C form. */
export function parseTraceParent(text: string | null | undefined): TraceParent | undefined {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export const formatTraceParent = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;

/**
 * The span of a run is named by the run itself: a replay names it alike without asking for random numbers, which
 * the workflow may be using. The end of a run's id is its most random part.
 */
export const spanIdOfRun = (runId: string): string => runId.replaceAll('-', '').slice(-16);

/** What a workflow tells of its run when that has ended. */
export interface EndedRun {
  /** Its `spanId` is the run's own. */
  traceparent: string;
  parentSpanId: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  /** `ContinueAsNew` is no failure. */
  failure?: string;
}
