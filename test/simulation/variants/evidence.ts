/**
 * When a text may win, by docs/campaign-messages.md#which-text-is-best: implemented independently of the product, on
 * messages and answers that were seen outside.
 */
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import type { GivenAnswer } from '../subsequences/answers.ts';

const DAY = 86_400_000;

/** `autoWinner` of a campaign. */
export interface WinnerRule {
  metric: 'replied' | 'interested';
  minSends: number;
  confidence: number;
  afterDays: number;
}

/** A message of a step with several texts, once its text has begun. */
export interface TextMessage {
  at: number;
  /** The number of its text. */
  variant: number;
  messageId: string;
}

/** As `campaign.variant_won` tells it. */
export interface Decision {
  at: number;
  variant: number;
  metric: string;
  confidence: number;
  texts: readonly { variant: number; sent: number; successes: number }[];
  /** How often the texts were compared until then. */
  looks: number;
}

/** What was so at that moment: several where something changed then. */
export interface DecisionFacts {
  rules: readonly (WinnerRule | null)[];
  /** Whether the test was open: nobody had chosen. */
  wasOpen: boolean;
  /** How many texts the step has. */
  texts: number;
  /** Since when these texts stand beside each other. */
  since: number;
  messages: readonly TextMessage[];
  /** To that message. */
  answersTo(messageId: string): readonly GivenAnswer[];
}

/** What is known of a test that has decided nothing. */
export interface TestState {
  looks: number;
  /** Of the text that was sent least, at the last look. */
  lookedSends: number;
  /** Messages of each text that count for longer than a campaign takes to look at them. */
  sent: readonly number[];
}

/** Undefined: nothing. */
export function missedLook(
  { minSends }: Pick<WinnerRule, 'minSends'>,
  { looks, lookedSends, sent }: TestState,
): string | undefined {
  const least = Math.min(...sent);
  const needed = looks === 0 ? minSends : 2 * lookedSends;
  return least < needed
    ? undefined
    : `its texts were compared ${looks} times, and each was sent ${least} times`;
}

const WANTED: readonly (Interest | null)[] = ['interested', 'meeting'];

export function wrongDecision(decision: Decision, facts: DecisionFacts): string[] {
  const { at, variant, texts, confidence, metric, looks } = decision;
  const rule = facts.rules.find(
    (one) => one !== null && one.metric === metric && one.confidence === confidence,
  );
  if (!rule) return ['which its campaign has not asked for'];
  const wrong: string[] = [];
  if (!facts.wasOpen) wrong.push('though it had been chosen before');
  if (texts.length !== facts.texts) wrong.push(`among ${texts.length} of ${facts.texts} texts`);
  const least = Math.min(...texts.map(({ sent }) => sent));
  // Each look needs twice the messages of the one before.
  const needed = rule.minSends * 2 ** (looks - 1);
  if (least < needed) wrong.push(`after ${least} messages, and look ${looks} needs ${needed}`);
  const until = at - rule.afterDays * DAY;
  const counted = facts.messages.filter((one) => one.at >= facts.since && one.at <= until);
  for (const text of texts) {
    const own = counted.filter((one) => one.variant === text.variant);
    const answered = own.filter(({ messageId }) =>
      facts.answersTo(messageId).some((answer) => isSuccess(rule, answer, at)),
    );
    if (text.sent > own.length) {
      wrong.push(`with ${text.sent} messages of text ${text.variant}, and ${own.length} count`);
    }
    if (text.successes > answered.length) {
      wrong.push(
        `with ${text.successes} answers to text ${text.variant}, and ${answered.length} count`,
      );
    }
  }
  const best = texts.find((text) => text.variant === variant);
  if (!best) return [...wrong, `text ${variant}, which it has not`];
  const level = (1 - confidence) / 2 ** looks / texts.length;
  for (const other of texts) {
    if (other === best) continue;
    const chance = chanceOfAsGood(best, other);
    // Figures of the two are rounded differently.
    if (chance > level * (1 + 1e-9)) {
      wrong.push(`over text ${other.variant} by chance ${chance}, and ${level} is allowed`);
    }
  }
  return wrong;
}

const isSuccess = ({ metric }: WinnerRule, answer: GivenAnswer, at: number): boolean =>
  answer.at <= at &&
  (metric === 'replied' || answer.interest.at(at).some((interest) => WANTED.includes(interest)));

interface Figures {
  sent: number;
  successes: number;
}

/** Fisher's exact test, one-sided: how likely so many of all answers fall on the better text where both are as good. */
export function chanceOfAsGood(best: Figures, other: Figures): number {
  const all = best.sent + other.sent;
  const answers = best.successes + other.successes;
  let chance = 0;
  for (let n = best.successes; n <= Math.min(answers, best.sent); n += 1) {
    if (answers - n > other.sent) continue;
    chance += Math.exp(
      logChoose(best.sent, n) + logChoose(other.sent, answers - n) - logChoose(all, answers),
    );
  }
  return Math.min(1, chance);
}

function logChoose(from: number, many: number): number {
  let sum = 0;
  for (let n = 1; n <= many; n += 1) sum += Math.log((from - many + n) / n);
  return sum;
}
