/** Jobs that wait, in each shape that `waiting` compares. */
import { condition, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type { WaitingActivities } from './waiting.ts';

const LONG = '1 day';
const { hold } = proxyActivities<WaitingActivities>({
  startToCloseTimeout: LONG,
  heartbeatTimeout: '1 minute',
});
const { look } = proxyActivities<WaitingActivities>({ startToCloseTimeout: '1 minute' });

/** One activity, which says that it is alive. */
export const holding = ({ everyMs }: { everyMs: number }): Promise<void> => hold(everyMs);

/** A timer until the next moment, then a short activity. */
export async function looking({ everyMs }: { everyMs: number }): Promise<void> {
  // Not all in one moment.
  await sleep(Math.ceil(Math.random() * everyMs));
  for (;;) {
    await look();
    await sleep(everyMs);
  }
}

/** Nothing, until a signal comes. */
export async function listening(): Promise<void> {
  let isCalled = false;
  setHandler(defineSignal('called'), () => void (isCalled = true));
  await condition(() => isCalled);
}
