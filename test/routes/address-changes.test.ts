/** A lead's new address: what campaigns had left out or could not deliver for the old one. Choices 71, 143, 151. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Config } from '../../src/config.ts';
import { beginMessages, recoverMessages } from '../../src/db/sending/send-progress.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import {
  MESSAGE,
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

const [OLD, NEW] = ['ann@old.example', 'ann@new.example'];

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  users.signals.length = 0;
  ann = await users.newUser();
});

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 0,
} as Config;

const db = () => users.database.db;
const days = (n: number) => new Date(MONDAY.getTime() + n * 86_400_000);

/** The messages that the campaign would send now. */
const claim = async (campaignId: number, claimedBy: string = randomUUID()) => {
  const now = new Date(users.clock.at.getTime() + 1_000);
  const request = { campaignId, claimedBy, now, most: 10 };
  const claimed = await db()
    .transaction()
    .execute((trx) => claimMessages(trx, config, request));
  return claimed.messages;
};

/** The lead, the position and the address of each of them. */
const claimed = async (campaignId: number) =>
  (await claim(campaignId)).map(({ leadId, step, recipient }) => [
    leadId,
    step.position,
    recipient.email,
  ]);

async function addLead(email: string, more: object = {}): Promise<number> {
  const people = [{ firstName: 'Ann', lastName: 'Lee', email, ...more }];
  const body = { company_name: `Company ${randomUUID()}`, people };
  return (await ann.ok('POST', '/v1/leads', body)).leads[0].id;
}

const draft = async (leadIds: number[], order: object = {}): Promise<number> => {
  const { id } = await ann.campaign({ maxFollowups: 1, ...order }, 0);
  await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  return id;
};

const start = (id: number) => ann.ok('POST', `/v1/campaigns/${id}/start`);
const pathOf = (id: number, leadId: number) => `/v1/campaigns/${id}/leads/${leadId}`;
const read = (id: number, leadId: number) => ann.ok('GET', pathOf(id, leadId));
const change = (leadId: number, personEmail: string | null) =>
  ann.ok('PATCH', `/v1/leads/${leadId}`, { personEmail });
const name = (id: number, ...leadIds: number[]) =>
  ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });

/** Sent, and the follow-up is due in three days. */
async function sent(sendId: number) {
  const row = await db()
    .updateTable('sends')
    .set({ state: 'sent', sent_at: users.clock.at })
    .where('id', '=', sendId)
    .returning(['campaign_id', 'lead_id', 'step'])
    .executeTakeFirstOrThrow();
  await db()
    .updateTable('recipients')
    .set({ status: 'in_progress', step: row.step + 1, due_at: days(3) })
    .where('campaign_id', '=', row.campaign_id)
    .where('lead_id', '=', row.lead_id)
    .execute();
}

async function written(email = OLD) {
  const leadId = await addLead(email);
  const campaignId = await draft([leadId]);
  await start(campaignId);
  const [message] = await claim(campaignId);
  await sent(message!.sendId);
  return { campaignId, leadId, sendId: message!.sendId };
}

/** The mail host gave the message up after a day. */
const expire = (sendId: number) =>
  db()
    .transaction()
    .execute((trx) =>
      recordSendOutcome(trx, sendId, {
        kind: 'bounced',
        isPermanent: false,
        hasExpired: true,
        at: users.clock.at,
        status: '4.4.1',
      }),
    );

describe('a lead whose message expired', () => {
  it('says why it is paused', async () => {
    const { campaignId, leadId, sendId } = await written();
    await expire(sendId);
    const view = await read(campaignId, leadId);
    expect(view).toMatchObject({ status: 'paused', holdReason: 'undelivered', nextSendAt: null });
    expect(view.explanation).toContain('could not be delivered');
  });

  it('gets the first message at a new address, once it is resumed', async () => {
    const { campaignId, leadId, sendId } = await written();
    await expire(sendId);
    await change(leadId, NEW);
    expect(await read(campaignId, leadId)).toMatchObject({
      status: 'paused',
      step: 0,
      holdReason: 'lead_paused',
    });
    users.clock.at = days(4);
    expect(await claim(campaignId)).toEqual([]);
    await ann.ok('POST', `${pathOf(campaignId, leadId)}/resume`);
    const [again] = await claim(campaignId);
    expect(again).toMatchObject({ leadId, step: { position: 0 }, recipient: { email: NEW } });
    expect(again!.thread).toBeNull();
  });

  it('gets no message again at the address that it had before, and has again', async () => {
    const leadId = await addLead(OLD);
    const campaignId = await draft([leadId], { maxFollowups: 2 });
    await start(campaignId);
    const sendNext = async () => {
      const messages = await claim(campaignId);
      for (const { sendId } of messages) await sent(sendId);
      return messages.map(({ step, recipient }) => [step.position, recipient.email]);
    };
    expect(await sendNext()).toEqual([[0, OLD]]);
    users.clock.at = days(4);
    const [followUp] = await claim(campaignId);
    expect(followUp!.step.position).toBe(1);
    await sent(followUp!.sendId);
    await expire(followUp!.sendId);
    await change(leadId, NEW);
    await ann.ok('POST', `${pathOf(campaignId, leadId)}/resume`);
    expect(await sendNext()).toEqual([[0, NEW]]);
    await change(leadId, OLD);
    users.clock.at = days(8);
    expect(await sendNext()).toEqual([]);
    expect(await read(campaignId, leadId)).toMatchObject({
      status: 'skipped',
      holdReason: 'already_contacted',
    });
    // It goes on where it stood with the address that it left.
    await change(leadId, NEW);
    expect(await sendNext()).toEqual([[1, NEW]]);
  });

  it('gets the first message at a new address, also where it was resumed before', async () => {
    const { campaignId, leadId, sendId } = await written();
    await expire(sendId);
    await ann.ok('POST', `${pathOf(campaignId, leadId)}/resume`);
    await change(leadId, NEW);
    expect(await claimed(campaignId)).toEqual([[leadId, 0, NEW]]);
  });

  it('also where that is known only after the correction: at once, since nobody paused it', async () => {
    const { campaignId, leadId, sendId } = await written();
    await change(leadId, NEW);
    await expire(sendId);
    expect(await claimed(campaignId)).toEqual([[leadId, 0, NEW]]);
  });

  it('also where it had been paused before, and stays so', async () => {
    const { campaignId, leadId, sendId } = await written();
    await ann.ok('POST', `${pathOf(campaignId, leadId)}/pause`);
    await expire(sendId);
    await change(leadId, NEW);
    users.clock.at = days(4);
    expect(await claim(campaignId)).toEqual([]);
    await ann.ok('POST', `${pathOf(campaignId, leadId)}/resume`);
    expect(await claimed(campaignId)).toEqual([[leadId, 0, NEW]]);
  });

  it.each(['comes back', 'is left by a session that died'])(
    'also where a follow-up to the old address was under way, and %s',
    async (how) => {
      const { campaignId, leadId, sendId } = await written();
      users.clock.at = days(4);
      const claimedBy = randomUUID();
      const [followUp] = await claim(campaignId, claimedBy);
      expect(followUp).toMatchObject({ leadId, step: { position: 1 }, recipient: { email: OLD } });
      await expire(sendId);
      await change(leadId, NEW);
      const { mailboxId, variant, messageId, sendId: second } = followUp!;
      const ids = { sendId: second, leadId, mailboxId, step: 1, variant, messageId };
      const recipient = { status: 'in_progress', step: 1, dueAt: days(4), holdReason: null };
      const released = { state: 'back', reply: '', subject: null, hasBounced: false, at: days(4) };
      const end = { ...ids, ...released, recipient } as never;
      await db()
        .transaction()
        .execute(async (trx) => {
          if (how !== 'comes back') {
            return recoverMessages(trx, { campaignId, exceptBy: null, now: days(4) });
          }
          const session = { campaignId, userId: ann.userId, claimedBy };
          return writeDeliveryResults(trx, session, [end]);
        });
      expect(await claimed(campaignId)).toEqual([[leadId, 0, NEW]]);
    },
  );

  it.each(['expired', 'bounced'] as const)(
    'also where it was removed meanwhile and is put back: %s',
    async (how) => {
      const { campaignId, leadId, sendId } = await written();
      if (how === 'expired') await expire(sendId);
      else {
        const bounce = { kind: 'bounced', at: users.clock.at } as const;
        await db()
          .transaction()
          .execute((trx) => recordSendOutcome(trx, sendId, bounce));
      }
      await ann.ok('DELETE', pathOf(campaignId, leadId));
      await change(leadId, NEW);
      expect(await read(campaignId, leadId)).toMatchObject({ status: 'removed' });
      expect(await claim(campaignId)).toEqual([]);
      expect(await name(campaignId, leadId)).toMatchObject({ added: 1 });
      expect(await claimed(campaignId)).toEqual([[leadId, 0, NEW]]);
    },
  );

  it('goes on in its thread where the address stays', async () => {
    const { campaignId, leadId, sendId } = await written();
    await expire(sendId);
    await ann.ok('POST', `${pathOf(campaignId, leadId)}/resume`);
    users.clock.at = days(4);
    expect(await claimed(campaignId)).toEqual([[leadId, 1, OLD]]);
  });
});

describe('a lead that was left out for its address', () => {
  const two = async () => {
    const [one, other] = [await addLead('a@x.example'), await addLead('b@x.example')];
    return { one, other, id: await draft([one, other]) };
  };
  const twin = { status: 'skipped', holdReason: 'duplicate_address' };

  it('is a recipient again in a draft where it gets its own address back', async () => {
    const { one, other, id } = await two();
    await change(other, 'a@x.example');
    expect(await read(id, other)).toMatchObject(twin);
    await change(other, 'b@x.example');
    expect(await read(id, other)).toMatchObject({ status: 'queued' });
    await start(id);
    expect(await claimed(id)).toEqual([
      [one, 0, 'a@x.example'],
      [other, 0, 'b@x.example'],
    ]);
  });

  it('goes on in its thread, at the time it was planned for, where it gets its own address back', async () => {
    const { one, other, id } = await two();
    await start(id);
    for (const { sendId } of await claim(id)) await sent(sendId);
    await change(other, 'a@x.example');
    expect(await read(id, other)).toMatchObject(twin);
    await change(other, 'b@x.example');
    expect(await read(id, other)).toMatchObject({
      status: 'in_progress',
      step: 1,
      nextSendAt: days(3).toISOString(),
    });
    users.clock.at = days(4);
    expect(await claimed(id)).toEqual([
      [one, 1, 'a@x.example'],
      [other, 1, 'b@x.example'],
    ]);
  });

  it('gets the first message at an address that none of them had', async () => {
    const { other, id } = await two();
    await start(id);
    for (const { sendId } of await claim(id)) await sent(sendId);
    await change(other, 'a@x.example');
    users.signals.length = 0;
    await change(other, 'c@x.example');
    expect(users.signals).toEqual([`campaign/${id} leadsAdded`]);
    expect(await claimed(id)).toEqual([[other, 0, 'c@x.example']]);
  });

  it('is a recipient again where the other one has changed its address: two that change places', async () => {
    const { one, other, id } = await two();
    await change(one, 'b@x.example');
    expect(await read(id, one)).toMatchObject(twin);
    await change(other, 'a@x.example');
    await start(id);
    expect(await claimed(id)).toEqual([
      [one, 0, 'b@x.example'],
      [other, 0, 'a@x.example'],
    ]);
  });

  it('stays out where the campaign has written to that address, and says so', async () => {
    const { one, other, id } = await two();
    await start(id);
    for (const { sendId } of await claim(id)) await sent(sendId);
    const third = await addLead('c@x.example');
    await name(id, third);
    await change(third, 'a@x.example');
    await change(one, 'new@x.example');
    expect(await read(id, third)).toMatchObject({ holdReason: 'already_contacted' });
    await change(third, 'b@x.example');
    expect(await read(id, third)).toMatchObject({ holdReason: 'already_contacted' });
    expect(await claim(id)).toEqual([]);
    expect(await read(id, other)).toMatchObject({ status: 'in_progress', step: 1 });
  });

  it('is added by its id once the other one is gone, and not before', async () => {
    const { one, other, id } = await two();
    await change(other, 'a@x.example');
    expect(await name(id, other)).toMatchObject({
      added: 0,
      skippedReasons: { duplicate_address: 1 },
      duplicates: [{ leadId: other, recipientLeadId: one }],
    });
    await ann.ok('DELETE', `/v1/leads/${one}`);
    expect(await name(id, other)).toMatchObject({ added: 1 });
    await start(id);
    expect(await claimed(id)).toEqual([[other, 0, 'a@x.example']]);
  });

  it('is added by its id with the first message where the thread is that of another address', async () => {
    const { one, other, id } = await two();
    await start(id);
    const messages = await claim(id);
    await sent(messages.find(({ leadId }) => leadId === other)!.sendId);
    // Nothing has reached the first one.
    await db().deleteFrom('sends').where('lead_id', '=', one).execute();
    await change(other, 'a@x.example');
    await ann.ok('DELETE', `/v1/leads/${one}`);
    expect(await name(id, other)).toMatchObject({ added: 1 });
    expect(await claimed(id)).toEqual([[other, 0, 'a@x.example']]);
  });

  it('gets the first message at the address that the other one gives up, also where its thread is elsewhere', async () => {
    const { one, other, id } = await two();
    await start(id);
    const messages = await claim(id);
    await sent(messages.find(({ leadId }) => leadId === other)!.sendId);
    // Nothing has reached the first one.
    await db().deleteFrom('sends').where('lead_id', '=', one).execute();
    await change(other, 'a@x.example');
    expect(await read(id, other)).toMatchObject(twin);
    await change(one, 'c@x.example');
    expect(await claimed(id)).toContainEqual([other, 0, 'a@x.example']);
  });

  it('gets the first message where it has, after another one, the address again for which it was left out', async () => {
    const { campaignId: id, leadId } = await written();
    await change(leadId, NEW);
    await ann.ok('POST', '/v1/suppressions', { email: NEW });
    users.clock.at = days(4);
    expect(await claim(id)).toEqual([]);
    expect(await read(id, leadId)).toMatchObject({ status: 'skipped', holdReason: 'suppressed' });
    await change(leadId, 'ann@between.example');
    const [entry] = await ann.ok('GET', '/v1/suppressions');
    await ann.ok('DELETE', `/v1/suppressions/${entry.id}`);
    await change(leadId, NEW);
    expect(await claimed(id)).toEqual([[leadId, 0, NEW]]);
  });

  it('a pause outlasts it: who has the address of another one is left out when resumed', async () => {
    const { other, id } = await two();
    const path = pathOf(id, other);
    await ann.ok('POST', `${path}/pause`);
    await change(other, 'a@x.example');
    await change(other, 'b@x.example');
    expect(await read(id, other)).toMatchObject({ status: 'paused' });
    await change(other, 'a@x.example');
    await ann.ok('POST', `${path}/resume`);
    expect(await read(id, other)).toMatchObject(twin);
  });

  it('for want of one, is a recipient again with the next one', async () => {
    const leadId = await addLead(OLD, { phone: '+49 30 1234567' });
    const id = await draft([leadId]);
    await start(id);
    await change(leadId, null);
    expect(await claim(id)).toEqual([]);
    expect(await read(id, leadId)).toMatchObject({ status: 'skipped', holdReason: 'no_email' });
    await change(leadId, NEW);
    expect(await claimed(id)).toEqual([[leadId, 0, NEW]]);
  });

  it('follows the list where its new address is suppressed, and lifted', async () => {
    const { other, id } = await two();
    await change(other, 'a@x.example');
    await ann.ok('POST', '/v1/suppressions', { email: NEW });
    await change(other, NEW);
    expect(await read(id, other)).toMatchObject({ status: 'skipped', holdReason: 'suppressed' });
    const [entry] = await ann.ok('GET', '/v1/suppressions');
    await ann.ok('DELETE', `/v1/suppressions/${entry.id}`);
    expect(await read(id, other)).toMatchObject({ status: 'queued' });
  });

  it('is not written to where the person wants no more mail', async () => {
    const { one, other, id } = await two();
    await start(id);
    const messages = await claim(id);
    const { sendId } = messages.find(({ leadId }) => leadId === other)!;
    await sent(sendId);
    const wish = { kind: 'unsubscribed', at: users.clock.at } as const;
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, sendId, wish));
    await change(other, NEW);
    users.clock.at = days(4);
    expect((await claimed(id)).filter(([leadId]) => leadId !== one)).toEqual([]);
  });
});

it('whoever is added again waits for an outcome that is being written, and is added then', async () => {
  const { campaignId, leadId, sendId } = await written();
  const twin = await addLead('twin@x.example');
  await name(campaignId, twin);
  await change(leadId, 'twin@x.example');
  await ann.ok('DELETE', `/v1/leads/${twin}`);
  let adding: Promise<{ added: number }> | undefined;
  // Messages before recipients, as where outcomes are written.
  await db()
    .transaction()
    .execute(async (trx) => {
      await sql`select from sends where id = ${sendId} for no key update`.execute(trx);
      adding = name(campaignId, leadId);
      adding.catch(() => undefined);
      await untilWaiting(db());
      await sql`select from recipients where campaign_id = ${campaignId} and lead_id = ${leadId}
        for no key update`.execute(trx);
    });
  expect(await adding).toMatchObject({ added: 1 });
});

describe('a lead that is left out while its message is in delivery', () => {
  /** What becomes of a message that was begun before its lead got the address of another one. */
  async function leftOut(order: object = {}) {
    const [one, other] = [await addLead('a@x.example'), await addLead('b@x.example')];
    const id = await draft([one, other], order);
    await start(id);
    const claimedBy = randomUUID();
    const messages = await claim(id, claimedBy);
    const message = messages.find(({ leadId }) => leadId === other)!;
    const { sendId, recipient } = message;
    const letter = { fromName: 'Ann', to: recipient.email!, subject: 'Hi', text: 'Hello' };
    const texts = [{ sendId, ...letter, references: [], at: users.clock.at }];
    expect(await beginMessages(db(), claimedBy, texts)).toEqual(new Set([sendId]));
    await change(other, 'a@x.example');
    return { id, other, message, claimedBy };
  }

  const ended = async (
    { id, message, claimedBy }: Awaited<ReturnType<typeof leftOut>>,
    state: 'sent' | 'last' | 'back',
  ) => {
    const { leadId, mailboxId, variant, messageId, sendId } = message;
    const ids = { sendId, leadId, mailboxId, step: 0, variant, messageId };
    const recipient = {
      sent: { status: 'in_progress', step: 1, dueAt: days(3), holdReason: null },
      last: { status: 'completed', step: 1, dueAt: null, holdReason: null },
      back: { status: 'queued', step: 0, dueAt: users.clock.at, holdReason: null },
    }[state];
    const result = {
      state: state === 'last' ? 'sent' : state,
      reply: '',
      subject: 'Hi',
      hasBounced: false,
      at: users.clock.at,
    };
    const end = { ...ids, ...result, recipient } as never;
    const session = { campaignId: id, userId: ann.userId, claimedBy };
    await db()
      .transaction()
      .execute((trx) => writeDeliveryResults(trx, session, [end]));
  };
  const twin = { status: 'skipped', holdReason: 'duplicate_address' };

  it('gets the follow-up, when it is due, where it has its own address again', async () => {
    const left = await leftOut();
    const { id, other } = left;
    expect(await read(id, other)).toMatchObject(twin);
    await ended(left, 'sent');
    expect(await read(id, other)).toMatchObject({ ...twin, step: 1, nextSendAt: null });
    await change(other, 'b@x.example');
    const next = { status: 'in_progress', step: 1, nextSendAt: days(3).toISOString() };
    expect(await read(id, other)).toMatchObject(next);
    users.clock.at = days(4);
    expect((await claimed(id)).filter(([leadId]) => leadId === other)).toEqual([
      [other, 1, 'b@x.example'],
    ]);
  });

  it('gets the first message at an address that none of them had', async () => {
    const left = await leftOut();
    const { id, other } = left;
    await ended(left, 'sent');
    await change(other, NEW);
    expect(await claimed(id)).toEqual([[other, 0, NEW]]);
  });

  it('is written to at once where the message comes back, and its own address with it', async () => {
    const left = await leftOut();
    const { id, other } = left;
    await ended(left, 'back');
    expect(await read(id, other)).toMatchObject({ ...twin, step: 0 });
    await change(other, 'b@x.example');
    expect(await claimed(id)).toEqual([[other, 0, 'b@x.example']]);
  });

  it('is done where that was the last message', async () => {
    const left = await leftOut({ maxFollowups: 0 });
    const { id, other } = left;
    await ended(left, 'last');
    await change(other, 'b@x.example');
    expect(await claimed(id)).toEqual([]);
    expect(await read(id, other)).toMatchObject({ status: 'completed' });
  });
});

describe('onlyNeverContacted', () => {
  const only = { onlyNeverContacted: true };

  it('knows a lead that was written to at another address', async () => {
    const { leadId } = await written();
    await change(leadId, NEW);
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...only });
    expect(await name(id, leadId)).toMatchObject({
      added: 0,
      skippedReasons: { contacted_before: 1 },
    });
  });

  it('also where a campaign began anew at the new address', async () => {
    const { leadId, sendId } = await written();
    const bounce = { kind: 'bounced', at: users.clock.at } as const;
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, sendId, bounce));
    await change(leadId, NEW);
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...only });
    expect((await name(id, leadId)).skippedReasons).toEqual({ contacted_before: 1 });
  });

  it('at the first message, too: written to since they were added, and corrected', async () => {
    const leadId = await addLead(OLD);
    const [one, two] = [await draft([leadId]), await draft([leadId], only)];
    await start(one);
    await start(two);
    await sent((await claim(one))[0]!.sendId);
    await change(leadId, NEW);
    expect((await ann.ok('GET', `/v1/campaigns/${two}/preflight`)).contactedBefore).toBe(1);
    expect(await claim(two)).toEqual([]);
    expect(await read(two, leadId)).toMatchObject({
      status: 'skipped',
      holdReason: 'contacted_before',
    });
  });

  it('its own messages to the lead at another address are none of those', async () => {
    const leadId = await addLead(OLD);
    const id = await draft([leadId], only);
    await start(id);
    const [message] = await claim(id);
    await sent(message!.sendId);
    await expire(message!.sendId);
    await change(leadId, NEW);
    await ann.ok('POST', `${pathOf(id, leadId)}/resume`);
    expect(await claimed(id)).toEqual([[leadId, 0, NEW]]);
  });
});

describe('a lead that is held back for its address, in a thread', () => {
  it('goes on at another one, and its campaign is told', async () => {
    const { campaignId, leadId } = await written('info@old.example');
    await ann.ok('PATCH', `/v1/campaigns/${campaignId}`, { riskyAddresses: { role: 'hold' } });
    users.clock.at = days(4);
    expect(await claim(campaignId)).toEqual([]);
    expect(await read(campaignId, leadId)).toMatchObject({ holdReason: 'role_address' });
    users.signals.length = 0;
    await change(leadId, NEW);
    expect(users.signals).toEqual([`campaign/${campaignId} leadsAdded`]);
    expect(await claimed(campaignId)).toEqual([[leadId, 1, NEW]]);
  });
});

describe('a person who was written to at an address that they had before', () => {
  it.each(['unsubscribed', 'complained', 'replied'] as const)(
    'gets no follow-up at the next one: %s',
    async (kind) => {
      const { campaignId, leadId, sendId } = await written();
      const twin = await addLead('twin@x.example');
      await name(campaignId, twin);
      // Left out as a duplicate, then begun anew.
      await change(leadId, 'twin@x.example');
      await change(leadId, NEW);
      const messages = await claim(campaignId);
      const again = messages.find((message) => message.leadId === leadId)!;
      expect(again).toMatchObject({ step: { position: 0 }, recipient: { email: NEW } });
      await sent(again.sendId);
      await db()
        .transaction()
        .execute((trx) => recordSendOutcome(trx, sendId, { kind, at: users.clock.at }));
      const status = kind === 'replied' ? 'replied' : 'unsubscribed';
      expect(await read(campaignId, leadId)).toMatchObject({ status, nextSendAt: null });
      const lead = await ann.ok('GET', `/v1/leads/${leadId}`);
      expect(lead.status).toBe(kind === 'replied' ? 'replied' : 'active');
      users.clock.at = days(8);
      expect((await claimed(campaignId)).filter(([id]) => id === leadId)).toEqual([]);
    },
  );

  it('stays ended after they answered, also where the next address bounces and is corrected', async () => {
    const { campaignId, leadId, sendId } = await written();
    const twin = await addLead('twin@x.example');
    await name(campaignId, twin);
    await change(leadId, 'twin@x.example');
    await change(leadId, NEW);
    const again = (await claim(campaignId)).find((message) => message.leadId === leadId)!;
    await sent(again.sendId);
    for (const [id, kind] of [
      [sendId, 'replied'],
      [again.sendId, 'bounced'],
    ] as const) {
      await db()
        .transaction()
        .execute((trx) => recordSendOutcome(trx, id, { kind, at: users.clock.at }));
    }
    await change(leadId, 'third@x.example');
    users.clock.at = days(8);
    expect((await claimed(campaignId)).filter(([id]) => id === leadId)).toEqual([]);
  });

  it('stays ended where they were removed before they answered, and are put back', async () => {
    const { campaignId, leadId, sendId } = await written();
    const twin = await addLead('twin@x.example');
    await name(campaignId, twin);
    await change(leadId, 'twin@x.example');
    await change(leadId, NEW);
    await ann.ok('DELETE', pathOf(campaignId, leadId));
    const answer = { kind: 'replied', at: users.clock.at } as const;
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, sendId, answer));
    await name(campaignId, leadId);
    expect(await read(campaignId, leadId)).toMatchObject({ status: 'replied', nextSendAt: null });
  });
});

describe('a lead that is back at an address for which a follow-up was put off', () => {
  it('gets both messages there, each with an id of its own', async () => {
    const bounced = (sendId: number) =>
      db()
        .transaction()
        .execute((trx) => recordSendOutcome(trx, sendId, { kind: 'bounced', at: users.clock.at }));
    const { campaignId, leadId, sendId } = await written();
    await change(leadId, NEW);
    users.clock.at = days(4);
    const [putOff] = await claim(campaignId);
    expect(putOff).toMatchObject({ step: { position: 1 }, recipient: { email: NEW } });
    await db()
      .updateTable('sends')
      .set({ state: 'deferred' })
      .where('id', '=', putOff!.sendId)
      .execute();
    await bounced(sendId);
    await change(leadId, 'third@x.example');
    const [third] = await claim(campaignId);
    expect(third).toMatchObject({ step: { position: 0 }, recipient: { email: 'third@x.example' } });
    await sent(third!.sendId);
    await bounced(third!.sendId);
    await change(leadId, NEW);
    const [first] = await claim(campaignId);
    expect(first).toMatchObject({ step: { position: 0 }, recipient: { email: NEW } });
    await sent(first!.sendId);
    users.clock.at = days(9);
    const [second] = await claim(campaignId);
    expect(second).toMatchObject({ step: { position: 1 }, recipient: { email: NEW } });
    expect(second!.messageId).not.toBe(putOff!.messageId);
    // The same one where it is put off in turn.
    await db()
      .updateTable('sends')
      .set({ state: 'deferred' })
      .where('id', '=', second!.sendId)
      .execute();
    await db()
      .updateTable('recipients')
      .set({ due_at: users.clock.at })
      .where('lead_id', '=', leadId)
      .execute();
    const [repeated] = await claim(campaignId);
    expect(repeated).toMatchObject({ sendId: second!.sendId, messageId: second!.messageId });
  });
});
