/** Temporal servers for tests, with the product's search attributes, from the cached executables. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  fairQueues,
  promptTimers,
  searchAttributes,
  temporalCliPath,
  timeSkippingServerPath,
  wholeQueues,
} from '../../../src/dev/temporal/temporal-server.ts';
import { quietRuntime } from './workflow-code.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const keyword = 2;

export { temporalCliPath, timeSkippingServerPath };

/** The SDK gives a server five seconds, which a busy machine may need for other things. */
const STARTS = 5;

/** Repeats a start that exceeded the SDK's five seconds; any other failure is thrown at once. */
export async function startPatiently<T>(start: () => Promise<T>): Promise<T> {
  for (let left = STARTS - 1; ; left -= 1) {
    try {
      return await start();
    } catch (error) {
      if (left === 0 || !String(error).includes('did not start within')) throw error;
    }
  }
}

/**
 * A real server in memory on a free port; stop it by `teardown()`. `install` makes the process's runtime; `parts`: how its
 * queues are kept.
 */
export async function startTemporal(
  install: () => void = quietRuntime,
  parts: readonly string[] = wholeQueues,
): Promise<TestWorkflowEnvironment> {
  install();
  const path = await temporalCliPath();
  const server = {
    executable: { type: 'existing-path' as const, path },
    extraArgs: [...promptTimers, ...fairQueues, ...parts],
    searchAttributes: searchAttributes.map((name) => defineSearchAttributeKey(name, 'KEYWORD')),
  };
  return startPatiently(() => TestWorkflowEnvironment.createLocal({ server }));
}

/** The test server that skips time while a result is awaited; stop it by `teardown()`. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const path = await timeSkippingServerPath();
  const server = { executable: { type: 'existing-path', path } } as const;
  const environment = await startPatiently(() =>
    TestWorkflowEnvironment.createTimeSkipping({ server }),
  );
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: Object.fromEntries(searchAttributes.map((name) => [name, keyword])),
  });
  return environment;
}
