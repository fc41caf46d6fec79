/** Temporal servers for tests, with the product's search attributes, from the cached executables. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  promptTimers,
  searchAttributes,
  temporalCliPath,
  timeSkippingServerPath,
} from '../../src/dev/temporal-server.ts';
import { quietRuntime } from './workflow-code.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const keyword = 2;

export { temporalCliPath, timeSkippingServerPath };

/** A real server in memory on a free port; stop it by `teardown()`. */
export async function startTemporal(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const path = await temporalCliPath();
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: [...promptTimers],
      searchAttributes: searchAttributes.map((name) => defineSearchAttributeKey(name, 'KEYWORD')),
    },
  });
}

/** The test server that skips time while a result is awaited; stop it by `teardown()`. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  const path = await timeSkippingServerPath();
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: Object.fromEntries(searchAttributes.map((name) => [name, keyword])),
  });
  return environment;
}
