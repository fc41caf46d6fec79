/** Contract of `checkMailHosts`, which a Schedule runs: can messages of the mail hosts leave? */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const checkMailHostsType = 'checkMailHosts';
export const CHECK_MAIL_HOSTS_SCHEDULE_ID = 'check-mail-hosts';
/** What is not due yet is skipped: a run in which nothing is costs one query. */
export const CHECK_MAIL_HOSTS_EVERY_SECONDS = 600;

export interface CheckMailHostsInput {
  pace: Pace;
}
