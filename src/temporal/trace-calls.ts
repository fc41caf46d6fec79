/** Carries the request's id and the trace into workflows and activities, and records the spans of both. */
import {
  defaultPayloadConverter,
  type Headers,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import {
  parseTraceParent,
  TRACE_HEADER,
  type EndedRun,
  type TraceCarrier,
} from '../domain/operations/trace-carrier.ts';
import type { TraceSinks } from '../../workflows/contracts/trace.ts';
import { currentOrigin, withOrigin } from '../tracing/origin.ts';
import {
  currentTraceId,
  currentTraceParent,
  isTracing,
  runSpan,
  traced,
} from '../tracing/spans.ts';

/** For the client's `interceptors.workflow`: a workflow that starts is told what it is part of. */
export const carryTrace: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => {
    const origin = currentOrigin();
    const traceparent = currentTraceParent() ?? origin?.traceparent;
    const header = headerOf({ traceparent, requestId: origin?.requestId });
    return next({ ...input, headers: { ...input.headers, ...header } });
  },
};

function headerOf(found: {
  [Name in keyof TraceCarrier]: TraceCarrier[Name] | undefined;
}): Headers {
  const { traceparent, requestId } = found;
  if (traceparent === undefined && requestId === undefined) return {};
  const carrier: TraceCarrier = {
    ...(traceparent !== undefined && { traceparent }),
    ...(requestId !== undefined && { requestId }),
  };
  return { [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrier) };
}

/**
 * For `interceptors.activity`, before all others: one span for each attempt. The SDK's own lines about an attempt, such
 * as that it failed, come after it, and tell what it was part of as well.
 */
export const traceActivities: ActivityInterceptorsFactory = ({ info }) => {
  let origin: { requestId?: string; traceId?: string } = {};
  return {
    inbound: {
      execute(input, next) {
        const told = input.headers[TRACE_HEADER];
        const carrier = told ? defaultPayloadConverter.fromPayload<TraceCarrier>(told) : {};
        const { requestId } = carrier;
        const note = (traceId: string | undefined) => {
          origin = { ...(requestId && { requestId }), ...(traceId && { traceId }) };
        };
        const work = async () => {
          if (!isTracing()) {
            note(parseTraceParent(carrier.traceparent)?.traceId);
            return next(input);
          }
          return traced(spanOf(info), optionsOf(info, carrier), () => {
            note(currentTraceId());
            return next(input);
          });
        };
        return requestId === undefined ? work() : withOrigin({ requestId }, work);
      },
    },
    outbound: { getLogAttributes: (input, next) => next({ ...input, ...origin }) },
  };
};

type ActivityInfo = Parameters<ActivityInterceptorsFactory>[0]['info'];

const spanOf = ({ activityType }: ActivityInfo) => `RunActivity:${activityType}`;

const optionsOf = (
  { workflowExecution, activityId, attempt }: ActivityInfo,
  { traceparent }: TraceCarrier,
) => ({
  parent: traceparent ?? 'root',
  attributes: {
    'temporal.activity.id': activityId,
    'temporal.activity.attempt': attempt,
    ...(workflowExecution && namesOf(workflowExecution)),
  },
});

/** For the workers' `sinks`: registered without tracing, too, since another process may have begun the trace. */
export const traceSinks: InjectedSinks<TraceSinks> = {
  tracing: {
    runEnded: {
      fn: ({ workflowType, workflowId, runId }, run: EndedRun) =>
        runSpan(`RunWorkflow:${workflowType}`, namesOf({ workflowId, runId }), run),
      callDuringReplay: false,
    },
  },
};

const namesOf = ({ workflowId, runId }: { workflowId: string; runId: string }) => ({
  'temporal.workflow.id': workflowId,
  'temporal.run.id': runId,
});
