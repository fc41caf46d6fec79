/** The Schedules that keep house, by their ids: nobody waits for them, and nobody would miss them for weeks. */
export const HOUSEKEEPING_SCHEDULES = [
  'renew-domains',
  'rotate-dkim-keys',
  'check-mail-hosts',
  'read-mail-reports',
  'complete-records',
  'publish-mta-sts',
] as const;

/**
 * A run is fruitless where it had at least so much to do, and did nothing of it. One domain alone may fail for ever, for
 * a reason of its own; a vendor or host that refuses us fails all.
 */
export const MIN_DUE = 2;

export type HousekeepingSchedule = (typeof HOUSEKEEPING_SCHEDULES)[number];
