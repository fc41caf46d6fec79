/**
 * Which of the texts of a step gets more answers than all others, found while the campaign sends. The texts are
 * compared again and again, and yet a wrong one wins at most as often as `confidence` allows. Choice 127.
 */
import type { Interest } from '../inbox/interest/interest.ts';
import { chanceOfAsMany, type Proportion } from './proportions.ts';

export const WINNER_METRICS = ['replied', 'interested'] as const;
/** What a text should get many of. */
export type WinnerMetric = (typeof WINNER_METRICS)[number];

/** Meanings of answers that `interested` counts. */
export const INTERESTED: readonly Interest[] = ['interested', 'meeting'];

/** By whom it was decided. */
export const DECIDERS = ['test', 'user'] as const;
export type Decider = (typeof DECIDERS)[number];

/** How a campaign finds the best text of each step. */
export interface AutoWinner {
  metric: WinnerMetric;
  /** Of each text, before they are compared for the first time. */
  minSends: number;
  /** How sure it must be: 1 - `confidence` bounds how often a text wins that is not the best. */
  confidence: number;
  /** Days of sending that a message has to be answered before it counts. */
  afterDays: number;
}

/** A text of a step. */
export interface TextFigures extends Proportion {
  /** Its number. */
  variant: number;
}

/** What a test has decided by. */
export interface WinnerFigures {
  metric: WinnerMetric;
  confidence: number;
  texts: TextFigures[];
}

/** How far the test of a step has come. */
export interface TestProgress {
  /** How often the texts were compared. */
  looks: number;
  /** Messages of the text that was sent least, when they were compared last. */
  lookedSends: number;
}

export interface Look extends TestProgress {
  /** The number of the text that has won; null: none is sure to be the best yet. */
  winner: number | null;
}

/** Each text must have been sent so often before they are compared again: twice as often as the last time. */
export const neededSends = (
  { minSends }: AutoWinner,
  { lookedSends }: Pick<TestProgress, 'lookedSends'>,
): number => Math.max(minSends, 2 * lookedSends);

/**
 * Compares the texts, where it is time to; undefined where it is not. The n-th look may err with (1 - confidence) /
 * 2^n, so that all looks together err with 1 - confidence at most, however many there are (Bonferroni; spending of
 * alpha, Lan and DeMets, Biometrika 70, 1983). A winner must be better than each other text (intersection-union test,
 * Berger, Technometrics 24, 1982), each at that level divided by the number of texts, since any could win by chance.
 */
export function lookAt(
  setting: AutoWinner,
  progress: TestProgress,
  texts: readonly TextFigures[],
): Look | undefined {
  const least = Math.min(...texts.map(({ sent }) => sent));
  if (texts.length < 2 || least < neededSends(setting, progress)) return undefined;
  const looks = progress.looks + 1;
  const level = (1 - setting.confidence) / 2 ** looks / texts.length;
  const best = texts.reduce((one, other) => (rateOf(other) > rateOf(one) ? other : one));
  const wins = texts.every((other) => other === best || chanceOfAsMany(best, other) <= level);
  return { looks, lookedSends: least, winner: wins ? best.variant : null };
}

const rateOf = ({ sent, successes }: Proportion): number => (sent === 0 ? 0 : successes / sent);
