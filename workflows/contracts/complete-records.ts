/** Contract of `completeRecords`, which a Schedule runs: domains get records that became part of the plan later. */
import type { DomainPagesInput } from './domain-pages.ts';

export const completeRecordsType = 'completeRecords';
export const COMPLETE_RECORDS_SCHEDULE_ID = 'complete-records';
/** What is complete already costs one query a run. */
export const COMPLETE_RECORDS_EVERY_SECONDS = 3_600;

export type CompleteRecordsInput = DomainPagesInput;
