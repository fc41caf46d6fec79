/** Texts of a step that are compared: choosing one by hand, and how each does. Choice 127. */
import type { Transaction } from 'kysely';
import { listSteps } from '../../db/campaigns/campaign-steps.ts';
import { listStepTests, reopenStepTests, writeStepTest } from '../../db/campaigns/step-tests.ts';
import type { Database } from '../../db/tables.ts';
import {
  chancesToBeBest,
  intervalOf,
  type Proportion,
} from '../../domain/campaigns/proportions.ts';
import { textsOf } from '../../domain/campaigns/step-texts.ts';
import type { AutoWinner, WinnerMetric } from '../../domain/campaigns/variant-winner.ts';
import { validationError } from '../../domain/errors.ts';

/** The text of a step that alone is used, by its number; null: all of them are. */
export interface ChosenWinner {
  step: number;
  variant: number | null;
}

/** The column of `autoWinner`. */
export const winnerColumn = (autoWinner: AutoWinner | null) => ({
  auto_winner: autoWinner && JSON.stringify(autoWinner),
});

/** After the texts were changed, under the campaign's lock. What is chosen already stays as it was decided. */
export async function changeWinners(
  trx: Transaction<Database>,
  campaignId: number,
  change: { autoWinner?: AutoWinner | null | undefined; winners?: ChosenWinner[] | undefined },
  now: Date,
): Promise<void> {
  if (change.autoWinner) await reopenStepTests(trx, campaignId, now);
  const { winners = [] } = change;
  if (winners.length === 0) return;
  const steps = (await listSteps(trx, [campaignId])).get(campaignId)!;
  const problems = winners.flatMap(({ step, variant }, at) => {
    const written = steps[step];
    if (!written) {
      const field = `winners[${at}].step`;
      return [{ field, message: `${field} must be a message that the campaign has a text of` }];
    }
    const numbers = textsOf(written).map(({ number }) => number);
    if (variant === null || numbers.includes(variant)) return [];
    const field = `winners[${at}].variant`;
    return [{ field, message: `${field} must be a text of the message: ${numbers.join(', ')}` }];
  });
  if (problems.length > 0) throw validationError(problems);
  const tests = await listStepTests(trx, campaignId);
  for (const { step: position, variant } of winners) {
    const known = tests.get(position);
    const isKnown = known !== undefined && known.decided_by !== null && known.winner === variant;
    if (isKnown) continue;
    await writeStepTest(
      trx,
      { campaignId, position },
      { winner: variant, decided_by: 'user', decided_at: now, figures: null },
    );
  }
}

/** How a text does beside the others of its step. */
export interface TextComparison {
  metric: WinnerMetric;
  rate: number;
  low: number;
  high: number;
  bestProbability: number;
}

/** In the order of the texts; none where a text stands alone. */
export function compareTexts(
  metric: WinnerMetric,
  texts: readonly Proportion[],
): (TextComparison | null)[] {
  if (texts.length < 2) return texts.map(() => null);
  const bounded = texts.map(({ sent, successes }) => ({
    sent,
    successes: Math.min(sent, successes),
  }));
  const chances = chancesToBeBest(bounded);
  return bounded.map((text, at) => ({
    metric,
    rate: text.sent === 0 ? 0 : text.successes / text.sent,
    ...intervalOf(text),
    bestProbability: chances[at]!,
  }));
}
