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
  leadId: number;
}

/** As `campaign.variant_won` tells it. */
export interface Decision {
  at: number;
  variant: number;
  metric: string;
  confidence: number;
  texts: readonly { variant: number; sent: number; successes: number }[];
  /** How often the texts were compared until then, that look included. */
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
  since: readonly number[];
  messages: readonly TextMessage[];
  /** To that message. */
  answersTo(messageId: string): readonly GivenAnswer[];
  /** Whether it has certainly arrived. */
  isSure: (message: TextMessage) => boolean;
  /** Whether the product still knows who has got it, and so what they have answered. */
  isKnown: (message: TextMessage) => boolean;
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
  for (const text of texts) wrong.push(...wrongFigures(text, rule, at, facts));
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

type Counting = Pick<DecisionFacts, 'messages' | 'since' | 'isSure'>;

/** The messages of a text that count at that moment: those that may, and those that certainly do. */
export function countedOf(
  variant: number,
  { afterDays }: Pick<WinnerRule, 'afterDays'>,
  at: number,
  { messages, since, isSure }: Counting,
): { possible: TextMessage[]; sure: TextMessage[] } {
  const until = at - afterDays * DAY;
  const [first, last] = [Math.min(...since), Math.max(...since)];
  const possible = messages.filter(
    (one) => one.variant === variant && one.at >= first && one.at <= until,
  );
  const sure = possible.filter((one) => one.at > last && one.at < until && isSure(one));
  return { possible, sure };
}

/** Too many as well as too few: a text whose answers are hidden loses as wrongly as another wins by false ones. */
function wrongFigures(
  { variant, sent, successes }: Decision['texts'][number],
  rule: WinnerRule,
  at: number,
  facts: DecisionFacts,
): string[] {
  const { possible, sure } = countedOf(variant, rule, at, facts);
  const answered = (mayCount: typeof maySucceed) => (message: TextMessage) =>
    facts.answersTo(message.messageId).some((answer) => mayCount(rule, answer, at));
  const most = possible.filter(answered(maySucceed)).length;
  const least = sure.filter(facts.isKnown).filter(answered(hasSucceeded)).length;
  const messages = `with ${sent} messages of text ${variant}`;
  const answers = `with ${successes} answers to text ${variant}`;
  return [
    ...(sent > possible.length ? [`${messages}, and ${possible.length} count`] : []),
    ...(sent < sure.length ? [`${messages}, and at least ${sure.length} count`] : []),
    ...(successes > most ? [`${answers}, and ${most} count`] : []),
    ...(successes < least ? [`${answers}, and at least ${least} count`] : []),
  ];
}

const isWanted = (interest: Interest | null): boolean => WANTED.includes(interest);

const maySucceed = ({ metric }: WinnerRule, answer: GivenAnswer, at: number): boolean =>
  answer.at <= at && (metric === 'replied' || answer.interest.at(at).some(isWanted));

const hasSucceeded = ({ metric }: WinnerRule, answer: GivenAnswer, at: number): boolean =>
  answer.at < at && (metric === 'replied' || answer.interest.at(at).every(isWanted));

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
