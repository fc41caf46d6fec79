/** The names of src/tracing/spans.ts and src/temporal/trace-calls.ts, which do the work and nothing else. */
import type * as calls from '../../src/temporal/trace-calls.ts';
import type * as spans from '../../src/tracing/spans.ts';

const nothing = () => undefined;
const NO_SPAN: spans.OpenSpan = { set: nothing, answered: nothing, traceparent: undefined };

export const recordBy: typeof spans.recordBy = nothing;
export const isTracing: typeof spans.isTracing = () => false;
export const traced: typeof spans.traced = (_name, _options, work) => work(NO_SPAN);
export const startSpan: typeof spans.startSpan = nothing;
export const isRecording: typeof spans.isRecording = () => false;
export const pastSpan: typeof spans.pastSpan = nothing;
export const runSpan: typeof spans.runSpan = nothing;
export const currentTraceParent: typeof spans.currentTraceParent = nothing;
export const currentTraceId: typeof spans.currentTraceId = nothing;

export const carryTrace: typeof calls.carryTrace = {};
export const traceActivities: typeof calls.traceActivities = () => ({});
export const traceSinks = {};
