/** No message goes without who sends it and where from, whatever became of the account. Choice 56. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { campaignRows } from '../../src/transactions/campaign-states.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const WHOLE = { sender_name: 'Ann Example', postal_address: '1 Main Street, Springfield' };

let world: SessionWorld;
let userId: string;
let mailboxIds: number[];
beforeAll(async () => {
  world = await startSessionWorld(['sender.test']);
  const { db, cipher } = world.tools();
  userId = await addSender(db);
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'sender.test' });
});
afterAll(() => world?.close());
beforeEach(() => {
  world.smtp.taken.length = 0;
});

/** As it was before it was refused to empty the account of an active campaign. */
const change = (fields: Partial<Record<keyof typeof WHOLE, string | null>>) =>
  world.database.db.updateTable('users').set(fields).where('user_id', '=', userId).execute();

describe('a campaign of an account that was emptied', () => {
  it.each([
    [{ sender_name: null }, /^Sending stopped: senderName of the account is missing/],
    [{ postal_address: '  ' }, /^Sending stopped: postalAddress of the account is missing/],
    [{ sender_name: '', postal_address: null }, /senderName and postalAddress of the account are/],
  ])('pauses with the reason, and goes on once it is cured: %j', async (empty, words) => {
    const { db } = world.database;
    const { campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds });
    const campaign = () =>
      db.selectFrom('campaigns').selectAll().where('id', '=', campaignId).executeTakeFirstOrThrow();
    await change(empty);
    expect(await world.run(campaignId)).toMatchObject({
      state: 'paused',
      isDone: false,
      progress: expect.stringMatching(
        /^paused, insufficient_data: Sending stopped: .*; 0 messages/,
      ),
    });
    expect(await campaign()).toMatchObject({
      status: 'paused',
      pause_reason: 'insufficient_data',
      warning: expect.stringMatching(words),
    });
    expect([world.smtp.taken, await claimsOf(campaignId)]).toEqual([[], []]);

    // A signal by hand asks nobody whether the campaign is ready.
    const resume = () =>
      db.transaction().execute((trx) => campaignRows.apply(trx, campaignId, 'resume', 0));
    await resume();
    expect(await world.run(campaignId)).toMatchObject({ state: 'paused' });
    expect(world.smtp.taken).toEqual([]);

    await change(WHOLE);
    await resume();
    expect(await campaign()).toMatchObject({ pause_reason: null, warning: null });
    expect(await world.run(campaignId)).toMatchObject({ isDone: true });
    expect(world.smtp.taken).toHaveLength(2);
    for (const { raw } of world.smtp.taken) {
      expect(raw).toMatch(/^From: Ann Example </m);
      expect(raw).toContain('1 Main Street');
    }
  });
});

const claimsOf = (campaignId: number) =>
  world.database.db
    .selectFrom('sends')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .execute();
