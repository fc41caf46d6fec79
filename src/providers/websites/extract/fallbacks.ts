/** What only browsers without scripts show: a contact where the page shows none to the others. */
import type { PageSource } from './html/page-source.ts';

export const isFallback = ({ fallbacks }: PageSource, at: number | null): boolean =>
  at !== null && fallbacks.some(({ start, end }) => at >= start && at < end);
