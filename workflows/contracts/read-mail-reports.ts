/** Contract of `readMailReports`, which a Schedule runs: what came to `postmaster@` and `abuse@` of domains. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const readMailReportsType = 'readMailReports';
export const READ_MAIL_REPORTS_SCHEDULE_ID = 'read-mail-reports';
/** Reports come once a day; a complaint of a person should be seen the same hour. */
export const READ_MAIL_REPORTS_EVERY_SECONDS = 1_800;

export interface ReadMailReportsInput {
  pace: Pace;
}
