/** What the work at hand began with, whatever function of ours does it. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Origin {
  /** `X-Request-Id` of the request; undefined where none began it. */
  requestId: string | undefined;
  /** Of the span that ordered it, for a process that records no spans itself and hands it on all the same. */
  traceparent?: string | undefined;
}

const storage = new AsyncLocalStorage<Origin>();

/** Runs `work` as part of what this began. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => storage.run(origin, work);

export const currentOrigin = (): Origin | undefined => storage.getStore();

/** Undefined in work that no request began, such as that of a Schedule. */
export const currentRequestId = (): string | undefined => currentOrigin()?.requestId;
