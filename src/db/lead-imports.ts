/** Imports of lead files. */
import type { JobRows } from './job-rows.ts';

const toCome = (): never => {
  throw new Error('not built yet');
};

export const leadImportRows: JobRows = { lockState: toCome, apply: toCome, settle: toCome };
