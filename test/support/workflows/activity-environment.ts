/** Runs single activities without a server. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** `heartbeatTimeoutMs` 0: no heartbeats. Tests check failures, so they are not logged. */
export const activityEnvironment = (heartbeatTimeoutMs = 0, attempt = 1) =>
  new MockActivityEnvironment(
    { heartbeatTimeoutMs, attempt },
    { logger: new DefaultLogger('ERROR') },
  );
