/** Who writes to whom: other tenants first, nobody too often. docs/sending-rules.md#warm-up-partners. */
import { WARMUP_RULES } from './warmup-rules.ts';

export interface WarmupPartner {
  /** Null: a seed address outside. */
  mailboxId: number | null;
  /** Null for seed addresses. */
  userId: string | null;
  email: string;
}

export interface PartnerChoice {
  me: { mailboxId: number; userId: string; email: string };
  /** Enrolled mailboxes; where other tenants have some, at least one of theirs MUST be among them. */
  candidates: readonly WarmupPartner[];
  seeds: readonly string[];
  /** Messages of the last seven days by address. */
  counts: ReadonlyMap<string, number>;
  volume: number;
  random: () => number;
}

/**
 * Recipients of a day's messages, at most `volume`, in the order of sending. Pairs never stay within
 * one tenant where there are several; within one tenant other domains come first. A pair that has
 * written enough is left out, even when the volume is not reached: a steady exchange between two
 * strangers is what filters look for.
 */
export function choosePartners(choice: PartnerChoice): WarmupPartner[] {
  const { me, volume, random } = choice;
  const partners = partnersOf(choice);
  const seeds = choice.seeds
    .filter((email) => email.toLowerCase() !== me.email)
    .map((email): WarmupPartner => ({ mailboxId: null, userId: null, email: email.toLowerCase() }));
  const toSeeds = partners.length === 0 ? volume : Math.floor(volume * WARMUP_RULES.seedShare);
  const given = new Map<string, number>();
  const chosen = dealOut(partners, volume - toSeeds, choice, given);
  chosen.push(...dealOut(seeds, volume - chosen.length, choice, given));
  // Volume that seeds do not take goes to partners.
  chosen.push(...dealOut(partners, volume - chosen.length, choice, given));
  return shuffled(chosen, random);
}

function partnersOf({ me, candidates }: PartnerChoice): WarmupPartner[] {
  const others = candidates.filter(
    ({ mailboxId, email }) => mailboxId !== me.mailboxId && email !== me.email,
  );
  const foreign = others.filter(({ userId }) => userId !== me.userId);
  if (foreign.length > 0) return foreign;
  const apart = others.filter(({ email }) => domainOf(email) !== domainOf(me.email));
  return apart.length > 0 ? apart : others;
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

/** Deals out one message each per pass, first to those with the fewest, until all have reached the limit. */
function dealOut(
  partners: readonly WarmupPartner[],
  count: number,
  { counts, random }: PartnerChoice,
  given: Map<string, number>,
): WarmupPartner[] {
  const had = (email: string) => (counts.get(email) ?? 0) + (given.get(email) ?? 0);
  const order = shuffled(partners, random).toSorted((a, b) => had(a.email) - had(b.email));
  const dealt: WarmupPartner[] = [];
  for (let pass = 0; pass < WARMUP_RULES.pairDailyMax; pass += 1) {
    for (const partner of order) {
      if (dealt.length >= count) return dealt;
      const today = given.get(partner.email) ?? 0;
      if (today >= WARMUP_RULES.pairDailyMax) continue;
      if (had(partner.email) >= WARMUP_RULES.pairWeeklyMax) continue;
      given.set(partner.email, today + 1);
      dealt.push(partner);
    }
  }
  return dealt;
}

/** Fisher and Yates. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}
