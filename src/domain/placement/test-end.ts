/** What clients hear of a placement test that is completed. Choice 124. */
import type { PlacementVerdict, SeedProvider } from './placement.ts';

export interface PlacementTestEnd {
  testId: number;
  /** Null: it was deleted meanwhile. */
  campaignId: number | null;
  mailboxId: number;
  verdict: PlacementVerdict;
  inboxPercent: number | null;
  minInboxPercent: number;
  providers: PlacementOfProvider[];
  /** It has paused its campaign. */
  campaignHeld: boolean;
  at: string;
}

interface PlacementOfProvider {
  provider: SeedProvider;
  inbox: number;
  spam: number;
  other: number;
  missing: number;
  failed: number;
  inboxPercent: number | null;
  verdict: PlacementVerdict;
}
