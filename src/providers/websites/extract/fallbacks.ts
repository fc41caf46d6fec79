/** Contacts that only browsers without scripts show; used where the page shows none otherwise. */
import type { PageSource } from './html/page-source.ts';

export const isFallback = ({ fallbacks }: PageSource, at: number | null): boolean =>
  at !== null && fallbacks.some(({ start, end }) => at >= start && at < end);
