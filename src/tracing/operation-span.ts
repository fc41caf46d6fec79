/** The span between a request and its workflow: the operation's row keeps its name, for whoever starts the workflow. */
import { currentRequestId } from './origin.ts';
import { traced } from './spans.ts';

/** Columns of the operation's row. */
export interface OperationOrigin {
  /** Null where no request ordered it. */
  request_id: string | null;
  /** W3C traceparent of the operation's span; null while tracing is off. */
  trace_parent: string | null;
}

/** Writes the row by `insert`, within the span that its workflow will be part of. */
export const orderedBy = <Row extends { id: number }>(
  { kind, resource }: { kind: string; resource: string },
  insert: (origin: OperationOrigin) => Promise<Row>,
): Promise<Row> =>
  traced(
    `operation ${kind}`,
    { attributes: { 'outreach.operation.kind': kind, 'outreach.resource': resource } },
    async (span) => {
      const row = await insert({
        request_id: currentRequestId() ?? null,
        trace_parent: span.traceparent ?? null,
      });
      span.set({ 'outreach.operation.id': row.id });
      return row;
    },
  );
