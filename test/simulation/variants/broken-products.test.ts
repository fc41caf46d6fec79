/** The simulation's referee is held against what broken products note and tell of texts that win. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeStepTest } from '../../../src/db/campaigns/step-tests.ts';
import { insertEvents } from '../../../src/db/webhooks/events.ts';
import { createCipher } from '../../../src/encryption/cipher.ts';
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import { addCampaign, addMailboxes, addSender } from '../../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { createBook, type SimulatedCampaign } from '../book.ts';
import { createHistory } from '../history.ts';
import type { Observed } from '../rules.ts';
import type { GivenAnswer } from '../subsequences/answers.ts';
import { createDecisions } from './decisions.ts';
import type { Decision, WinnerRule } from './evidence.ts';
import { OPEN, createTextRules, type Choice } from './text-rules.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T00:00:00Z');
const RULE: WinnerRule = { metric: 'replied', minSends: 5, confidence: 0.8, afterDays: 0 };

let database: TestDatabase;
let mailboxIds: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const userId = await addSender(db);
  const cipher = createCipher(`k1:${Buffer.alloc(32, 7).toString('base64')}`);
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
});
afterAll(() => database.close());

type Figures = Decision['texts'];

/** Two texts are sent each hour; each second message of the better one is answered at once, and each sixth of the other. */
async function found() {
  const { db } = database;
  // The referee of a world hears of all that its one account is told.
  const userId = await addSender(db);
  const { campaignId: id } = await addCampaign(db, userId, { leads: [], mailboxIds });
  const book = createBook();
  const test = {
    variants: ['liked0m'],
    choice: createHistory<Choice>(OPEN),
    since: createHistory(-Infinity),
  };
  const campaign = {
    id,
    comparing: { rule: createHistory<WinnerRule | null>(RULE), tests: [test] },
    isActive: createHistory(true),
    marks: [createHistory<string | undefined>('first0m')],
  };
  book.campaigns.push(campaign as unknown as SimulatedCampaign);
  const violations: string[] = [];
  let hour = 0;
  const now = () => START + hour * HOUR;
  const texts = createTextRules(book);
  const breach = (words: string) => void violations.push(words.slice(words.indexOf('step')));
  const decisions = createDecisions(db, { book, texts, userId, isSure: () => true, now, breach });
  return {
    violations,
    /** What the product notes, and then its next messages. */
    send: async (looks: number, lookedSends: number, winner?: Figures) => {
      const noted = { since: null, looks, looked_sends: lookedSends };
      const tell = { metric: RULE.metric, confidence: RULE.confidence, texts: winner };
      await db.transaction().execute(async (trx) => {
        if (looks > 0) await writeStepTest(trx, { campaignId: id, position: 0 }, noted);
        const at = new Date(now()).toISOString();
        const payload = { campaignId: id, step: 0, variant: 1, ...tell, at };
        const event = { userId, resource: `campaign/${id}`, type: 'campaign.variant_won', payload };
        if (winner) await insertEvents(trx, [event as never]);
      });
      await decisions.note();
      if (winner) return;
      for (const [variant, mark] of ['first0m', 'liked0m'].entries()) {
        const leadId = 2 * hour + variant;
        const messageId = `<${leadId}>`;
        const body = `a word: ${mark}.`;
        const at = now();
        texts.check(
          { at, campaignId: id, leadId, step: 0, variant, messageId, body } as Observed,
          breach,
        );
        book.people.add(leadId);
        if (hour % (variant === 1 ? 2 : 6) > 0) continue;
        const interest = createHistory<Interest | null>('interested');
        book.answers.hear({ at: at + 1, interest, inReplyTo: messageId } as GivenAnswer);
      }
      decisions.lookAtSending(id);
      hour += 1;
    },
  };
}

const figures = (first: [number, number], liked: [number, number]): Figures =>
  [first, liked].map(([sent, successes], variant) => ({ variant, sent, successes }));

/** Of the messages of so many hours, as they are. */
const right = (sent: number) => figures([sent, Math.ceil(sent / 6)], [sent, Math.ceil(sent / 2)]);

/** A product that compares at 5, 10, 20 and 40 messages, and decides at the last of these looks by `told`. */
async function compareRightly(told: Figures) {
  const { send, violations } = await found();
  let [looks, lookedSends] = [0, 0];
  for (let sent = 0; sent < 40; sent += 1) {
    if (sent >= Math.max(5, 2 * lookedSends)) [looks, lookedSends] = [looks + 1, sent];
    await send(looks, lookedSends);
  }
  await send(4, 40, told);
  return violations;
}

describe('a product', () => {
  it('that compares when it is time to, and tells all, breaks nothing', async () => {
    expect(await compareRightly(right(40))).toEqual([]);
  });

  it('whose looks are stuck at the first one is found by the next look', async () => {
    const { send, violations } = await found();
    for (let sent = 0; sent < 5; sent += 1) await send(0, 0);
    for (let sent = 5; sent < 10; sent += 1) await send(1, 5);
    await send(1, 10);
    expect(violations).toEqual(['step 0: look 1 was at 10 messages, after look 1 at 5']);
  });

  it('that decides by the level of a look that was before is found by the chance', async () => {
    const { send, violations } = await found();
    for (let sent = 0; sent < 5; sent += 1) await send(0, 0);
    for (let sent = 5; sent < 15; sent += 1) await send(1, 5);
    await send(1, 15, right(15));
    expect(violations.join('\n')).toMatch(/look 1 was at 15 messages, after look 1 at 5/);
    expect(violations.join('\n')).toMatch(/by chance 0\.\d+, and 0\.02/);
  });

  it('that compares at each message and notes only what it decides is found before that', async () => {
    const { send, violations } = await found();
    for (let sent = 0; sent < 9; sent += 1) await send(0, 0);
    expect(violations).toEqual([
      'step 0: its texts were compared 0 times, and each was sent 5 times',
      'step 0: its texts were compared 0 times, and each was sent 6 times',
    ]);
  });

  it('that hides the loser’s answers, or messages, is found by the figures that it tells', async () => {
    expect(await compareRightly(figures([40, 0], [40, 20]))).toEqual([
      'step 0: text 1 has won with 0 answers to text 0, and at least 7 count',
    ]);
    expect(await compareRightly(figures([39, 7], [40, 20]))).toContain(
      'step 0: text 1 has won with 39 messages of text 0, and at least 40 count',
    );
  });
});
