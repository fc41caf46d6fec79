/** Wire shapes of the rule by which the best text of a step is found, and of what it has found. Choice 127. */
import { z } from 'zod';
import { MAX_FOLLOWUPS } from '../../domain/campaigns/follow-ups.ts';
import { DECIDERS, WINNER_METRICS } from '../../domain/campaigns/variant-winner.ts';
import { timestamp } from '../../http/schemas.ts';
import type { TextComparison } from '../../services/campaigns/campaign-winners.ts';

const metric = z.enum(WINNER_METRICS);

/** In requests. */
export const autoWinner = z
  .object({
    metric: metric
      .default('replied')
      .describe('`interested`: answers whose `interest` is `interested` or `meeting`.'),
    minSends: z
      .int()
      .min(20)
      .max(1_000_000)
      .default(100)
      .describe('Messages of each text, before they are compared for the first time.'),
    confidence: z
      .number()
      .min(0.8)
      .max(0.999)
      .default(0.95)
      .describe(
        '1 less this bounds how often a text wins that is not the best, in all looks together.',
      ),
    afterDays: z
      .int()
      .min(0)
      .max(30)
      .default(3)
      .describe('Days of sending after which a message counts: it has to be answered.'),
  })
  .nullable()
  .describe(
    'Finds the best among the texts of each step that has `variants` while the campaign sends; from then on it alone ' +
      'is used (`winners`, `campaign.variant_won`). Given anew, it tests the steps again of which `winners` says ' +
      '`variant: null`. Null, the default: nothing is decided.',
  );

/** In answers. */
export const shownAutoWinner = z
  .object({
    metric,
    minSends: z.int(),
    confidence: z.number(),
    afterDays: z.int(),
  })
  .nullable();

/** In changes. */
export const chosenWinners = z
  .array(
    z.object({
      step: z.int().min(0).max(MAX_FOLLOWUPS).describe('0 is the first message.'),
      variant: z
        .int()
        .min(0)
        .nullable()
        .describe('Its number in `analytics/steps`; null: all texts are used.'),
    }),
  )
  .max(MAX_FOLLOWUPS + 1)
  .describe(
    'Chooses the text of a step that alone is used, or undoes it with `variant: null`; `autoWinner` then leaves the ' +
      'step alone until its texts change. Steps that are not named stay.',
  );

export const shownWinners = z
  .array(z.object({ step: z.int(), variant: z.int().nullable() }))
  .describe('Steps of which one text alone is used; `variant: null`: somebody wants all of them.');

const textFigures = z.object({ variant: z.int(), sent: z.int(), successes: z.int() });

/** Of a step, in its statistics. */
export const winner = z
  .object({
    variant: z.int().nullable(),
    decidedBy: z.enum(DECIDERS),
    decidedAt: timestamp,
    figures: z
      .object({ metric, confidence: z.number(), texts: z.array(textFigures) })
      .nullable()
      .describe('What the test has decided by; null: it was chosen by hand.'),
  })
  .nullable()
  .describe('Which text alone is used. Null: nothing is decided.');

/** Of a text beside the others of its step. */
export const comparison = z
  .object({
    metric: metric.describe('That of `autoWinner`, else `replied`.'),
    rate: z.number().describe('Per cent of the messages that were sent.'),
    low: z.number().describe('The true rate is between this and `high` with 95 %.'),
    high: z.number(),
    bestProbability: z
      .number()
      .describe(
        'That it is the best of them, as it looks now; what wins is decided more strictly.',
      ),
  })
  .nullable()
  .describe('Null: a text that the step no longer has, or that stands alone.');

const percent = (share: number): number => Math.round(share * 10_000) / 100;

export const presentComparison = (one: TextComparison | null): z.input<typeof comparison> =>
  one && {
    metric: one.metric,
    rate: percent(one.rate),
    low: percent(one.low),
    high: percent(one.high),
    bestProbability: Math.round(one.bestProbability * 1_000) / 1_000,
  };

/** The data of `campaign.variant_won`. */
export const variantWon = z.object({
  campaignId: z.int(),
  name: z.string(),
  step: z.int().meta({ description: '0 is the first message, the others are follow-ups' }),
  variant: z.int().meta({ description: 'The number of the text, as in `analytics/steps`' }),
  metric,
  confidence: z.number(),
  texts: z
    .array(textFigures)
    .meta({ description: 'The messages that counted, and how many had an answer by `metric`' }),
  at: timestamp,
});
