/** Texts that have won, as clients are told: each is judged by what was seen outside. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Book } from '../book.ts';
import { createSerialRunner } from '../serial-work.ts';
import { wrongDecision, type Decision } from './evidence.ts';
import type { TextRules } from './text-rules.ts';

type Told = Omit<Decision, 'at' | 'looks'> & { campaignId: number; step: number; at: string };

export interface Decisions {
  /** Writes what was decided by now into the book. */
  note(): Promise<void>;
  count(): number;
}

export function createDecisions(
  db: Kysely<Database>,
  {
    book,
    texts,
    userId,
    breach,
  }: { book: Book; texts: TextRules; userId: string; breach: (rule: string) => void },
): Decisions {
  const runSerially = createSerialRunner();
  const self = {};
  let last = 0;
  let count = 0;
  return {
    count: () => count,
    async note() {
      if (book.campaigns.some(({ comparing }) => comparing)) await runSerially(self, read);
    },
  };

  async function read(): Promise<void> {
    const events = await db
      .selectFrom('events')
      .select(['id', 'payload'])
      .where('user_id', '=', userId)
      .where('type', '=', 'campaign.variant_won')
      .where('id', '>', last)
      .orderBy('id')
      .execute();
    for (const { id, payload } of events) {
      last = id;
      count += 1;
      await judge(payload as unknown as Told);
    }
  }

  async function judge(told: Told): Promise<void> {
    const { campaignId, step, variant } = told;
    const at = Date.parse(told.at);
    const what = `${told.at} campaign ${campaignId} step ${step}: text ${variant} has won`;
    const campaign = book.campaign(campaignId);
    const test = campaign.comparing?.tests[step];
    const mark = texts.markOf(campaignId, step, variant);
    if (!test || mark === undefined) return breach(`${what}, and nobody has got it`);
    const decision = { ...told, at, looks: await looksOf(told) };
    const wrong = wrongDecision(decision, {
      rules: campaign.comparing!.rule.at(at),
      wasOpen: test.choice.at(at).some(({ by }) => by === 'nobody'),
      texts: test.variants.length + 1,
      since: Math.min(...test.since.at(at)),
      messages: texts.messagesOf(campaignId, step),
      answersTo: (messageId) => book.answers.to(messageId),
    });
    for (const rule of wrong) breach(`${what} ${rule}`);
    test.choice.set({ by: 'test', mark }, at);
  }

  /** At least one. Where it was begun anew since, that is all that is known. */
  async function looksOf({ campaignId, step }: Told): Promise<number> {
    const { rows } = await sql<{ looks: number }>`select looks from step_tests
      where campaign_id = ${campaignId} and position = ${step} and decided_by = 'test'`.execute(db);
    return Math.max(1, rows[0]?.looks ?? 1);
  }
}
