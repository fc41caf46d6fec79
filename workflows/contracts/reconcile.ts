/** Contract of `reconcile`: run by a Schedule, it starts the workflow of any row that has none. */
export const reconcileType = 'reconcile';
export const RECONCILE_SCHEDULE_ID = 'reconcile';
/** Twice within the minute that a row may stay without a workflow. Workflows: W1. */
export const RECONCILE_EVERY_SECONDS = 30;
