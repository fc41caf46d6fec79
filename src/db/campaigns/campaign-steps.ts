/** The messages of campaigns as they were written, and the sequence that is sent. Choice 10. */
import { sql, type InferResult, type Kysely, type Transaction } from 'kysely';
import type { CampaignStep, WrittenStep } from '../../domain/campaigns/campaigns.ts';
import { sequenceOf } from '../../domain/campaigns/follow-ups.ts';
import type { NumberedText } from '../../domain/campaigns/step-texts.ts';
import { samePlan } from '../same-plan.ts';
import type { Database } from '../tables.ts';
import type { Campaign } from './campaigns.ts';

/** Replaces the steps. `retired`: by position, texts that were sent and have been removed since. */
export async function replaceSteps(
  trx: Transaction<Database>,
  campaignId: number,
  steps: readonly WrittenStep[],
  retired: ReadonlyMap<number, readonly NumberedText[]> = new Map(),
): Promise<void> {
  await trx.deleteFrom('campaign_steps').where('campaign_id', '=', campaignId).execute();
  await trx
    .insertInto('campaign_steps')
    .values(
      steps.map((step) => ({
        campaign_id: campaignId,
        position: step.position,
        delay_days: step.delayDays,
        subject_template: step.subjectTemplate,
        body_template: step.bodyTemplate,
        variants: JSON.stringify(step.variants),
        text_numbers: step.numbers === undefined ? null : [...step.numbers],
        retired_texts: JSON.stringify(retired.get(step.position) ?? []),
      })),
    )
    .execute();
}

/** In their order. */
export const stepRows = (db: Kysely<Database>, campaignIds: readonly number[]) =>
  db
    .selectFrom('campaign_steps as step')
    .modifyFront(sql`/*list-steps*/`)
    .leftJoin('step_tests as test', (on) =>
      on
        .onRef('test.campaign_id', '=', 'step.campaign_id')
        .onRef('test.position', '=', 'step.position'),
    )
    .select(['step.campaign_id', 'step.position', 'delay_days', 'subject_template'])
    .select(['body_template', 'variants', 'text_numbers', 'winner', 'decided_by'])
    .where('step.campaign_id', '=', sql<number>`any(${samePlan([...campaignIds], 'bigint[]')})`)
    .orderBy('step.position');

export type StepRow = InferResult<ReturnType<typeof stepRows>>[number];

const stepOf = (row: StepRow): WrittenStep => ({
  position: row.position,
  delayDays: row.delay_days,
  subjectTemplate: row.subject_template,
  bodyTemplate: row.body_template,
  variants: row.variants,
  ...(row.text_numbers && { numbers: row.text_numbers }),
  ...(row.decided_by && { winner: row.winner }),
});

/** By campaign, in their order. */
export async function listSteps(
  db: Kysely<Database>,
  campaignIds: readonly number[],
): Promise<Map<number, WrittenStep[]>> {
  const byCampaign = new Map<number, WrittenStep[]>(campaignIds.map((id) => [id, []]));
  if (campaignIds.length === 0) return byCampaign;
  const rows = await stepRows(db, campaignIds).execute();
  for (const row of rows) byCampaign.get(row.campaign_id)!.push(stepOf(row));
  return byCampaign;
}

/** By position, newest last; separate from the steps, since sending does not need them. */
export async function listRetiredTexts(
  db: Kysely<Database>,
  campaignId: number,
): Promise<Map<number, NumberedText[]>> {
  const rows = await db
    .selectFrom('campaign_steps')
    .select(['position', 'retired_texts'])
    .where('campaign_id', '=', campaignId)
    .execute();
  return new Map(rows.map((row) => [row.position, row.retired_texts]));
}

/**
 * All messages that a campaign sends, built-in reminders included; the first missing step ends it. `atLeast`:
 * also those up to this position, which a longer sequence sent before.
 */
export async function loadSequence(
  db: Kysely<Database>,
  campaignId: number,
  { atLeast = 0 }: { atLeast?: number } = {},
): Promise<CampaignStep[]> {
  const campaign = await db
    .selectFrom('campaigns')
    .select(['max_followups', 'followup_delay_days', 'language'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  return sequenceFrom(campaign, await stepRows(db, [campaignId]).execute(), { atLeast });
}

/** The same of a campaign and steps that were read before. */
export const sequenceFrom = (
  campaign: Pick<Campaign, 'max_followups' | 'followup_delay_days' | 'language'>,
  rows: readonly StepRow[],
  { atLeast = 0 }: { atLeast?: number } = {},
): CampaignStep[] =>
  sequenceOf({
    steps: rows.map(stepOf),
    maxFollowups: Math.max(campaign.max_followups, atLeast),
    followupDelayDays: campaign.followup_delay_days,
    language: campaign.language,
  });

/** The positions of which a message was sent, or is being sent. */
export async function listSentPositions(
  db: Kysely<Database>,
  campaignId: number,
): Promise<Set<number>> {
  const [counted, underWay] = await Promise.all([
    db
      .selectFrom('campaign_counters')
      .select('step')
      .distinct()
      .where('campaign_id', '=', campaignId)
      .where((eb) => eb(eb('sent', '+', eb.ref('failed')), '+', eb.ref('uncertain')), '>', 0)
      .execute(),
    db
      .selectFrom('sends')
      .select('step')
      .distinct()
      .where('campaign_id', '=', campaignId)
      .where('state', 'in', ['claimed', 'sending'])
      .execute(),
  ]);
  return new Set([...counted, ...underWay].map(({ step }) => step));
}

/** The messages of all campaigns of an account that send, or go on when they are resumed. */
export const listSendingSteps = async (
  db: Kysely<Database>,
  userId: string,
): Promise<(WrittenStep & { campaignId: number })[]> => {
  const campaigns = await db
    .selectFrom('campaigns')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', 'in', ['active', 'paused'])
    .orderBy('id')
    .execute();
  const steps = await listSteps(
    db,
    campaigns.map(({ id }) => id),
  );
  return [...steps].flatMap(([campaignId, each]) => each.map((step) => ({ ...step, campaignId })));
};
