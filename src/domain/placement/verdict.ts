/** What the messages of a placement test say together. Choice 124. */
import {
  PLACEMENT_OUTCOMES,
  type PlacementOutcome,
  type PlacementVerdict,
  type SeedProvider,
} from './placement.ts';

/** How many landed where; those that are still looked for are `waiting`. */
export type PlacementCounts = Record<PlacementOutcome | 'waiting', number>;

export interface PlacementSummary extends PlacementCounts {
  /** Of those that landed in the inbox or in spam, or are missing; null: none did. */
  inboxPercent: number | null;
  verdict: PlacementVerdict;
}

interface Placed {
  provider: SeedProvider;
  outcome: PlacementOutcome | null;
}

export function summaryOf(
  messages: readonly Pick<Placed, 'outcome'>[],
  minInboxPercent: number,
): PlacementSummary {
  const none = [...PLACEMENT_OUTCOMES, 'waiting'].map((name) => [name, 0]);
  const counts = Object.fromEntries(none) as PlacementCounts;
  for (const { outcome } of messages) counts[outcome ?? 'waiting'] += 1;
  const counted = counts.inbox + counts.spam + counts.missing;
  if (counted === 0) return { ...counts, inboxPercent: null, verdict: 'unknown' };
  // Down, so that 79.9 is no 80.
  const inboxPercent = Math.floor((100 * counts.inbox) / counted);
  return { ...counts, inboxPercent, verdict: inboxPercent < minInboxPercent ? 'bad' : 'good' };
}

/** The same by provider, in the order of their names. */
export function summariesByProvider(
  messages: readonly Placed[],
  minInboxPercent: number,
): (PlacementSummary & { provider: SeedProvider })[] {
  const providers = [...new Set(messages.map(({ provider }) => provider))].toSorted();
  return providers.map((provider) => ({
    provider,
    ...summaryOf(
      messages.filter((message) => message.provider === provider),
      minInboxPercent,
    ),
  }));
}
