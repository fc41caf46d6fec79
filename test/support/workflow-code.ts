/** The workflows' bundle, and a Temporal runtime that keeps failures of activities to itself. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';

/** The bundle of all workflows, made once per process. */
export const workflowCode = () => (bundled ??= bundle());
let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const workflowsPath = fileURLToPath(new URL('../../workflows', import.meta.url));
  return (await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })).code;
}

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
