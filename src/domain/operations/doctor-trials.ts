/** A server that `outreach doctor --order` rents, proves and gives back. */

/** The first part of its name. */
export const TRIAL_PREFIX = 'outreach-doctor-';

/** The label that says so at the vendor. */
export const TRIAL_LABEL = { purpose: 'doctor-trial' } as const;

/** Longer than a trial takes: what is older was left behind. */
export const TRIAL_LIMIT_MS = 2 * 3_600_000;
