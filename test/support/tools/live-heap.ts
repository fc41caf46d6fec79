/** Measures the memory that work holds, without garbage that is not collected yet. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const POLL_MS = 2_000;

/**
 * Measures the live heap from now on; `stop` answers by how many MB the maximum exceeded the first
 * value.
 */
export function watchLiveHeap(): { stop(): number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const look = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = look();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, look())), POLL_MS);
  return {
    stop() {
      clearInterval(timer);
      return (most - before) / 1_048_576;
    },
  };
}
