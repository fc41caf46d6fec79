/** Message-IDs of campaigns: known to who had the message, and kept while it is tried. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Config } from '../../src/config.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());

const keysOf = () => `k1:${randomBytes(32).toString('base64')}`;

async function campaign() {
  const { db, cipher } = world.tools();
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId, leadIds } = await addCampaign(db, userId, { leads: 1, mailboxIds });
  const claim = async (settings: Partial<Config>) => {
    const { config } = world.tools({}, { SEND_MIN_GAP_SECONDS: 0, ...settings });
    const request = { campaignId, claimedBy: randomUUID(), now: new Date(), most: 1 };
    const { messages } = await db
      .transaction()
      .execute((trx) => claimMessages(trx, config, request));
    return messages[0]!.messageId;
  };
  const defer = async () => {
    await db
      .updateTable('sends')
      .set({ state: 'deferred' })
      .where('campaign_id', '=', campaignId)
      .execute();
    await db
      .updateTable('recipients')
      .set({ due_at: new Date(Date.now() - 1_000) })
      .where('campaign_id', '=', campaignId)
      .execute();
  };
  return { claim, defer, campaignId, leadId: leadIds[0]! };
}

it('the next attempt has the same, also when another key has become the first', async () => {
  const { claim, defer } = await campaign();
  const first = await claim({ ENCRYPTION_KEYS: keysOf() });
  await defer();
  expect(await claim({ ENCRYPTION_KEYS: keysOf() })).toBe(first);
});

it('is no hash of ids and addresses, which others can guess', async () => {
  const { claim, campaignId, leadId } = await campaign();
  const { db } = world.database;
  const keys = keysOf();
  const id = await claim({ ENCRYPTION_KEYS: keys });
  const { email_key: emailKey } = await db
    .selectFrom('sends')
    .select('email_key')
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const seed = `letter/${campaignId}/${leadId}/0/${emailKey}`;
  const plain = createHash('sha256').update(seed).digest('base64url').slice(0, 27);
  expect(id).toMatch(/^<[\w-]{27}@/);
  expect(id).not.toContain(plain);
  expect(id).not.toContain(keys.slice(3, 20));
});
