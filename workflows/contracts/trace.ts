/** What a traced workflow tells its worker. */
import type { EndedRun } from '../../src/domain/operations/trace-carrier.ts';

/** A type, not an interface: the SDK's `Sinks` have an index. */
export type TraceSinks = {
  tracing: { runEnded(run: EndedRun): void };
};
