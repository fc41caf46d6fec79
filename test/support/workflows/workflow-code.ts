/** The workflows' bundle, and a Temporal runtime that does not log failures of activities. */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { developmentBundle } from '../../../src/temporal/workflow-bundle.ts';

/** The bundle of all workflows, read once per process. */
export const workflowCode = () => (code ??= developmentBundle());
let code: Promise<string> | undefined;

/** These tests make activities fail: only errors of the SDK are logged. */
export function quietRuntime(): void {
  if (isQuiet) return;
  isQuiet = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'off', forward: {} } },
    shutdownSignals: [],
  });
}
let isQuiet = false;

/** Makes room for a runtime with other options; the creator of a runtime shuts it down. */
export async function endRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
  isQuiet = false;
}
