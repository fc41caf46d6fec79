/** Which processes of the world a source file is part of. */

/** The processes that run sources of this checkout, in the order in which they are restarted. */
export const restartOrder = ['sandbox', 'api', 'worker'] as const;
export type ProcessName = (typeof restartOrder)[number];

/** The folders that `npm run dev` watches. */
export const SOURCE_FOLDERS = ['src', 'workflows', 'activities', 'migrations'];

/** The first matching row decides. */
const TABLE: readonly [folder: string, names: readonly ProcessName[]][] = [
  // The command itself, and files that are read only at its start.
  ['src/dev/', []],
  ['src/cli/', []],
  ['migrations/', []],
  ['src/sandbox/', ['sandbox']],
  ['workflows/contracts/', ['api', 'worker']],
  ['workflows/', ['worker']],
  ['activities/', ['worker']],
  ['', ['api', 'worker']],
];

/**
 * Empty where the change takes effect only after a new start. `path` is relative to the checkout, with
 * `/`.
 */
export function processesOf(path: string): readonly ProcessName[] {
  return TABLE.find(([folder]) => path.startsWith(folder))![1];
}
