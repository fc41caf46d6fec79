/** Texts that have won, as clients are told: each is judged by what was seen outside. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Book, SimulatedCampaign } from '../book.ts';
import { createSerialRunner } from '../serial-work.ts';
import { missedLook, wrongDecision, type Decision } from './evidence.ts';
import type { TextRules } from './text-rules.ts';

type Told = Omit<Decision, 'at' | 'looks'> & { campaignId: number; step: number; at: string };

/** A campaign that sends looks more often; one that waits for its window or follow-ups rests for a day. */
const LOOKED_WITHIN_MS = 2 * 86_400_000;

export interface Decisions {
  /** Writes what was decided by now into the book. */
  note(): Promise<void>;
  /** At any moment: whether texts are compared when it is time to. */
  look(now: number): Promise<void>;
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
    async look(now) {
      for (const campaign of book.campaigns.filter(({ comparing }) => comparing)) {
        for (const position of campaign.comparing!.tests.keys()) {
          await checkLook(campaign, position, now);
        }
      }
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

  /** Where nothing has changed for long enough. */
  async function checkLook(
    { id, comparing, isActive, marks }: SimulatedCampaign,
    position: number,
    now: number,
  ): Promise<void> {
    const { rule, tests } = comparing!;
    const { choice, since, variants } = tests[position]!;
    const setting = rule.now();
    const changedAt = Math.max(isActive.since(), rule.since(), choice.since());
    if (setting === null || !isActive.now() || now - changedAt < LOOKED_WITHIN_MS) return;
    if (choice.now().by !== 'nobody') return;
    const until = now - setting.afterDays * 86_400_000 - LOOKED_WITHIN_MS;
    const current = [marks[position]!.now()!, ...variants];
    const numbers = current.map((mark) => texts.numberOf(id, position, mark));
    if (numbers.includes(undefined)) return;
    const { rows } = await sql<{ looks: number; lookedSends: number; sent: number[] }>`
      select coalesce(max(looks), 0) as looks, coalesce(max(looked_sends), 0) as "lookedSends",
        (select array_agg((select count(*)::integer from sends where campaign_id = ${id}
            and step = ${position} and state = 'sent' and variant = own.number
            and sent_at > ${timeOf(since.now())}::timestamptz and sent_at <= ${new Date(until)}))
          from unnest(${numbers}::integer[]) as own (number)) as sent
      from step_tests where campaign_id = ${id} and position = ${position}`.execute(db);
    const wrong = missedLook(setting, rows[0]!);
    if (wrong) breach(`${new Date(now).toISOString()} campaign ${id} step ${position}: ${wrong}`);
  }

  /** At least one. Where it was begun anew since, that is all that is known. */
  async function looksOf({ campaignId, step }: Told): Promise<number> {
    const { rows } = await sql<{ looks: number }>`select looks from step_tests
      where campaign_id = ${campaignId} and position = ${step} and decided_by = 'test'`.execute(db);
    return Math.max(1, rows[0]?.looks ?? 1);
  }
}

const timeOf = (at: number) => (at === -Infinity ? '-infinity' : new Date(at).toISOString());
