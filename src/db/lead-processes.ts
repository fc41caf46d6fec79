/** Discovery processes. */
import type { JobRows } from './job-rows.ts';

const toCome = (): never => {
  throw new Error('not built yet');
};

export const leadProcessRows: JobRows = { lockState: toCome, apply: toCome, settle: toCome };
