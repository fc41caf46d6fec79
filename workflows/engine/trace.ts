/**
 * Hands on what a run is part of to its activities, and tells its end: without a command, a random number or
 * another turn of the event loop, so that a history replays alike with and without tracing.
 * docs/tracing.md#in-workflows.
 */
import {
  ContinueAsNew,
  defaultPayloadConverter,
  isCancellation,
  proxySinks,
  workflowInfo,
  type Headers,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import {
  formatTraceParent,
  parseTraceParent,
  spanIdOfRun,
  TRACE_HEADER,
  type EndedRun,
  type TraceCarrier,
} from '../../src/domain/operations/trace-carrier.ts';
import type { TraceSinks } from '../contracts/trace.ts';

const { tracing } = proxySinks<TraceSinks>();

/** Each workflow has modules of its own: this is the one run's. */
const run: {
  /** For what this run calls. */
  own: Headers;
  /** For the run that continues it: a sibling, or a job of weeks would be a chain of thousands. */
  given: Headers;
  carrier: TraceCarrier;
} = { own: {}, given: {}, carrier: {} };

/** The SDK finds it by its name. */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute(input, next) {
        const ended = begin(input.headers);
        if (!ended) return next(input);
        return next(input).then(
          (result) => {
            ended();
            return result;
          },
          (error: unknown) => {
            ended(failureOf(error));
            throw error;
          },
        );
      },
    },
  ],
  outbound: [
    {
      scheduleActivity: (input, next) => next(withHeaders(input, run.own)),
      scheduleLocalActivity: (input, next) => next(withHeaders(input, run.own)),
      startChildWorkflowExecution: (input, next) => next(withHeaders(input, run.own)),
      continueAsNew: (input, next) => next(withHeaders(input, run.given)),
      getLogAttributes(input, next) {
        const { requestId, traceparent } = run.carrier;
        const traceId = parseTraceParent(traceparent)?.traceId;
        return next({ ...input, ...(requestId && { requestId }), ...(traceId && { traceId }) });
      },
    },
  ],
});

/** Answers what to call at the end of a run that is traced. */
function begin(headers: Headers): ((failure?: string) => void) | undefined {
  const header = headers[TRACE_HEADER];
  if (header === undefined) return undefined;
  const carrier = defaultPayloadConverter.fromPayload<TraceCarrier>(header);
  Object.assign(run, {
    given: { [TRACE_HEADER]: header },
    own: { [TRACE_HEADER]: header },
    carrier,
  });
  const parent = parseTraceParent(carrier.traceparent);
  if (!parent) return undefined;
  const traceparent = formatTraceParent({ ...parent, spanId: spanIdOfRun(workflowInfo().runId) });
  const own: TraceCarrier = { ...carrier, traceparent };
  run.own = { [TRACE_HEADER]: defaultPayloadConverter.toPayload(own) };
  const startedAt = Date.now();
  return (failure) => {
    const ended: EndedRun = {
      traceparent,
      parentSpanId: parent.spanId,
      startedAt,
      endedAt: Date.now(),
      ...(failure !== undefined && { failure }),
    };
    tracing.runEnded(ended);
  };
}

function withHeaders<T extends { headers: Headers }>(input: T, added: Headers): T {
  return { ...input, headers: { ...input.headers, ...added } };
}

/** Undefined where the run goes on as another one. */
function failureOf(error: unknown): string | undefined {
  if (error instanceof ContinueAsNew) return undefined;
  if (isCancellation(error)) return 'cancelled';
  const { type, name } = error as { type?: string; name?: string };
  return type ?? name ?? 'Error';
}
