/** Long work is asked about until it is done. */
import type { Cluster, Operation } from './api.ts';
import type { Outreach } from './outreach.ts';
import { pause } from './request.ts';

export interface WaitOptions<State> {
  /** After which `WaitTimeoutError` is thrown; the work goes on. Default: an hour. */
  timeLimitSeconds?: number;
  /** Between two questions. Default: 5. */
  pollSeconds?: number;
  /** Called with each answer. */
  onProgress?: (state: State) => void;
  signal?: AbortSignal;
}

/** It ended without what was wanted; `state` is the last answer. */
export class WaitFailedError<State = unknown> extends Error {
  override readonly name = 'WaitFailedError';
  /** Why, for programs. */
  readonly code: string;
  readonly state: State;

  constructor(message: string, facts: { code: string; state: State }) {
    super(message);
    this.code = facts.code;
    this.state = facts.state;
  }
}

/** It was not done in time; `state` is the last answer. */
export class WaitTimeoutError<State = unknown> extends Error {
  override readonly name = 'WaitTimeoutError';
  readonly state: State;

  constructor(seconds: number, state: State) {
    super(`It was not done within ${seconds} seconds`);
    this.state = state;
  }
}

const TIME_LIMIT_SECONDS = 3_600;
const POLL_SECONDS = 5;

/** Asks until `isDone` says so, which may throw. */
export async function waitUntil<State>(
  read: () => PromiseLike<State>,
  isDone: (state: State) => boolean,
  options: WaitOptions<State> = {},
): Promise<State> {
  const { timeLimitSeconds = TIME_LIMIT_SECONDS, pollSeconds = POLL_SECONDS, signal } = options;
  const end = Date.now() + timeLimitSeconds * 1_000;
  for (;;) {
    signal?.throwIfAborted();
    const state = await read();
    options.onProgress?.(state);
    if (isDone(state)) return state;
    const left = (end - Date.now()) / 1_000;
    if (left <= 0) throw new WaitTimeoutError(timeLimitSeconds, state);
    await pause(Math.min(pollSeconds, left), signal);
  }
}

/**
 * Until a cluster is active: `await waitForCluster(outreach, await outreach.clusters.create({ body }))`. Throws
 * `WaitFailedError` when its provisioning failed. A blocked step is waited for: an operator cures it.
 */
export const waitForCluster = (
  outreach: Outreach,
  { id }: Pick<Cluster, 'id'>,
  options?: WaitOptions<Cluster>,
): Promise<Cluster> =>
  waitUntil(
    () => outreach.clusters.read({ id }, { signal: options?.signal }),
    (cluster) => {
      if (['failed', 'deleting', 'deleted'].includes(cluster.status)) {
        throw failure(cluster, cluster.provisioning.error, `The cluster is ${cluster.status}`);
      }
      return cluster.status === 'active';
    },
    options,
  );

/** Until an operation is completed; throws `WaitFailedError` when it failed. */
export const waitForOperation = (
  outreach: Outreach,
  { id }: Pick<Operation, 'id'>,
  options?: WaitOptions<Operation>,
): Promise<Operation> =>
  waitUntil(
    () => outreach.operations.read({ id }, { signal: options?.signal }),
    (operation) => {
      if (operation.state === 'failed') {
        throw failure(operation, operation.error, 'The operation failed');
      }
      return operation.state === 'completed';
    },
    options,
  );

const failure = <State>(
  state: State,
  error: { code: string; message: string } | null,
  words: string,
): WaitFailedError<State> =>
  new WaitFailedError(error?.message ?? words, { code: error?.code ?? 'FAILED', state });
