/** How long a day is: one of the clock, not of sending, which has the length of a setting. */
export const DAY_SECONDS = 86_400;
export const DAY_MS = DAY_SECONDS * 1_000;
