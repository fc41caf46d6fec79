/** Limits of new leads: those that campaigns begin with, and clients who change them. */
import type { CampaignChange } from '../../../src/services/campaigns/campaign-changes.ts';
import type { Book, SimulatedCampaign } from '../book.ts';
import type { History } from '../history.ts';
import { OF_A_MAILBOX, UNLIMITED, type NewLeadLimits } from './limit-rules.ts';

const DAY = 86_400_000;
/** Nobody new at all: a client does not leave it so, or the campaign never ends. */
const NOBODY: NewLeadLimits = { perDay: null, share: 0 };
const NOBODY_MS = 3 * DAY;
/** Of a look of the clients, which is every half an hour. */
const CHANCE = 0.01;

/** So that the first messages take some four to twelve days. */
export function drawLimits(
  random: () => number,
  { leads, mailboxes }: { leads: number; mailboxes: number },
): NewLeadLimits {
  const perDay = Math.max(2, Math.ceil(leads / (4 + random() * 8)));
  const share = Math.min(100, Math.ceil((perDay * 100) / (OF_A_MAILBOX * mailboxes)));
  const kind = random();
  if (kind < 0.4) return { perDay, share: null };
  // Less than one a day without the rule that one is allowed, where few mailboxes are left.
  return kind < 0.8 ? { perDay: null, share } : { perDay, share: Math.ceil(share / 2) };
}

/** Functions that the other acts use as well. */
interface Ways {
  change: (campaign: SimulatedCampaign, changes: CampaignChange) => Promise<boolean>;
  noted: <T>(history: History<T>, value: T, work: () => Promise<boolean>) => Promise<void>;
}

/** Now and then a campaign that had a limit gets another. */
export function createLimitActs(
  { book, random, now }: { book: Book; random: () => number; now: () => number },
  { change, noted }: Ways,
): () => Promise<void> {
  const limit = (campaign: SimulatedCampaign, limits: NewLeadLimits) =>
    noted(campaign.newLeads, limits, () =>
      change(campaign, { maxNewLeadsPerDay: limits.perDay, newLeadShare: limits.share }),
    );
  return async () => {
    const limited = book.campaigns.filter(
      ({ newLeads, isCancelled }) => newLeads.since() > -Infinity && !isCancelled,
    );
    for (const campaign of limited) {
      const { newLeads } = campaign;
      const leads = Math.max(1, campaign.leads.size);
      const mailboxes = campaign.mailboxes.now().length;
      if (newLeads.now().share === 0) {
        const isLong = now() - newLeads.since() > NOBODY_MS;
        if (isLong) await limit(campaign, drawLimits(random, { leads, mailboxes }));
      } else if (random() < CHANCE) {
        const kind = random();
        const drawn = drawLimits(random, { leads, mailboxes });
        await limit(campaign, kind < 0.15 ? NOBODY : kind < 0.3 ? UNLIMITED : drawn);
      }
    }
  };
}
