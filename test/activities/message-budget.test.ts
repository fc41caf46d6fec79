/** Rounds of one worker share the memory for messages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMessageBudget, messageBytes } from '../../activities/campaigns/message-budget.ts';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import type { SessionTools } from '../../activities/campaigns/tools.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

/** Nearly as large as the API takes them. */
const BODY = 'x'.repeat(90_000);

const step = (bodyTemplate: string) => ({
  position: 0,
  delayDays: 0,
  subjectTemplate: 'Hello',
  bodyTemplate,
  variants: [],
});

describe('the bytes of a message', () => {
  it('are those of its largest text, with what is made of it', () => {
    const [small, large] = [step('a word'), step('ü'.repeat(100_000))];
    expect(messageBytes([small])).toBeLessThan(20_000);
    expect(messageBytes([{ ...small, variants: [large] }])).toBeGreaterThan(1_200_000);
    expect(messageBytes([small, large])).toBeGreaterThan(1_200_000);
  });
});

describe('rounds with large messages', () => {
  let world: SessionWorld;
  beforeAll(async () => void (world = await startSessionWorld(['one.test', 'two.test'])));
  afterAll(() => world.close());

  it('hold a few at once, each at least one, and send all of them', async () => {
    const { db, cipher } = world.tools();
    const userId = await addSender(db);
    const campaign = async (domain: string) => {
      const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 3, domain });
      const { campaignId } = await addCampaign(db, userId, { leads: 6, mailboxIds });
      await db
        .updateTable('campaign_steps')
        .set({ body_template: BODY })
        .where('campaign_id', '=', campaignId)
        .execute();
      return campaignId;
    };
    const campaigns = [await campaign('one.test'), await campaign('two.test')];
    const budget = createMessageBudget(3 * messageBytes([step(BODY)]));
    let most = 0;
    let made = 0;
    const { mailTransport } = world.tools();
    const tools = (): SessionTools =>
      world.tools({
        messageBudget: budget,
        mailTransport: {
          ...mailTransport,
          compose: (message) => {
            made += 1;
            most = Math.max(most, made - world.smtp.taken.length);
            return mailTransport.compose(message);
          },
        },
      });
    const rounds = campaigns.map((campaignId) => runSendingSession(tools(), campaignId));
    const results = await Promise.all(rounds);
    expect(results.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(world.smtp.taken).toHaveLength(12);
    expect(most).toBeLessThanOrEqual(3 + campaigns.length);
    expect(budget.usedBytes()).toBe(0);
  });
});
