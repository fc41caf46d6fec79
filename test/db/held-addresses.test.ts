/** Risky addresses in a campaign: written to, or held until the verdict or the setting changes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeUpHeldAddresses } from '../../src/db/campaigns/held-addresses.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { RiskyKind } from '../../src/domain/campaigns/address-risk.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

const now = new Date();

const claim = async (campaignId: number) => {
  const { messages } = await world.database.db.transaction().execute((trx) =>
    claimMessages(trx, world.tools({}, { SEND_MIN_GAP_SECONDS: 0 }).config, {
      campaignId,
      claimedBy: randomUUID(),
      now,
      most: 100,
    }),
  );
  return messages.map(({ leadId }) => leadId).toSorted((a, b) => a - b);
};

const VERDICTS = [
  { validation_status: 'valid', validation_score: 95, validation_reason: 'mailbox_exists' },
  { validation_status: 'risky', validation_score: 60, validation_reason: 'catch_all' },
  { validation_status: 'unknown', validation_score: 40, validation_reason: 'greylisted' },
  { validation_status: 'invalid', validation_score: 0, validation_reason: 'mailbox_not_found' },
];

const judge = (leadId: number, verdict: (typeof VERDICTS)[number]) =>
  world.database.db
    .updateTable('leads')
    .set({ ...verdict, email_valid: verdict.validation_score >= 70, validated_at: now })
    .where('id', '=', leadId)
    .execute();

/** One lead of each verdict. */
async function campaign(rules: { held_addresses?: RiskyKind[]; min_validation_score?: number }) {
  const { db, cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const of = await addCampaign(db, userId, { leads: VERDICTS.length, mailboxIds });
  for (const [n, verdict] of VERDICTS.entries()) await judge(of.leadIds[n]!, verdict);
  await db.updateTable('campaigns').set(rules).where('id', '=', of.campaignId).execute();
  return of;
}

const recipients = (campaignId: number) =>
  world.database.db
    .selectFrom('recipients')
    .select(['status', 'hold_reason'])
    .where('campaign_id', '=', campaignId)
    .orderBy('lead_id')
    .execute();

describe('a campaign', () => {
  it('writes to catch-all, unknown and greylisted addresses, never to invalid ones', async () => {
    const { campaignId, leadIds } = await campaign({ held_addresses: [] });
    expect(await claim(campaignId)).toEqual(leadIds.slice(0, 3));
    expect((await recipients(campaignId))[3]).toEqual({
      status: 'skipped',
      hold_reason: 'invalid_email',
    });
  });

  it('holds the kinds that it is told to hold, and takes them up when that changes', async () => {
    const { campaignId, leadIds } = await campaign({ held_addresses: ['catchAll', 'unknown'] });
    expect(await claim(campaignId)).toEqual(leadIds.slice(0, 1));
    expect((await recipients(campaignId)).slice(1, 3)).toEqual([
      { status: 'queued', hold_reason: 'catch_all_address' },
      { status: 'queued', hold_reason: 'unknown_address' },
    ]);
    expect(await claim(campaignId)).toEqual([]);
    const { db } = world.database;
    await db
      .updateTable('campaigns')
      .set({ held_addresses: ['unknown'] })
      .execute();
    await db
      .transaction()
      .execute((trx) =>
        takeUpHeldAddresses(trx, campaignId, { after: 0, to: Number.MAX_SAFE_INTEGER }),
      );
    expect(await claim(campaignId)).toEqual([leadIds[1]]);
  });

  it('holds scores below its minimum', async () => {
    const { campaignId, leadIds } = await campaign({ min_validation_score: 60 });
    expect(await claim(campaignId)).toEqual(leadIds.slice(0, 2));
    expect((await recipients(campaignId))[2]!.hold_reason).toBe('score_too_low');
  });

  it('takes up who is held, and who was found invalid, with a better verdict', async () => {
    const { campaignId, leadIds } = await campaign({ held_addresses: ['unknown'] });
    expect(await claim(campaignId)).toEqual(leadIds.slice(0, 2));
    await judge(leadIds[2]!, VERDICTS[0]!);
    await judge(leadIds[3]!, VERDICTS[1]!);
    expect(await claim(campaignId)).toEqual(leadIds.slice(2));
  });

  it('leaves who is held alone while the verdict stays what it is', async () => {
    const { campaignId, leadIds } = await campaign({ held_addresses: ['unknown'] });
    await claim(campaignId);
    await judge(leadIds[2]!, VERDICTS[2]!);
    expect((await recipients(campaignId))[2]!.hold_reason).toBe('unknown_address');
  });
});
