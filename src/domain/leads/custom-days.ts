/** Days of the calendar, as values of custom fields and as files write them. */
import { Temporal } from 'temporal-polyfill';

/** Whether there is such a day: `2024-02-29`, not `2023-02-29`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Of a cell: `2026-03-01`, `2026-03-01T08:00:00Z` (the day as it is written), `2026/3/1`, `1.3.2026`. With two
 * slashes and the year last nobody can tell the day from the month. Undefined for anything else.
 */
export function dayOfCell(cell: string): string | undefined {
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d.*)?$/.exec(cell) ?? [];
  const [, dayFirst, monthNext, yearLast] =
    /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(cell) ?? [];
  const parts = [year ?? yearLast, month ?? monthNext, day ?? dayFirst];
  if (parts.includes(undefined)) return undefined;
  const text = parts.map((part) => part!.padStart(2, '0')).join('-');
  return isDay(text) ? text : undefined;
}
