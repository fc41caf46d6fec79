/** Reads again and again what is noted of the looks at each test: they have to grow by the rules, and to come in time. */
import type { Book, SimulatedCampaign } from '../book.ts';
import type { Arrivals } from './arrivals.ts';
import { countedOf, type WinnerRule } from './evidence.ts';
import { missedLook, NO_LOOKS, wrongLooks, type Looks } from './looks.ts';
import type { Reading } from './reading.ts';
import type { TextRules } from './text-rules.ts';

export interface LookWatch {
  see(tests: Reading['tests']): void;
  /** Whether the texts of the campaign are compared when it is time to: at latest so long after. */
  check(campaign: SimulatedCampaign, at: number, withinMs: number): void;
  /** Of what was decided between the last two readings: at least so many, whatever is noted. */
  looksOf(campaignId: number, position: number): number;
}

interface Watched extends Looks {
  at: number;
  ofDecision: number;
}

const UNSEEN: Watched = { ...NO_LOOKS, at: -Infinity, ofDecision: 1 };

export function createLookWatch({
  book,
  texts,
  isSure,
  now,
  breach,
}: {
  book: Book;
  texts: Pick<TextRules, 'messagesOf' | 'numberOf'>;
  isSure: Arrivals['isSure'];
  now: () => number;
  breach: (rule: string) => void;
}): LookWatch {
  const watched = new Map<string, Watched>();
  const seen = (id: number, position: number) => watched.get(`${id}/${position}`) ?? UNSEEN;
  const blame = ({ id }: SimulatedCampaign, position: number, rule: string) =>
    breach(`${new Date(now()).toISOString()} campaign ${id} step ${position}: ${rule}`);
  return {
    see(tests) {
      for (const campaign of book.campaigns) {
        for (const position of campaign.comparing?.tests.keys() ?? []) {
          const isOwn = (one: Reading['tests'][number]) =>
            one.campaignId === campaign.id && one.position === position;
          watch(campaign, position, tests.find(isOwn) ?? NO_LOOKS);
        }
      }
    },
    check(campaign, at, withinMs) {
      const { id, comparing, isActive } = campaign;
      const { rule, tests } = comparing!;
      const setting = rule.now();
      if (setting === null || !isActive.now()) return;
      for (const [position, test] of tests.entries()) {
        if (!test || test.choice.now().by !== 'nobody') continue;
        const histories = [isActive, rule, test.choice, test.since];
        const changedAt = Math.max(...histories.map((one) => one.since()));
        if (at - changedAt < withinMs) continue;
        const { least } = countedIn(campaign, position, at - withinMs);
        const wrong = missedLook(setting, seen(id, position), least);
        if (wrong) blame(campaign, position, wrong);
      }
    },
    looksOf: (campaignId, position) => seen(campaignId, position).ofDecision,
  };

  function watch(campaign: SimulatedCampaign, position: number, noted: Looks): void {
    const { id, comparing } = campaign;
    const before = seen(id, position);
    const { looks, lookedSends } = noted;
    // Somebody has begun the test anew, at the moment of the last reading or since.
    const isAnew = before.at > -Infinity && comparing!.tests[position]!.since.since() >= before.at;
    const ofDecision = isAnew ? 1 : Math.max(looks, before.looks + 1);
    watched.set(`${id}/${position}`, { looks, lookedSends, at: now(), ofDecision });
    if (looks === before.looks && lookedSends === before.lookedSends) return;
    if (isAnew && looks === 0 && lookedSends === 0) return;
    const known = isAnew ? UNSEEN : before;
    const { least } = countedIn(campaign, position, known.at);
    const { most } = countedIn(campaign, position, now());
    const wrong = wrongLooks(firstRule(campaign), known, noted, { least, most });
    for (const rule of wrong) blame(campaign, position, rule);
  }

  /** Messages of the text that was sent least: at least and at most so many count at that moment. */
  function countedIn(
    campaign: SimulatedCampaign,
    position: number,
    at: number,
  ): { least: number; most: number } {
    const { id, comparing, marks } = campaign;
    const { since, variants } = comparing!.tests[position]!;
    const facts = { messages: texts.messagesOf(id, position), since: since.at(now()), isSure };
    // The look may be one of right before the change of a text, at the same moment.
    const sets = marks[position]!.at(now()).map((mark) => [mark!, ...variants]);
    const counted = sets.map((set) =>
      set.map((mark) => {
        const number = texts.numberOf(id, position, mark);
        // Nobody has got it.
        if (number === undefined) return { least: 0, most: 0 };
        const { possible, sure } = countedOf(number, firstRule(campaign), at, facts);
        return { least: sure.length, most: possible.length };
      }),
    );
    const ofRarest = counted.map((set) => ({
      least: Math.min(...set.map(({ least }) => least)),
      most: Math.min(...set.map(({ most }) => most)),
    }));
    return {
      least: Math.min(...ofRarest.map(({ least }) => least)),
      most: Math.max(...ofRarest.map(({ most }) => most)),
    };
  }

  /** Clients take the rule away and give it again; its numbers stay. */
  function firstRule({ comparing }: SimulatedCampaign): WinnerRule {
    return comparing!.rule.during(-Infinity, now()).find(({ value }) => value !== null)!.value!;
  }
}
