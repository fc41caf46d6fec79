/** Tests of the texts of steps against each other: their state, and the figures they decide by. Choice 127. */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import {
  INTERESTED,
  type TextFigures,
  type WinnerMetric,
} from '../../domain/campaigns/variant-winner.ts';
import type { Database } from '../tables.ts';

export type StepTest = Selectable<Database['step_tests']>;

/** By position; a step that nothing was noted of has none. */
export async function listStepTests(
  db: Kysely<Database>,
  campaignId: number,
): Promise<Map<number, StepTest>> {
  const rows = await db
    .selectFrom('step_tests')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .execute();
  return new Map(rows.map((row) => [row.position, row]));
}

/** The caller holds the campaign's lock. */
export async function writeStepTest(
  trx: Transaction<Database>,
  { campaignId, position }: { campaignId: number; position: number },
  values: Omit<Updateable<Database['step_tests']>, 'campaign_id' | 'position'>,
): Promise<void> {
  await trx
    .insertInto('step_tests')
    .values({ campaign_id: campaignId, position, ...values })
    .onConflict((oc) => oc.columns(['campaign_id', 'position']).doUpdateSet(values))
    .execute();
}

/** The texts of these steps are others now: nothing is decided, and what was sent before does not count. */
export async function beginStepTests(
  trx: Transaction<Database>,
  campaignId: number,
  positions: readonly number[],
  since: Date,
): Promise<void> {
  for (const position of positions) {
    await writeStepTest(trx, { campaignId, position }, { since, ...UNDECIDED });
  }
}

const UNDECIDED = {
  looks: 0,
  looked_sends: 0,
  winner: null,
  decided_by: null,
  decided_at: null,
  figures: null,
};

/** Steps of which somebody wants all texts are tested again, by what is sent from now on. */
export async function reopenStepTests(
  trx: Transaction<Database>,
  campaignId: number,
  since: Date,
): Promise<void> {
  await trx
    .updateTable('step_tests')
    .set({ since, ...UNDECIDED })
    .where('campaign_id', '=', campaignId)
    .where('decided_by', 'is not', null)
    .where('winner', 'is', null)
    .execute();
}

/** What counts as an answer, of a row of `sends`. */
const isSuccess = (metric: WinnerMetric) =>
  metric === 'replied'
    ? sql`replied_at is not null`
    : sql`exists (select from messages
        where messages.send_id = sends.id and messages.interest = any (${[...INTERESTED]}))`;

/** Of messages that were sent within the range; each of `variants` is there. */
export async function readTextFigures(
  db: Kysely<Database>,
  { campaignId, position, metric }: { campaignId: number; position: number; metric: WinnerMetric },
  variants: readonly number[],
  { since, until }: { since: Date | null; until: Date },
): Promise<TextFigures[]> {
  const { rows } = await sql<TextFigures>`
    select variant, count(*)::integer as sent,
      (count(*) filter (where ${isSuccess(metric)}))::integer as successes
    from sends
    where campaign_id = ${campaignId} and step = ${position} and state = 'sent'
      and variant = any (${[...variants]}::integer[]) and sent_at <= ${until}
      and sent_at >= coalesce(${since}::timestamptz, '-infinity')
    group by variant`.execute(db);
  return variants.map(
    (variant) => rows.find((row) => row.variant === variant) ?? { variant, sent: 0, successes: 0 },
  );
}

/** Messages whose answer means interest, by step and variant. */
export async function countInterested(
  db: Kysely<Database>,
  campaignId: number,
): Promise<{ step: number; variant: number; interested: number }[]> {
  const { rows } = await sql<{ step: number; variant: number; interested: number }>`
    select step, variant, count(distinct sends.id)::integer as interested
    from messages join sends on sends.id = messages.send_id
    where messages.campaign_id = ${campaignId} and sends.campaign_id = ${campaignId}
      and messages.interest = any (${[...INTERESTED]})
    group by step, variant`.execute(db);
  return rows;
}
