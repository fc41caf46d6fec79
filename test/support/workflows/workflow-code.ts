/** The workflows' bundle, and a Temporal runtime that keeps failures of activities to itself. */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { developmentBundle } from '../../../src/temporal/workflow-bundle.ts';

/** The bundle of all workflows, read once per process. */
export const workflowCode = () => (code ??= developmentBundle());
let code: Promise<string> | undefined;

/** Failing activities are what these tests are about: only errors of the SDK are worth a line. */
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

/** Makes room for a runtime with other options; whoever makes one shuts it down. */
export async function endRuntime(): Promise<void> {
  await Runtime.instance().shutdown();
  isQuiet = false;
}
