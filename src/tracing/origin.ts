/** What the work at hand began with, whatever function of ours does it. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Origin {
  /** `X-Request-Id` of the request; undefined where none began it. */
  requestId: string | undefined;
  /** Of the span that ordered it, for a process that records no spans itself and hands it on all the same. */
  traceparent?: string | undefined;
}

/** Where the activity at hand notes what it waits for. */
export interface WaitsAtHand {
  /** Until the returned function is called. */
  begin(what: string): () => void;
}

/** What logs, rows and headers tell of the span at hand. */
export interface SpanAtHand {
  traceId: string;
  /** For the header of a call. */
  traceparent: string;
  /** Whether it is sent: else nothing that begins within it is a span. */
  isKept: boolean;
  /** Whether it is kept and has not ended: what goes on after that is told by none of its statements. */
  isRecording: boolean;
}

/** In one store: each store of its own costs every promise of the process on Node 20 and 22. */
interface Held {
  origin?: Origin;
  span?: SpanAtHand;
  waits?: WaitsAtHand;
}

const storage = new AsyncLocalStorage<Held>();

/** Runs `work` with this beside what is at hand already. */
export const holding = <T>(held: Held, work: () => T): T =>
  storage.run({ ...storage.getStore(), ...held }, work);

/** Runs `work` as part of what this began. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => holding({ origin }, work);

export const currentOrigin = (): Origin | undefined => storage.getStore()?.origin;

export const currentSpan = (): SpanAtHand | undefined => storage.getStore()?.span;

export const withWaits = <T>(waits: WaitsAtHand, work: () => T): T => holding({ waits }, work);

export const currentWaits = (): WaitsAtHand | undefined => storage.getStore()?.waits;

/** Undefined in work that no request began, such as that of a Schedule. */
export const currentRequestId = (): string | undefined => currentOrigin()?.requestId;
