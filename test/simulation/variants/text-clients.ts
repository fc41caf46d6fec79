/** A campaign that compares texts, and clients who choose one, want all again, or change the rule. */
import type { CampaignChange } from '../../../src/services/campaigns/campaign-changes.ts';
import type { Book, SimulatedCampaign } from '../book.ts';
import type { History } from '../history.ts';
import { createHistory } from '../history.ts';
import type { Decisions } from './decisions.ts';
import type { WinnerRule } from './evidence.ts';
import { LIKED } from './readers.ts';
import { OPEN, type Choice, type Comparing, type TextRules } from './text-rules.ts';

/** Of a look of the clients, which is every half an hour. */
const CHANCE = 0.0015;

/** Of the first message and its first follow-up, fewer messages than the API takes: these campaigns are small. */
export function drawComparing(random: () => number): Comparing {
  const others = (position: number) => {
    const liked = `${LIKED}${position}m`;
    return random() < 0.7 ? [liked] : [`plain${position}m`, liked];
  };
  const test = (position: number) => ({
    variants: others(position),
    choice: createHistory<Choice>(OPEN),
    since: createHistory(-Infinity),
  });
  const rule: WinnerRule = {
    metric: random() < 0.6 ? 'replied' : 'interested',
    minSends: 4 + Math.floor(random() * 3),
    confidence: random() < 0.7 ? 0.8 : 0.85,
    afterDays: Math.floor(random() * 2),
  };
  return { rule: createHistory<WinnerRule | null>(rule), tests: [test(0), test(1)] };
}

/** Functions that the other acts use as well. */
interface Ways {
  change: (campaign: SimulatedCampaign, changes: CampaignChange) => Promise<boolean>;
  noted: <T>(history: History<T>, value: T, work: () => Promise<boolean>) => Promise<void>;
}

interface World {
  book: Book;
  random: () => number;
  now: () => number;
  texts: Pick<TextRules, 'numberOf'>;
  decisions: Pick<Decisions, 'note'>;
}

export function createTextActs(
  { book, random, now, texts, decisions }: World,
  { change, noted }: Ways,
) {
  /**
   * What was decided before is read before and after: the test may decide at the very moment of the change, which is
   * the last word.
   */
  async function choose(
    history: History<Choice>,
    choice: Choice,
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    await decisions.note();
    const before = history.now();
    history.set(choice, now());
    const isDone = await work();
    await decisions.note();
    const last = history.now();
    if (isDone) history.set(choice, now());
    else if (last === choice) history.set(before, now());
    return isDone;
  }

  const testOf = ({ comparing }: SimulatedCampaign, position: number) => comparing?.tests[position];

  /** A text of the step is changed by `work`: all are compared anew. */
  async function renewing(
    campaign: SimulatedCampaign,
    position: number,
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    const test = testOf(campaign, position);
    if (!test) return work();
    const before = test.since.now();
    test.since.set(now(), now());
    const isDone = await choose(test.choice, OPEN, work);
    if (!isDone) test.since.set(before, now());
    return isDone;
  }

  async function byHand(campaign: SimulatedCampaign): Promise<void> {
    const position = random() < 0.5 ? 0 : 1;
    const test = testOf(campaign, position)!;
    const marks = [campaign.marks[position]!.now()!, ...test.variants];
    const mark = random() < 0.5 ? null : marks[Math.floor(random() * marks.length)]!;
    const variant = mark === null ? null : texts.numberOf(campaign.id, position, mark);
    // Nobody has got it: a client chooses among texts that have figures.
    if (variant === undefined) return;
    const winners = [{ step: position, variant }];
    await choose(test.choice, { by: 'client', mark }, () => change(campaign, { winners }));
  }

  async function giveRule(campaign: SimulatedCampaign, rule: WinnerRule | null): Promise<void> {
    const give = () => change(campaign, { autoWinner: rule });
    const undone = campaign.comparing!.tests.filter((test) => {
      const choice = test?.choice.now();
      return rule !== null && choice?.by === 'client' && choice.mark === null;
    });
    // One after the other around the same change.
    const around = undone.reduce<() => Promise<boolean>>(
      (work, test) => async () => {
        const before = test!.since.now();
        test!.since.set(now(), now());
        const isDone = await choose(test!.choice, OPEN, work);
        if (!isDone) test!.since.set(before, now());
        return isDone;
      },
      give,
    );
    await noted(campaign.comparing!.rule, rule, around);
  }

  return {
    renewing,
    /** Now and then. */
    async act(): Promise<void> {
      for (const campaign of book.campaigns) {
        const { comparing, isCancelled } = campaign;
        if (!comparing || isCancelled || random() >= CHANCE) continue;
        const [first] = comparing.rule.during(-Infinity, now());
        if (random() < 0.6) await byHand(campaign);
        else if (random() < 0.8) await giveRule(campaign, first!.value);
        else await giveRule(campaign, null);
      }
    },
  };
}
