/** Texts that have won, as clients are told: each is judged by what was seen outside. */
import type { Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Book } from '../book.ts';
import { createSerialRunner } from '../serial-work.ts';
import type { Arrivals } from './arrivals.ts';
import { wrongDecision } from './evidence.ts';
import { createLookWatch } from './look-watch.ts';
import { createReader, type Told } from './reading.ts';
import type { TextRules } from './text-rules.ts';

const HOUR = 3_600_000;
/** A campaign that sends looks every hour; one that waits for its window or follow-ups rests for a day. */
const LOOKED_WITHIN_MS = { sending: 2 * HOUR, resting: 48 * HOUR };

export interface Decisions {
  /** Writes what was decided by now into the book. */
  note(): Promise<void>;
  /** At a message of the campaign, after `note`: whether its texts are compared when it is time to. */
  lookAtSending(campaignId: number): void;
  /** At any moment: the same of all campaigns. */
  look(): void;
  count(): number;
}

export function createDecisions(
  db: Kysely<Database>,
  {
    userId,
    ...world
  }: {
    book: Book;
    texts: TextRules;
    userId: string;
    isSure: Arrivals['isSure'];
    now: () => number;
    breach: (rule: string) => void;
  },
): Decisions {
  const { book, texts, isSure, now, breach } = world;
  const runSerially = createSerialRunner();
  const read = createReader(db, userId);
  const watch = createLookWatch(world);
  const self = {};
  let count = 0;
  const compared = () => book.campaigns.filter(({ comparing }) => comparing);
  return {
    count: () => count,
    async note() {
      if (compared().length > 0) await runSerially(self, noteAll);
    },
    lookAtSending(campaignId) {
      const campaign = book.campaign(campaignId);
      if (campaign.comparing) watch.check(campaign, now(), LOOKED_WITHIN_MS.sending);
    },
    look() {
      for (const one of compared()) watch.check(one, now(), LOOKED_WITHIN_MS.resting);
    },
  };

  async function noteAll(): Promise<void> {
    const { told, tests } = await read(compared().map(({ id }) => id));
    watch.see(tests);
    for (const one of told) {
      count += 1;
      judge(one);
    }
  }

  function judge(told: Told): void {
    const { campaignId, step, variant } = told;
    const at = Date.parse(told.at);
    const what = `${told.at} campaign ${campaignId} step ${step}: text ${variant} has won`;
    const campaign = book.campaign(campaignId);
    const test = campaign.comparing?.tests[step];
    const mark = texts.markOf(campaignId, step, variant);
    if (!test || mark === undefined) return breach(`${what}, and nobody has got it`);
    const decision = { ...told, at, looks: watch.looksOf(campaignId, step) };
    const wrong = wrongDecision(decision, {
      rules: campaign.comparing!.rule.at(at),
      wasOpen: test.choice.at(at).some(({ by }) => by === 'nobody'),
      texts: test.variants.length + 1,
      since: test.since.at(at),
      messages: texts.messagesOf(campaignId, step),
      answersTo: (messageId) => book.answers.to(messageId),
      isSure,
      isKnown: ({ leadId }) => book.people.has(leadId),
    });
    for (const rule of wrong) breach(`${what} ${rule}`);
    test.choice.set({ by: 'test', mark }, at);
  }
}
