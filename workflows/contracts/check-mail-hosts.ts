/** Contract of `checkMailHosts`, which a Schedule runs: can messages of the mail hosts leave? */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const checkMailHostsType = 'checkMailHosts';
export const CHECK_MAIL_HOSTS_SCHEDULE_ID = 'check-mail-hosts';
/** What is not due yet is skipped. While a host is in trouble, workers trigger runs between these. */
export const CHECK_MAIL_HOSTS_EVERY_SECONDS = 3_600;

export interface CheckMailHostsInput {
  pace: Pace;
}
