/** Jobs that validate many addresses. */
import type { JobRows } from './job-rows.ts';

const toCome = (): never => {
  throw new Error('not built yet');
};

export const emailValidationRows: JobRows = { lockState: toCome, apply: toCome, settle: toCome };
