/** Which request the work at hand began with, whatever function of ours does it. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Origin {
  /** `X-Request-Id` of the request. */
  requestId: string;
}

const storage = new AsyncLocalStorage<Origin>();

/** Runs `work` as part of what this request began. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => storage.run(origin, work);

/** Undefined in work that no request began, such as that of a Schedule. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;
