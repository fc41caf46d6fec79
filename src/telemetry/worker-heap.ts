/**
 * How V8 keeps house in a worker; imported before anything else. A worker mostly waits, and then has much to do at once.
 * Choice 204.
 */
import { setFlagsFromString } from 'node:v8';

export const HEAP_FLAGS = [
  // What has not run for a few collections would be compiled anew, and be slow again: messages, after a quiet hour.
  '--no-flush-bytecode',
  // On machines with much memory V8 lets garbage pile up to four times what is used before it looks.
  '--heap-growing-percent=30',
];

for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
