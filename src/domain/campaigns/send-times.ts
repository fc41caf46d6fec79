/** Days and times of a campaign as clients write them. Choices 11, 12. */
import { WEEKDAYS, type SendWindow, type Weekday } from './campaigns.ts';

const FULL_NAMES = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export const DEFAULT_DAYS: readonly Weekday[] = WEEKDAYS.slice(0, 5);

/** `Mon`, `monday` -> `mon`; undefined for what is no day. */
export function weekdayOf(text: string): Weekday | undefined {
  const name = text.trim().toLowerCase();
  return WEEKDAYS.find((day, index) => name === day || name === FULL_NAMES[index]);
}

/** Each once, Monday first. */
export const inWeekOrder = (days: readonly Weekday[]): Weekday[] =>
  WEEKDAYS.filter((day) => days.includes(day));

/** `HH:mm`, 24 h. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Days and hours of a campaign for people, and by whose clock they are. */
export const timesInWords = (one: SendWindow & { useRecipientTimezone: boolean }): string => {
  const zone = one.useRecipientTimezone ? `recipients’ time, else ${one.timezone}` : one.timezone;
  return `${one.activeDays.join(', ')} from ${one.startTime} to ${one.endTime} (${zone})`;
};
