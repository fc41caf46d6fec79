/** The way back of who was given up: a corrected address, a lifted suppression. Choice 17. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Config } from '../../src/config.ts';
import { recoverMessages } from '../../src/db/sending/send-progress.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

const OLD = 'ann@old.example';
const NEW = 'ann@new.example';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => void (ann = await users.newUser()));

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
} as Config;

/** A campaign that has written to a lead at the old address. */
async function written({ isSent = true } = {}) {
  const campaign = await ann.campaign({ maxFollowups: 1 }, 0);
  const person = { firstName: 'Ann', lastName: 'Lee', email: OLD };
  const body = { company_name: 'Acme', people: [person] };
  const leadId: number = (await ann.ok('POST', '/v1/leads', body)).leads[0].id;
  await ann.ok('POST', `/v1/campaigns/${campaign.id}/leads`, { leadIds: [leadId] });
  await ann.ok('POST', `/v1/campaigns/${campaign.id}/start`);
  const claimedBy = randomUUID();
  const { messages } = await claim(campaign.id, claimedBy);
  const sendId = messages[0]!.sendId;
  const sends = users.database.db.updateTable('sends').where('id', '=', sendId);
  if (isSent) await sends.set({ state: 'sent', sent_at: users.clock.at }).execute();
  const of = users.database.db.updateTable('leads').where('id', '=', leadId);
  await of.set({ status: 'contacted' }).execute();
  return {
    campaignId: campaign.id as number,
    leadId,
    sendId,
    message: { ...messages[0]!, claimedBy },
  };
}

/** The same, with its follow-up due. */
async function inSequence() {
  const one = await written();
  const { mailboxId } = one.message;
  const next = { status: 'in_progress', step: 1, due_at: users.clock.at } as const;
  const rows = users.database.db.updateTable('recipients').where('lead_id', '=', one.leadId);
  await rows.set({ ...next, mailbox_id: mailboxId }).execute();
  return one;
}

const claim = (campaignId: number, claimedBy: string = randomUUID()) =>
  users.database.db.transaction().execute((trx) =>
    claimMessages(trx, config, {
      campaignId,
      claimedBy,
      now: new Date(users.clock.at.getTime() + 1_000),
      most: 10,
    }),
  );

const happens = (sendId: number, kind: SendOutcome['kind']) =>
  users.database.db
    .transaction()
    .execute((trx) => recordSendOutcome(trx, sendId, { kind, at: users.clock.at }));

const statusOf = async (leadId: number) => (await ann.ok('GET', `/v1/leads/${leadId}`)).status;
const entry = async () => (await ann.ok('GET', '/v1/suppressions'))[0].id;

describe('a lead that bounced and gets a new address', () => {
  it('is what it was, and the campaign writes to the new address from the start', async () => {
    const { campaignId, leadId, sendId, message } = await written();
    await happens(sendId, 'bounced');
    expect(await statusOf(leadId)).toBe('bounced');
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    expect(await statusOf(leadId)).toBe('contacted');
    const [again] = (await claim(campaignId)).messages;
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
    expect(again!.messageId).not.toBe(message.messageId);
    // What comes of the old message is no longer about this lead.
    await happens(sendId, 'complained');
    expect(await statusOf(leadId)).toBe('contacted');
  });

  it('also where the bounce is known only after the correction', async () => {
    const { campaignId, leadId, sendId } = await written();
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    await happens(sendId, 'bounced');
    expect(await statusOf(leadId)).toBe('contacted');
    const [again] = (await claim(campaignId)).messages;
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
  });

  it('and where the host refuses the old address while it is corrected', async () => {
    const { campaignId, leadId, sendId, message } = await written({ isSent: false });
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    const { mailboxId, variant, messageId } = message;
    const recipient = { status: 'bounced' as const, step: 0, dueAt: null, holdReason: null };
    const refused = { state: 'refused' as const, reply: '550 5.1.1 no such user', subject: 'Hi' };
    const ids = { sendId, leadId, mailboxId, step: 0, variant, messageId };
    const end = { ...ids, ...refused, at: users.clock.at, recipient, hasBounced: true };
    const by = { campaignId, userId: ann.userId, claimedBy: message.claimedBy };
    await users.database.db.transaction().execute((trx) => writeDeliveryResults(trx, by, [end]));
    const [again] = (await claim(campaignId)).messages;
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
  });

  it.each(['comes back', 'is left by a session that died'])(
    'and where a follow-up to the old address is under way meanwhile, and %s',
    async (how) => {
      const { campaignId, leadId, sendId, message } = await written();
      const { mailboxId } = message;
      const { db } = users.database;
      const next = { status: 'in_progress', step: 1, mailbox_id: mailboxId } as const;
      await db
        .updateTable('recipients')
        .set({ ...next, due_at: users.clock.at })
        .where('campaign_id', '=', campaignId)
        .execute();
      const claimedBy = randomUUID();
      const [followUp] = (await claim(campaignId, claimedBy)).messages;
      expect(followUp).toMatchObject({ leadId, step: { position: 1 }, recipient: { email: OLD } });
      await happens(sendId, 'bounced');
      await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
      expect((await claim(campaignId)).messages).toEqual([]);
      const { variant, messageId } = followUp!;
      const recipient = { ...next, dueAt: users.clock.at, holdReason: null };
      const ids = { sendId: followUp!.sendId, leadId, mailboxId, step: 1, variant, messageId };
      const released = { state: 'back', reply: '', subject: null, hasBounced: false } as const;
      const end = { ...ids, ...released, at: users.clock.at, recipient } as never;
      const by = { campaignId, userId: ann.userId, claimedBy };
      await db.transaction().execute(async (trx) => {
        if (how === 'comes back') return writeDeliveryResults(trx, by, [end]);
        return recoverMessages(trx, { campaignId, exceptBy: null, now: users.clock.at });
      });
      const [again] = (await claim(campaignId)).messages;
      expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
    },
  );

  it('is erased with what went to the old address', async () => {
    const { leadId, sendId } = await written();
    await happens(sendId, 'bounced');
    const sends = users.database.db.updateTable('sends').where('id', '=', sendId);
    await sends.set({ subject: 'Hello Ann', smtp_reply: '550 no such user' }).execute();
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    await ann.ok('POST', `/v1/leads/${leadId}/erase`);
    const rows = users.database.db.selectFrom('sends').where('id', '=', sendId);
    const left = await rows.select(['email_key', 'subject', 'smtp_reply']).executeTakeFirst();
    expect(left).toEqual({ email_key: null, subject: '', smtp_reply: null });
  });

  it('is not queued where the campaign has written to that address before', async () => {
    const { campaignId, leadId, sendId } = await written();
    await happens(sendId, 'bounced');
    const people = [{ firstName: 'Ann', lastName: 'Lee', email: NEW }];
    const other = await ann.ok('POST', '/v1/leads', { company_name: 'Other', people });
    await ann.ok('POST', `/v1/campaigns/${campaignId}/leads`, { leadIds: [other.leads[0].id] });
    expect((await claim(campaignId)).messages).toHaveLength(1);
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    const lead = await ann.ok('GET', `/v1/campaigns/${campaignId}/leads/${leadId}`);
    expect(lead.status).toBe('bounced');
  });

  it('waits for the next start of a campaign that was completed, and is written to then', async () => {
    const { campaignId, leadId, sendId } = await written();
    const { db } = users.database;
    const done = { status: 'completed', completed_at: users.clock.at } as const;
    await db.updateTable('campaigns').set(done).where('id', '=', campaignId).execute();
    const rows = db.updateTable('recipients').where('lead_id', '=', leadId);
    await rows.set({ status: 'completed', step: 1, due_at: null }).execute();
    await happens(sendId, 'bounced');
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    expect((await claim(campaignId)).messages).toEqual([]);
    await ann.ok('POST', `/v1/campaigns/${campaignId}/start`);
    const [again] = (await claim(campaignId)).messages;
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
  });

  it('stays unsubscribed when that is what the person wants', async () => {
    const { leadId, sendId } = await written();
    await happens(sendId, 'unsubscribed');
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    expect(await statusOf(leadId)).toBe('unsubscribed');
  });

  it.each(['unsubscribe', 'complaint'])(
    'also where the owner has noted it (%s), whatever became of the address',
    async (reason) => {
      const { leadId, sendId } = await written();
      if (reason === 'complaint') await happens(sendId, 'bounced');
      await ann.ok('POST', '/v1/suppressions', { email: OLD, reason, note: 'by phone' });
      await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
      expect(await statusOf(leadId)).toBe('unsubscribed');
    },
  );
});

describe('a lead that was left out for its address and gets a new one', () => {
  it('is written to from the start where its address was suppressed', async () => {
    const { campaignId, leadId } = await inSequence();
    await ann.ok('POST', '/v1/suppressions', { email: OLD });
    expect((await claim(campaignId)).messages).toEqual([]);
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    const [again] = (await claim(campaignId)).messages;
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
    expect(again!.thread).toBeNull();
  });

  it('is written to from the start where its address was found invalid', async () => {
    const { campaignId, leadId } = await inSequence();
    const invalid = { validation_status: 'invalid', validation_score: 0 } as const;
    const lead = users.database.db.updateTable('leads').where('id', '=', leadId);
    await lead.set({ ...invalid, validated_at: users.clock.at }).execute();
    expect((await claim(campaignId)).messages).toEqual([]);
    await ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail: NEW });
    const [again] = (await claim(campaignId)).messages;
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
    expect(again!.thread).toBeNull();
  });

  it('goes on in its thread where the address is found valid after all', async () => {
    const { campaignId, leadId } = await inSequence();
    const lead = users.database.db.updateTable('leads').where('id', '=', leadId);
    await lead.set({ validation_status: 'invalid', validated_at: users.clock.at }).execute();
    expect((await claim(campaignId)).messages).toEqual([]);
    await lead.set({ validation_status: 'valid' }).execute();
    const [next] = (await claim(campaignId)).messages;
    expect(next).toMatchObject({ leadId, step: { position: 1 }, recipient: { email: OLD } });
  });
});

describe('a suppression that is lifted', () => {
  it('brings back whom campaigns had left out for it: where they stood, and wakes these', async () => {
    const { campaignId, leadId } = await inSequence();
    await ann.ok('POST', '/v1/suppressions', { domain: 'old.example' });
    expect((await claim(campaignId)).messages).toEqual([]);
    const path = `/v1/campaigns/${campaignId}/leads/${leadId}`;
    expect(await ann.ok('GET', path)).toMatchObject({
      status: 'skipped',
      holdReason: 'suppressed',
    });
    users.signals.length = 0;
    await ann.ok('DELETE', `/v1/suppressions/${await entry()}`);
    expect(await ann.ok('GET', path)).toMatchObject({ status: 'in_progress', step: 1 });
    expect(users.signals).toEqual([`campaign/${campaignId} leadsAdded`]);
    const [next] = (await claim(campaignId)).messages;
    expect(next).toMatchObject({ leadId, step: { position: 1 }, recipient: { email: OLD } });
  });

  it('leaves whom another entry keeps, and ended what an answer has ended', async () => {
    const { campaignId, leadId, sendId } = await inSequence();
    await ann.ok('POST', '/v1/suppressions', { domain: 'old.example' });
    await ann.ok('POST', '/v1/suppressions', { email: OLD });
    await claim(campaignId);
    await ann.ok('DELETE', `/v1/suppressions/${await entry()}`);
    const path = `/v1/campaigns/${campaignId}/leads/${leadId}`;
    expect(await ann.ok('GET', path)).toMatchObject({
      status: 'skipped',
      holdReason: 'suppressed',
    });
    await happens(sendId, 'replied');
    await ann.ok('DELETE', `/v1/suppressions/${await entry()}`);
    expect(await ann.ok('GET', path)).toMatchObject({ status: 'replied', nextSendAt: null });
  });

  it('lets an id bring back who was left out before', async () => {
    const { campaignId, leadId } = await inSequence();
    const { db } = users.database;
    const out = { status: 'skipped', hold_reason: 'suppressed', due_at: null } as const;
    await db.updateTable('recipients').set(out).where('lead_id', '=', leadId).execute();
    const path = `/v1/campaigns/${campaignId}/leads`;
    expect(await ann.ok('POST', path, { leadIds: [leadId] })).toMatchObject({ added: 1 });
    expect(await ann.ok('GET', `${path}/${leadId}`)).toMatchObject({
      status: 'in_progress',
      step: 1,
    });
  });

  it.each(['bounced', 'unsubscribed'] as const)(
    'lets a lead that had %s come back with the last of two entries',
    async (kind) => {
      const { leadId, sendId } = await written();
      await happens(sendId, kind);
      const email = await entry();
      const domain = await ann.ok('POST', '/v1/suppressions', { domain: 'old.example' });
      const first = await ann.ok('DELETE', `/v1/suppressions/${email}?note=Ann+called`);
      expect([first.liftedLeads, await statusOf(leadId)]).toEqual([0, 'suppressed']);
      const last = await ann.ok('DELETE', `/v1/suppressions/${domain.id}`);
      expect([last.liftedLeads, await statusOf(leadId)]).toEqual([1, 'contacted']);
    },
  );

  it('leaves a lead that has bounced as it is while the entry of the bounce is there', async () => {
    const { leadId, sendId } = await written();
    await happens(sendId, 'bounced');
    const order = { domain: 'old.example', reason: 'unsubscribe', note: 'by mail' };
    const domain = await ann.ok('POST', '/v1/suppressions', order);
    await ann.ok('DELETE', `/v1/suppressions/${domain.id}?note=again`);
    expect(await statusOf(leadId)).toBe('bounced');
  });

  it('brings back who bounced where the entry became a wish of the person', async () => {
    const { leadId, sendId } = await written();
    await happens(sendId, 'bounced');
    await ann.ok('POST', '/v1/suppressions', { email: OLD, reason: 'unsubscribe' });
    await ann.ok('DELETE', `/v1/suppressions/${await entry()}?note=Ann+called`);
    expect(await statusOf(leadId)).toBe('contacted');
  });

  it('brings back who bounced', async () => {
    const { leadId, sendId } = await written();
    await happens(sendId, 'bounced');
    const lifted = await ann.ok('DELETE', `/v1/suppressions/${await entry()}`);
    expect(lifted.liftedLeads).toBe(1);
    expect(await statusOf(leadId)).toBe('contacted');
  });

  it('brings back who bounced after a client had suppressed them', async () => {
    const { leadId, sendId } = await written();
    await ann.ok('POST', '/v1/suppressions', { email: OLD });
    await happens(sendId, 'bounced');
    await ann.ok('DELETE', `/v1/suppressions/${await entry()}`);
    expect(await statusOf(leadId)).toBe('contacted');
  });

  it.each(['unsubscribed', 'complained'] as const)(
    'needs a note once the person has %s, whoever had suppressed them before',
    async (kind) => {
      const { leadId, sendId } = await written();
      await ann.ok('POST', '/v1/suppressions', { email: OLD, note: 'a competitor' });
      await happens(sendId, kind);
      const path = `/v1/suppressions/${await entry()}`;
      expect(await ann.ok('GET', path)).toMatchObject({
        reason: kind === 'complained' ? 'complaint' : 'unsubscribe',
        note: expect.stringContaining('a competitor'),
      });
      expect(await ann.call('DELETE', path)).toMatchObject({ status: 400 });
      expect(await statusOf(leadId)).toBe('unsubscribed');
    },
  );

  it.each(['unsubscribed', 'complained'] as const)(
    'of who has %s needs a note that says who asked, and keeps it',
    async (kind) => {
      const { leadId, sendId } = await written();
      await happens(sendId, kind);
      const path = `/v1/suppressions/${await entry()}`;
      const refused = await ann.call('DELETE', path);
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      expect(await statusOf(leadId)).toBe('unsubscribed');
      await ann.ok('DELETE', `${path}?note=Ann+called+on+Monday`);
      expect(await statusOf(leadId)).toBe('contacted');
      const kept = await users.database.db
        .selectFrom('lifted_suppressions')
        .select(['value', 'note', 'lifted_leads'])
        .where('user_id', '=', ann.userId)
        .execute();
      expect(kept).toEqual([{ value: OLD, note: 'Ann called on Monday', lifted_leads: 1 }]);
    },
  );
});
