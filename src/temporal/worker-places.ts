/** How many activities a worker runs at once: so many, or fewer while memory or processors are short. */
import { ResourceBasedController, type WorkerOptions } from '@temporalio/worker';

/** Shares of what the machine, or the container, has; absent: not looked at. */
export interface ResourceTargets {
  WORKER_MEMORY_TARGET?: number | undefined;
  WORKER_CPU_TARGET?: number | undefined;
}

/** Says for each worker of a process how its activities are given out; `most` is never passed. */
export type Places = (
  most: number,
) => Pick<WorkerOptions, 'tuner' | 'maxConcurrentActivityTaskExecutions'>;

/** What a queue gets though all targets are passed: nothing stands still. */
const LEAST_SHARE = 0.05;
/** Between two activities above that, so that the effect of one is seen before the next. */
const RAMP = '10 milliseconds';
/** Those of the SDK: where there is a tuner it has to name all kinds. */
const OTHERS = { type: 'fixed-size', numSlots: 100 } as const;
const WORKFLOW_TASKS = { type: 'fixed-size', numSlots: 40 } as const;

/** All workers of a process share one controller, since they share its memory and processors. */
export function createPlaces({
  WORKER_MEMORY_TARGET: memory,
  WORKER_CPU_TARGET: cpu,
}: ResourceTargets): Places {
  if (memory === undefined && cpu === undefined) {
    return (most) => ({ maxConcurrentActivityTaskExecutions: most });
  }
  const controller = ResourceBasedController.create({
    targetMemoryUsage: memory ?? 1,
    targetCpuUsage: cpu ?? 1,
  });
  return (most) => ({
    tuner: {
      workflowTaskSlotSupplier: WORKFLOW_TASKS,
      localActivityTaskSlotSupplier: OTHERS,
      nexusTaskSlotSupplier: OTHERS,
      activityTaskSlotSupplier: {
        type: 'resource-based',
        controller,
        minimumSlots: Math.ceil(most * LEAST_SHARE),
        maximumSlots: most,
        rampThrottle: RAMP,
      },
    },
  });
}
