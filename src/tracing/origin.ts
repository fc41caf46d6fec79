/** What the work at hand began with, whatever function of ours does it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

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

/** In one store: each store of its own costs every promise of the process on Node 20 and 22. */
interface Held {
  origin?: Origin;
  /** The span at hand, as recorder.ts keeps it. */
  context?: Context;
  waits?: WaitsAtHand;
}

const storage = new AsyncLocalStorage<Held>();

/** Runs `work` as part of what this began. */
export const withOrigin = <T>(origin: Origin, work: () => T): T =>
  storage.run({ ...storage.getStore(), origin }, work);

export const currentOrigin = (): Origin | undefined => storage.getStore()?.origin;

/** Runs `work` within the span of this context. */
export const withContext = <T>(context: Context, work: () => T): T =>
  storage.run({ ...storage.getStore(), context }, work);

export const currentContext = (): Context | undefined => storage.getStore()?.context;

export const withWaits = <T>(waits: WaitsAtHand, work: () => T): T =>
  storage.run({ ...storage.getStore(), waits }, work);

export const currentWaits = (): WaitsAtHand | undefined => storage.getStore()?.waits;

/** Undefined in work that no request began, such as that of a Schedule. */
export const currentRequestId = (): string | undefined => currentOrigin()?.requestId;
