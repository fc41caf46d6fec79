/**
 * What may be claimed: limits, gaps, turns, recipient domains, suppressions, threads.
 * docs/sending-rules.md#the-claim-checks-everything.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recoverMessages } from '../../src/db/sending/send-progress.ts';
import { readMailboxStandings } from '../../src/services/campaigns/campaign-mailboxes.ts';
import type { Config } from '../../src/config.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

const start = new Date();
const minutes = (n: number) => new Date(start.getTime() + n * 60_000);

const boxes = (count: number) => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count });
};

const claim = (campaignId: number, now: Date, settings: Partial<Config> = {}, most = 100) =>
  world.database.db.transaction().execute((trx) =>
    claimMessages(trx, world.tools({}, settings).config, {
      campaignId,
      claimedBy: randomUUID(),
      now,
      most,
      chance: () => 0.5,
    }),
  );

const dueLater = (campaignId: number, leadIds: number[]) =>
  world.database.db
    .updateTable('recipients')
    .set({ due_at: minutes(7 * 24 * 60) })
    .where('campaign_id', '=', campaignId)
    .where('lead_id', 'in', leadIds)
    .execute();

describe('claimMessages', () => {
  it('one message per mailbox and gap, and says when the next may go', async () => {
    const mailboxIds = await boxes(2);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 9, mailboxIds });
    const gap = { SEND_MIN_GAP_SECONDS: 600 };
    expect((await claim(campaignId, start, gap)).messages).toHaveLength(2);
    const waiting = await claim(campaignId, minutes(1), gap);
    expect(waiting.messages).toHaveLength(0);
    expect(waiting.nextAt).toEqual(minutes(10));
    expect((await claim(campaignId, minutes(10), gap)).messages).toHaveLength(2);
  });

  it.each([
    ['hour', { SEND_MAILBOX_HOURLY_LIMIT: 3 }, 3, 60],
    ['day', { SEND_MAILBOX_DAILY_MAX: 4 }, 4, 24 * 60],
    ['cold day', { SEND_MAILBOX_DAILY_LIMIT: 2 }, 2, 24 * 60],
    ['sending domain', { SEND_DOMAIN_DAILY_LIMIT: 5 }, 5, undefined],
  ] as const)('no more than the limit of a %s', async (_, settings, limit, freeAfter) => {
    const mailboxIds = await boxes(1);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 9, mailboxIds });
    expect((await claim(campaignId, start, settings)).messages).toHaveLength(limit);
    const later = await claim(campaignId, minutes(1), settings);
    expect(later.messages).toHaveLength(0);
    expect(
      freeAfter === undefined || later.nextAt!.getTime() === minutes(freeAfter).getTime(),
    ).toBe(true);
  });

  it('no more than the sending domain’s limit, its warm-up counted in', async () => {
    const mailboxIds = await boxes(2);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 9, mailboxIds });
    const messages = Array.from({ length: 3 }, () => ({
      from_mailbox_id: mailboxIds[1]!,
      to_mailbox_id: null,
      to_address: 'seed@elsewhere.test',
      message_id: `<${randomUUID()}@warm.test>`,
      state: 'sent' as const,
      planned_at: start,
      claimed_at: start,
    }));
    await world.database.db.insertInto('warmup_letters').values(messages).execute();
    const settings = { SEND_DOMAIN_DAILY_LIMIT: 5 };
    expect((await claim(campaignId, minutes(1), settings)).messages).toHaveLength(2);
    const standings = await readMailboxStandings(world.tools({}, settings), campaignId, minutes(2));
    // The oldest of the five is warm-up’s.
    expect(standings[0]!.nextFreeAt).toEqual(minutes(24 * 60));
  });

  it('two messages a day to one recipient domain, free-mail excepted', async () => {
    const mailboxIds = await boxes(1);
    const { campaignId } = await addCampaign(world.database.db, userId, {
      leads: 10,
      mailboxIds,
      domainOf: (n) => (n < 5 ? 'acme.test' : 'gmail.com'),
    });
    const settings = { SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 2 };
    const first = await claim(campaignId, start, settings);
    expect(first.messages.map(({ recipient }) => recipient.email.split('@')[1]).toSorted()).toEqual(
      ['acme.test', 'acme.test', ...Array.from({ length: 5 }, () => 'gmail.com')],
    );
    const held = await world.database.db
      .selectFrom('recipients')
      .select(['due_at', 'hold_reason'])
      .where('campaign_id', '=', campaignId)
      .where('hold_reason', '=', 'recipient_domain_limit')
      .orderBy('due_at')
      .execute();
    // Two of the three come a day later, the third a day after that.
    expect(held.map(({ due_at }) => due_at)).toEqual([
      minutes(1_440),
      minutes(1_440),
      minutes(2_880),
    ]);
  });

  it('one first message to an address, whichever leads have it by now (choice 53)', async () => {
    const mailboxIds = await boxes(1);
    const { db } = world.database;
    const options = { leads: 4, mailboxIds };
    const { campaignId, leadIds } = await addCampaign(db, userId, options);
    const has = (lead: number, email: string) =>
      db
        .insertInto('companies')
        .values({ user_id: userId, name: `Of ${lead}`, name_key: `of ${lead}` })
        .returning('id')
        .executeTakeFirstOrThrow()
        .then(({ id: company_id }) =>
          db
            .updateTable('leads')
            .set({ email, email_key: email, company_id })
            .where('id', '=', leadIds[lead]!)
            .execute(),
        );
    await has(0, 'ann@x.test');
    await has(1, 'ann@x.test');
    const first = await claim(campaignId, start);
    expect(first.messages.map(({ leadId }) => leadId)).toEqual(
      [0, 2, 3].map((lead) => leadIds[lead]),
    );
    const { campaignId: other } = await addCampaign(db, userId, { ...options, leads: leadIds });
    const one = await claim(other, start, {}, 1);
    expect(one.messages.map(({ leadId }) => leadId)).toEqual([leadIds[0]]);
    // Who was written to is gone, and the address is another's.
    await db.deleteFrom('leads').where('id', '=', leadIds[0]!).execute();
    const rest = await claim(other, start);
    expect(rest.messages.map(({ leadId }) => leadId)).toEqual([leadIds[2], leadIds[3]]);
    const { campaignId: third } = await addCampaign(db, userId, {
      ...options,
      leads: leadIds.slice(1),
    });
    // Its message was put off, and it was deleted before the next attempt: nobody has been written to.
    await db
      .insertInto('sends')
      .values({
        user_id: userId,
        campaign_id: third,
        lead_id: leadIds[0]!,
        step: 0,
        variant: 0,
        mailbox_id: mailboxIds[0]!,
        recipient_domain: 'x.test',
        email_key: 'ann@x.test',
        message_id: `<${randomUUID()}@x.test>`,
        state: 'deferred',
        claimed_by: randomUUID(),
        claimed_at: start,
      } as never)
      .execute();
    const renewed = await claim(third, start);
    expect(renewed.messages.map(({ leadId }) => leadId)).toContain(leadIds[1]);
    const held = await db
      .selectFrom('recipients')
      .select(['campaign_id', 'status', 'hold_reason', 'due_at'])
      .where('campaign_id', '<>', third)
      .where('lead_id', '=', leadIds[1]!)
      .orderBy('campaign_id')
      .execute();
    const out = { status: 'skipped', due_at: null };
    expect(held).toEqual([
      { campaign_id: campaignId, hold_reason: 'duplicate_address', ...out },
      { campaign_id: other, hold_reason: 'already_contacted', ...out },
    ]);
  });

  it('nobody who is suppressed, by address or domain, or has no usable address', async () => {
    const mailboxIds = await boxes(1);
    const { campaignId, leadIds } = await addCampaign(world.database.db, userId, {
      leads: 4,
      mailboxIds,
    });
    const { db } = world.database;
    await db
      .insertInto('suppressions')
      .values([
        { user_id: userId, kind: 'domain', value: 'client-0.test', reason: 'manual', note: null },
      ])
      .execute();
    await db
      .updateTable('leads')
      .set({ validation_status: 'invalid' })
      .where('id', '=', leadIds[1]!)
      .execute();
    await db
      .updateTable('leads')
      .set({ status: 'unsubscribed' })
      .where('id', '=', leadIds[2]!)
      .execute();
    const { messages } = await claim(campaignId, start);
    expect(messages.map(({ leadId }) => leadId)).toEqual([leadIds[3]]);
    const recipients = await db
      .selectFrom('recipients')
      .select(['status', 'hold_reason', 'due_at'])
      .where('campaign_id', '=', campaignId)
      .orderBy('lead_id')
      .execute();
    expect(recipients.slice(0, 3)).toEqual([
      { status: 'skipped', hold_reason: 'suppressed', due_at: null },
      { status: 'skipped', hold_reason: 'invalid_email', due_at: null },
      { status: 'unsubscribed', hold_reason: 'suppressed', due_at: null },
    ]);
  });

  it('a small campaign takes turns with a huge one on a shared mailbox', async () => {
    const mailboxIds = await boxes(1);
    const add = (leads: number) => addCampaign(world.database.db, userId, { leads, mailboxIds });
    const huge = (await add(200)).campaignId;
    const small = (await add(5)).campaignId;
    const gap = { SEND_MIN_GAP_SECONDS: 600 };
    const served: string[] = [];
    let now = start.getTime();
    // The huge one always asks first.
    for (let tick = 0; tick < 600 && served.length < 12; tick += 1) {
      for (const [name, id] of [['huge', huge] as const, ['small', small] as const]) {
        const { messages } = await claim(id, new Date(now), gap);
        if (messages.length > 0) served.push(name);
      }
      now += 10_000;
    }
    expect(served.slice(0, 10).filter((name) => name === 'small').length).toBeGreaterThanOrEqual(4);
    expect(served.slice(-2)).toEqual(['huge', 'huge']);
    // Twelve hundred claims.
  }, 180_000);

  it('no mailbox that nobody who is due needs: others may claim from it meanwhile', async () => {
    const { db } = world.database;
    const mailboxIds = await boxes(5);
    const { campaignId, leadIds } = await addCampaign(db, userId, { leads: 3, mailboxIds });
    await dueLater(campaignId, leadIds.slice(1));
    const free = await db.transaction().execute(async (trx) => {
      const settings = world.tools({}, { SEND_MIN_GAP_SECONDS: 600 }).config;
      const request = { campaignId, claimedBy: randomUUID(), now: start, most: 100 };
      const { messages } = await claimMessages(trx, settings, request);
      expect(messages.map(({ mailboxId }) => mailboxId)).toEqual(mailboxIds.slice(0, 1));
      const { rows } = await sql<{ id: number }>`select id from mailboxes
        where id = any (${mailboxIds}::bigint[]) order by id for no key update skip locked`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    });
    expect(free).toEqual(mailboxIds.slice(1));
  });

  it('from those that have messages left, however many before them have not, by a few statements', async () => {
    const { db } = world.database;
    const mailboxIds = await boxes(60);
    const { campaignId, leadIds } = await addCampaign(db, userId, { leads: 60, mailboxIds });
    await dueLater(campaignId, leadIds.slice(59));
    const limits = { SEND_MAILBOX_HOURLY_LIMIT: 1, SEND_MAILBOX_DAILY_LIMIT: 1 };
    expect((await claim(campaignId, start, limits)).messages).toHaveLength(59);
    await db
      .updateTable('recipients')
      .set({ due_at: start })
      .where('lead_id', '=', leadIds[59]!)
      .execute();
    const last = await claim(campaignId, minutes(1), limits);
    expect(last.messages.map(({ mailboxId }) => mailboxId)).toEqual([mailboxIds[59]]);
    const { campaignId: second } = await addCampaign(db, userId, { leads: 1, mailboxIds });
    let statements = 0;
    const counting = db.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const claimed = await counting.transaction().execute((trx) =>
      claimMessages(trx, world.tools({}, limits).config, {
        campaignId: second,
        claimedBy: randomUUID(),
        now: minutes(2),
        most: 100,
      }),
    );
    // The first mailbox is free again first: a day after its message.
    expect(claimed).toMatchObject({ messages: [], nextAt: minutes(24 * 60) });
    expect(statements).toBeLessThan(40);
  });

  it('two rounds at once never claim the same recipient or pass a limit', async () => {
    const mailboxIds = await boxes(3);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 40, mailboxIds });
    const settings = { SEND_MAILBOX_HOURLY_LIMIT: 7 };
    const claims = await Promise.all(
      Array.from({ length: 4 }, () => claim(campaignId, start, settings, 10)),
    );
    const leads = claims.flatMap(({ messages }) => messages.map(({ leadId }) => leadId));
    expect(new Set(leads).size).toBe(leads.length);
    expect(leads.length).toBeLessThanOrEqual(21);
  });

  it('the same message twice in no day of sending, however short', async () => {
    const { db } = world.database;
    const mailboxIds = await boxes(1);
    const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
    const days = { DAY_SECONDS: 1 };
    expect((await claim(campaignId, start, days)).messages).toHaveLength(1);
    // A message may be under way for hundreds of such days: it is asked for again in real time only.
    const soon = await claim(campaignId, minutes(1), days);
    expect([soon.messages.length, soon.nextAt]).toEqual([0, minutes(15)]);
    expect((await claim(campaignId, minutes(15), days)).messages).toHaveLength(0);
    const late = await claim(campaignId, minutes(16), days);
    expect([late.messages.length, late.nextAt]).toEqual([0, minutes(30)]);
    const lost = { campaignId, exceptBy: randomUUID(), now: minutes(17) };
    await db.transaction().execute((trx) => recoverMessages(trx, lost));
    expect((await claim(campaignId, minutes(17), days)).messages).toHaveLength(1);
  });

  it('nothing of a campaign that is paused, or outside of its window', async () => {
    const mailboxIds = await boxes(1);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 1, mailboxIds });
    const hour = (offset: number) =>
      `${String((start.getUTCHours() + offset) % 24).padStart(2, '0')}:00`;
    const change = (to: object) =>
      world.database.db.updateTable('campaigns').set(to).where('id', '=', campaignId).execute();
    await change({ start_time: hour(2), end_time: hour(3) });
    const closed = await claim(campaignId, start);
    expect(closed.messages).toHaveLength(0);
    expect(closed.nextAt!.toISOString().slice(11, 16)).toBe(hour(2));
    await change({ status: 'paused' });
    expect(await claim(campaignId, start)).toMatchObject({ state: 'paused', messages: [] });
  });
});
