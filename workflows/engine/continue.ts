/** When a run continues as new, and on which build of the workers. docs/workflow-rules.md#long-jobs. */
import { makeContinueAsNewFunc, workflowInfo, type Workflow } from '@temporalio/workflow';

/** A history stays well below 2,000 events. */
const MAX_HISTORY_EVENTS = 1_200;

/** Its history is long, or new runs begin on another build than this one. */
export function isTimeToContinue(): boolean {
  const { historyLength, continueAsNewSuggested, targetWorkerDeploymentVersionChanged } =
    workflowInfo();
  return (
    historyLength >= MAX_HISTORY_EVENTS ||
    continueAsNewSuggested ||
    targetWorkerDeploymentVersionChanged
  );
}

/** Throws `ContinueAsNew`: the next run begins on the build of today, where it would stay on this one. */
export const continueOnLatestBuild = <F extends Workflow>(
  ...input: Parameters<F>
): Promise<never> =>
  makeContinueAsNewFunc<F>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...input);

/** True for continue-as-new, which is no end of the job: cleanup code has to let it pass. */
export const isContinueAsNew = (error: unknown) =>
  error instanceof Error && error.name === 'ContinueAsNew';
