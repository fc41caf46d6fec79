/** Which processes of the world a source file is part of. */

/** The processes that run sources of this checkout, in the order in which they are started anew. */
export const restartOrder = ['sandbox', 'api', 'worker'] as const;
export type ProcessName = (typeof restartOrder)[number];

/** What `npm run dev` follows. */
export const SOURCE_FOLDERS = ['src', 'workflows', 'activities', 'migrations'];

/** The first line that fits a path decides. */
const TABLE: readonly [folder: string, names: readonly ProcessName[]][] = [
  // The command itself, and what is read when it starts.
  ['src/dev/', []],
  ['src/cli/', []],
  ['migrations/', []],
  ['src/sandbox/', ['sandbox']],
  ['workflows/contracts/', ['api', 'worker']],
  ['workflows/', ['worker']],
  ['activities/', ['worker']],
  ['', ['api', 'worker']],
];

/** Empty where only a new start shows the change. `path` is relative to the checkout, with `/`. */
export function processesOf(path: string): readonly ProcessName[] {
  return TABLE.find(([folder]) => path.startsWith(folder))![1];
}
