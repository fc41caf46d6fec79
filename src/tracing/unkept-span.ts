/** The span of a trace that is not kept: names for logs, rows and headers, and nothing besides. */
import { formatTraceParent } from '../domain/operations/trace-carrier.ts';
import { newSpanId } from './ids.ts';
import { currentSpan, holding, type Origin } from './origin.ts';
import type { StartedSpan } from './spans.ts';

/** It stands for all that begins within it, too. */
export class UnkeptSpan implements StartedSpan {
  readonly isKept = false;
  readonly isRecording = false;
  readonly traceId: string;
  #spanId: string | undefined;

  /** `spanId`: of the span of another process that it is a part of. */
  constructor(traceId: string, spanId?: string) {
    this.traceId = traceId;
    this.#spanId = spanId;
  }

  /** Few ask for it. */
  get traceparent(): string {
    this.#spanId ??= newSpanId();
    return formatTraceParent({ traceId: this.traceId, spanId: this.#spanId, flags: 0 });
  }

  run<T>(work: () => T, origin?: Origin): T {
    if (origin) return holding({ span: this, origin }, work);
    return currentSpan() === this ? work() : holding({ span: this }, work);
  }

  set(): void {}
  answered(): void {}
  rename(): void {}
  fail(): void {}
  end(): void {}
}
