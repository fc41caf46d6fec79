/** The Schedules that keep house, by their ids: nobody waits for them, and nobody would miss them for weeks. */
export const HOUSEKEEPING_SCHEDULES = [
  'renew-domains',
  'rotate-dkim-keys',
  'check-mail-hosts',
  'read-mail-reports',
  'complete-records',
  'publish-mta-sts',
] as const;

export type HousekeepingSchedule = (typeof HOUSEKEEPING_SCHEDULES)[number];
