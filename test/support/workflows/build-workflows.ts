/** Two flows for the test of builds: one that ends, and one that continues as new for ever. */
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import { continueOnLatestBuild, isTimeToContinue } from '../../../workflows/engine/continue.ts';

interface BuildActivities {
  /** Answers the build of the worker that runs it. */
  note(run: string): Promise<string>;
}

export const goOn = defineSignal('goOn');
const { note } = proxyActivities<BuildActivities>({ startToCloseTimeout: '10 seconds' });

/** Three steps, each after a signal; answers the builds that ran them. */
export async function errand(name: string): Promise<string[]> {
  let signals = 0;
  setHandler(goOn, () => void (signals += 1));
  const builds: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    builds.push(await note(name));
    await condition(() => signals > step);
  }
  return builds;
}

/** A step after each signal, without an end, as jobs have it. */
export async function watch(name: string): Promise<void> {
  let signals = 0;
  setHandler(goOn, () => void (signals += 1));
  for (let step = 0; ; step += 1) {
    if (isTimeToContinue()) await continueOnLatestBuild<typeof watch>(name);
    await note(name);
    await condition(() => signals > step);
  }
}
