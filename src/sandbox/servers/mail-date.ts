/** Dates as messages write them. */

/** RFC 5322: `Sat, 21 Nov 2026 16:36:00 +0000`. */
export const mailDate = (date: Date): string => date.toUTCString().replace('GMT', '+0000');
