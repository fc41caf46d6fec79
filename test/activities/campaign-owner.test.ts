/** What an owner changes while a round has messages in the works. Choices 65, 68. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMessageBudget } from '../../activities/campaigns/message-budget.ts';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { requestOfLeads } from '../../src/services/campaigns/campaign-lead-requests.ts';
import { changeCampaign } from '../../src/services/campaigns/campaign-changes.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
let mailboxIds: number[];
beforeAll(async () => {
  world = await startSessionWorld(['owner.test']);
  userId = await addSender(world.database.db);
  const { db, cipher } = world.tools();
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'owner.test' });
});
afterAll(() => world.close());
beforeEach(() => void (world.smtp.taken.length = 0));

/** A whole round in which `work` is done once, while the n-th message is in its SMTP talk. */
async function during(campaignId: number, nth: number, work: () => Promise<unknown>) {
  // One message is claimed at a time.
  const tools = world.tools({ messageBudget: createMessageBudget(1) });
  let sent = 0;
  const mailTransport: typeof tools.mailTransport = {
    ...tools.mailTransport,
    openSubmission: async (access) => {
      const session = await tools.mailTransport.openSubmission(access);
      return {
        ...session,
        send: (message, beforeText) =>
          session.send(message, async () => {
            await beforeText();
            sent += 1;
            if (sent === nth) await work();
          }),
      };
    },
  };
  return runSendingSession({ ...tools, mailTransport }, campaignId);
}

const context = () => ({ ...world.tools(), temporal: {} as never });

const newCampaign = (leads: number) =>
  addCampaign(world.database.db, userId, { leads, mailboxIds });

describe('a round whose campaign is changed', () => {
  it('sends what is under way as it was, and all others with the new text', async () => {
    const { campaignId } = await newCampaign(8);
    const change = { bodyTemplate: 'Something else.' };
    const done = await during(campaignId, 3, () =>
      changeCampaign(context(), { userId, id: campaignId }, change),
    );
    expect(done).toMatchObject({ isDone: true });
    const { db } = world.database;
    const rows = await db
      .selectFrom('sends')
      .innerJoin('send_texts', 'send_texts.send_id', 'sends.id')
      .select(['sends.variant', 'send_texts.body_text', 'sends.state'])
      .where('campaign_id', '=', campaignId)
      .orderBy('sends.id')
      .execute();
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'sent'));
    expect(rows.map(({ variant }) => variant)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
    for (const { variant, body_text: text } of rows) {
      expect(text.includes('Something else.')).toBe(variant === 1);
    }
    expect(new Set(world.smtp.taken.map(({ to }) => to)).size).toBe(8);
    expect(world.smtp.taken).toHaveLength(8);
  });

  it('finishes the message of a lead that is paused, and completes without those that are', async () => {
    const { campaignId, leadIds } = await newCampaign(5);
    const request = 'pause';
    await during(campaignId, 2, () =>
      requestOfLeads(context(), { userId, id: campaignId }, { leadIds, request }),
    );
    expect(world.smtp.taken).toHaveLength(2);
    const { db } = world.database;
    const rows = await db
      .selectFrom('recipients')
      .select(['status', 'step', 'due_at'])
      .where('campaign_id', '=', campaignId)
      .orderBy('lead_id')
      .execute();
    const paused = { status: 'paused', step: 0, due_at: null };
    const completed = { status: 'completed', step: 1, due_at: null };
    expect(rows).toEqual([completed, completed, paused, paused, paused]);
    const campaign = await db
      .selectFrom('campaigns')
      .select('status')
      .where('id', '=', campaignId)
      .executeTakeFirst();
    expect(campaign?.status).toBe('completed');
  });
});
