/** Finds the best text of each step while a campaign sends, and notes it once. Choice 127. */
import type { Kysely, Transaction } from 'kysely';
import { readStepCounts } from '../../db/campaigns/campaign-stats.ts';
import { listSteps } from '../../db/campaigns/campaign-steps.ts';
import { lockCampaign } from '../../db/campaigns/campaigns.ts';
import {
  listStepTests,
  readTextFigures,
  writeStepTest,
  type StepTest,
} from '../../db/campaigns/step-tests.ts';
import { insertEvents } from '../../db/webhooks/events.ts';
import type { Database } from '../../db/tables.ts';
import { textsOf } from '../../domain/campaigns/step-texts.ts';
import {
  lookAt,
  neededSends,
  type AutoWinner,
  type Look,
  type TextFigures,
} from '../../domain/campaigns/variant-winner.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';

interface Looked {
  campaignId: number;
  position: number;
  setting: AutoWinner;
  /** The row that the look was made by. */
  test: StepTest | undefined;
  texts: readonly TextFigures[];
  look: Look;
}

/**
 * Looks at the steps for which it is time. Counting reads the campaign's messages, without a lock and only where the
 * counters say that there may be enough. Safe to run at any time, also twice at once: a look counts once.
 */
export async function lookForWinners(
  db: Kysely<Database>,
  { DAY_SECONDS }: { DAY_SECONDS: number },
  campaignId: number,
  now: Date,
): Promise<void> {
  const { auto_winner: setting } = await db
    .selectFrom('campaigns')
    .select('auto_winner')
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  if (!setting) return;
  const steps = (await listSteps(db, [campaignId])).get(campaignId)!;
  const open = steps.filter(({ variants, winner }) => variants.length > 0 && winner === undefined);
  if (open.length === 0) return;
  const [tests, counts] = await Promise.all([
    listStepTests(db, campaignId),
    readStepCounts(db, campaignId),
  ]);
  const until = new Date(now.getTime() - sendingDaysMs(setting.afterDays, DAY_SECONDS));
  for (const step of open) {
    const { position } = step;
    const test = tests.get(position);
    const progress = { looks: test?.looks ?? 0, lookedSends: test?.looked_sends ?? 0 };
    const numbers = textsOf(step).map(({ number }) => number);
    const needed = neededSends(setting, progress);
    const hasEnough = numbers.every((number) =>
      counts.some((row) => row.step === position && row.variant === number && row.sent >= needed),
    );
    if (!hasEnough) continue;
    const range = { since: test?.since ?? null, until };
    const subject = { campaignId, position, metric: setting.metric };
    const texts = await readTextFigures(db, subject, numbers, range);
    const look = lookAt(setting, progress, texts);
    if (!look) continue;
    const looked = { campaignId, position, setting, test, texts, look };
    await db.transaction().execute((trx) => noteLook(trx, looked, now));
  }
}

/** Under the campaign's lock, unless something has changed since the figures were read: then the next look sees it. */
async function noteLook(trx: Transaction<Database>, looked: Looked, now: Date): Promise<void> {
  const { campaignId, position, setting, texts, look } = looked;
  const campaign = await lockCampaign(trx, campaignId);
  if (campaign.deleted_at || !isSame(campaign.auto_winner, setting)) return;
  const test = (await listStepTests(trx, campaignId)).get(position);
  if (!isSame(test, looked.test)) return;
  const step = (await listSteps(trx, [campaignId])).get(campaignId)![position];
  const numbers = step ? textsOf(step).map(({ number }) => number) : [];
  if (
    !isSame(
      numbers,
      texts.map(({ variant }) => variant),
    )
  )
    return;
  const { metric, confidence } = setting;
  const figures = { metric, confidence, texts: [...texts] };
  await writeStepTest(
    trx,
    { campaignId, position },
    {
      since: test?.since ?? null,
      looks: look.looks,
      looked_sends: look.lookedSends,
      ...(look.winner !== null && {
        winner: look.winner,
        decided_by: 'test',
        decided_at: now,
        figures: JSON.stringify(figures),
      }),
    },
  );
  if (look.winner === null) return;
  await insertEvents(trx, [
    {
      userId: campaign.user_id,
      resource: `campaign/${campaignId}`,
      type: 'campaign.variant_won',
      payload: {
        campaignId,
        name: campaign.name,
        step: position,
        variant: look.winner,
        ...figures,
        at: now.toISOString(),
      },
    },
  ]);
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
