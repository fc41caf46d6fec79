/** Imports of a maps run's places into a lead list. */
import type { JobRows } from './job-rows.ts';

const toCome = (): never => {
  throw new Error('not built yet');
};

export const mapsImportRows: JobRows = { lockState: toCome, apply: toCome, settle: toCome };
