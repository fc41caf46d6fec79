/** Whole rounds against a submission host: what arrives, what the rows say, what is never repeated. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { changeCampaign } from '../../src/services/campaigns/campaign-changes.ts';
import { renderTestMessage } from '../../src/transactions/placement/test-message.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { SMTP_STEPS, type SmtpStep } from '../support/mail/smtp-script.ts';

let world: SessionWorld;
let userId: string;
let mailboxIds: number[];
beforeAll(async () => {
  world = await startSessionWorld(['one.test', 'two.test', 'bad.test']);
  userId = await addSender(world.database.db);
  mailboxIds = [...(await boxes('one.test', 2)), ...(await boxes('two.test', 1))];
});
afterAll(() => world.close());
beforeEach(async () => {
  world.smtp.taken.length = 0;
  world.smtp.twist = () => undefined;
  await world.database.db
    .updateTable('mailboxes')
    .set({ next_send_at: null, failing_reason: null })
    .execute();
});

const boxes = (domain: string, count: number) => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count, domain });
};

const newCampaign = (options: Partial<Parameters<typeof addCampaign>[2]> = {}) =>
  addCampaign(world.database.db, userId, { leads: 6, mailboxIds, ...options });

const recipientsOf = (campaignId: number) =>
  world.database.db
    .selectFrom('recipients')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .orderBy('lead_id')
    .execute();

const sendsOf = (campaignId: number) =>
  world.database.db
    .selectFrom('sends')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .orderBy('lead_id')
    .orderBy('step')
    .execute();

const campaignOf = (campaignId: number) =>
  world.database.db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();

async function countersOf(campaignId: number) {
  const rows = await world.database.db
    .selectFrom('campaign_counters')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .execute();
  const sum = (name: 'sent' | 'failed' | 'bounced' | 'uncertain') =>
    rows.reduce((total, row) => total + row[name], 0);
  return {
    sent: sum('sent'),
    failed: sum('failed'),
    bounced: sum('bounced'),
    uncertain: sum('uncertain'),
  };
}

const count = <T>(items: readonly T[]) => {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return Object.fromEntries(counts) as Record<string, number>;
};

const statusesOf = async (campaignId: number) =>
  count((await recipientsOf(campaignId)).map(({ status }) => status));

describe('a round', () => {
  it('sends one message to each recipient from all mailboxes and completes the campaign', async () => {
    const { campaignId, leadIds } = await newCampaign({ leads: 30 });
    expect(await world.run(campaignId)).toMatchObject({ state: 'active', isDone: true });
    expect(new Set(world.smtp.taken.map(({ to }) => to)).size).toBe(30);
    expect(world.smtp.taken).toHaveLength(30);
    expect(new Set(world.smtp.taken.map(({ user }) => user)).size).toBe(3);
    expect(await statusesOf(campaignId)).toEqual({ completed: 30 });
    expect(await countersOf(campaignId)).toMatchObject({ sent: 30, failed: 0 });
    expect((await campaignOf(campaignId)).status).toBe('completed');
    const events = await world.database.db
      .selectFrom('events')
      .select(['type', 'resource'])
      .where('user_id', '=', userId)
      .execute();
    expect(events.filter(({ type }) => type === 'email.sent')).toHaveLength(30);
    expect(events).toContainEqual({
      type: 'campaign.completed',
      resource: `campaign/${campaignId}`,
    });
    const lead = await world.database.db
      .selectFrom('leads')
      .select('status')
      .where('id', '=', leadIds[0]!)
      .executeTakeFirst();
    expect(lead?.status).toBe('completed');
  });

  it('sends no message of which nothing is left, and says so', async () => {
    const { campaignId, leadIds } = await newCampaign({ leads: 2 });
    const { db } = world.database;
    await db
      .updateTable('campaign_steps')
      .set({ subject_template: 'Hello', body_template: '{{role}}' })
      .where('campaign_id', '=', campaignId)
      .execute();
    await db.updateTable('leads').set({ role: 'Owner' }).where('id', '=', leadIds[1]!).execute();
    expect(await world.run(campaignId)).toMatchObject({ isDone: true });
    expect(world.smtp.taken).toHaveLength(1);
    expect(await recipientsOf(campaignId)).toMatchObject([
      { lead_id: leadIds[0], status: 'failed', hold_reason: 'template_empty' },
      { lead_id: leadIds[1], status: 'completed', hold_reason: null },
    ]);
  });

  it('a follow-up goes from the same mailbox in the same thread', async () => {
    const { campaignId } = await newCampaign({ leads: 3, followups: 1, delayDays: 1 });
    // A day of sending lasts a second.
    await world.run(campaignId, { DAY_SECONDS: 1 });
    expect(world.smtp.taken).toHaveLength(6);
    const sends = await sendsOf(campaignId);
    for (const first of sends.filter(({ step }) => step === 0)) {
      const second = sends.find((one) => one.lead_id === first.lead_id && one.step === 1)!;
      expect(second.mailbox_id).toBe(first.mailbox_id);
      const message = world.smtp.taken.find(({ raw }) => raw.includes(second.message_id))!;
      expect(message.raw).toContain(`In-Reply-To: ${first.message_id}`);
      expect(message.raw).toContain(`References: ${first.message_id}`);
      expect(second.subject).toBe(`Re: ${first.subject}`);
      expect(second.sent_at!.getTime() - first.sent_at!.getTime()).toBeGreaterThanOrEqual(1_000);
    }
    expect(await statusesOf(campaignId)).toEqual({ completed: 3 });
  });

  it('a follow-up with a subject of its own begins a thread, in which the next one goes on', async () => {
    const { campaignId } = await newCampaign({ leads: 1, followups: 2, delayDays: 1 });
    await world.database.db
      .insertInto('campaign_steps')
      .values({
        campaign_id: campaignId,
        position: 1,
        delay_days: 1,
        subject_template: 'Another matter',
        body_template: 'Something else.',
        variants: '[]',
      })
      .onConflict((conflict) =>
        conflict
          .columns(['campaign_id', 'position'])
          .doUpdateSet({ subject_template: 'Another matter', body_template: 'Something else.' }),
      )
      .execute();
    await world.run(campaignId, { DAY_SECONDS: 1 });
    const sends = (await sendsOf(campaignId)).toSorted((a, b) => a.step - b.step);
    const rawOf = (step: number) =>
      world.smtp.taken.find(({ raw }) => raw.includes(`Message-ID: ${sends[step]!.message_id}`))!
        .raw;
    expect(sends[1]!.subject).toBe('Another matter');
    expect(rawOf(1)).not.toMatch(/^(In-Reply-To|References):/im);
    expect(sends[2]!.subject).toBe('Re: Another matter');
    expect(rawOf(2)).toContain(`References: ${sends[1]!.message_id}\r\n`);
    const texts = await world.database.db.selectFrom('send_texts').selectAll().execute();
    const kept = (step: number) => texts.find(({ send_id: id }) => id === sends[step]!.id)!;
    expect([kept(1).reference_ids, kept(2).reference_ids]).toEqual([[], [sends[1]!.message_id]]);
  });

  it('each message has its own return address, and says how to unsubscribe. RFC 8058', async () => {
    const { campaignId } = await newCampaign({ leads: 1, mailboxIds: mailboxIds.slice(0, 1) });
    await world.run(campaignId);
    const [message] = world.smtp.taken;
    const [send] = await sendsOf(campaignId);
    expect(message!.from).toMatch(new RegExp(`^m1\\+b${send!.id}-[0-9a-v]{8}@one\\.test$`));
    expect(message!.raw).toMatch(/^From: Ann Example <m1@one\.test>\r$/m);
    expect(message!.raw).toMatch(/^List-Unsubscribe:\s+<https:\/\/outreach\.test\/u\//m);
    expect(message!.raw).toMatch(/^ <mailto:m1@one\.test\?subject=unsubscribe%20[\w-]{31}>\r$/m);
    expect(message!.raw).toContain(`Message-ID: ${send!.message_id}`);
    expect(send!.message_id).toMatch(/@one\.test>$/);
  });

  it('has its links on the client’s domain while the installation serves it. Choice 131', async () => {
    const { db } = world.database;
    const { recipientLinks } = world.tools();
    const mailbox = { id: mailboxIds[0]!, email: 'm1@one.test' };
    const certificate_expires_at = new Date(Date.now() + 86_400_000);
    const { id: tracking_domain_id } = await db
      .insertInto('tracking_domains')
      .values({ user_id: userId, name: 'go.ann.test', dns_token: 'a1b2', status: 'active' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('tracking_domains').set({ certificate_expires_at }).execute();
    const hosts = [
      ['links.outreach.test', 'go.ann.test'],
      // Its last look has shown that it works, and nobody listens any more.
      [undefined, 'outreach.test'],
    ] as const;
    for (const [LINKS_HOST, host] of hosts) {
      const { campaignId } = await newCampaign({ leads: 1, mailboxIds: [mailbox.id] });
      await db
        .updateTable('campaigns')
        .set({ tracking_domain_id })
        .where('id', '=', campaignId)
        .execute();
      world.smtp.taken.length = 0;
      const tested = { userId, campaignId, mailbox, step: 0 };
      const asked = { ...tested, variant: undefined, leadId: undefined };
      const linkOf = { recipientLinks, linksHost: LINKS_HOST };
      const { content } = await renderTestMessage(db, asked, linkOf);
      await world.run(campaignId, { LINKS_HOST });
      for (const text of [world.smtp.taken[0]!.raw, content.text]) {
        expect(text).toContain(`https://${host}/u/`);
      }
    }
  });

  it('is from the name of its mailbox, where that has one. Choice 56', async () => {
    const { db } = world.database;
    const [id] = mailboxIds;
    const named = async (sender_name: string | null) =>
      db.updateTable('mailboxes').set({ sender_name }).where('id', '=', id!).execute();
    await named('Bea of "Sales"');
    const { campaignId } = await newCampaign({ leads: 1, mailboxIds: [id!] });
    await world.run(campaignId);
    await named(null);
    expect(world.smtp.taken[0]!.raw).toMatch(/^From: "Bea of \\"Sales\\"" <m1@one\.test>\r$/m);
  });

  it('ends when it is paused meanwhile, and nobody is written to afterwards. Choice 7', async () => {
    const { campaignId } = await newCampaign({ leads: 40 });
    const { mailTransport } = world.tools();
    let paused: Promise<unknown> | undefined;
    const pausing: typeof mailTransport = {
      ...mailTransport,
      async openSubmission(access) {
        const session = await mailTransport.openSubmission(access);
        const send: typeof session.send = async (message, beforeText) => {
          if (world.smtp.taken.length >= 5) {
            paused ??= world.database.db
              .updateTable('campaigns')
              .set({ status: 'paused', updated_at: new Date() })
              .where('id', '=', campaignId)
              .execute();
          }
          // However quick the messages are, none goes out while the pause is on its way.
          await paused;
          return session.send(message, beforeText);
        };
        return { ...session, send };
      },
    };
    const round = await runSendingSession(world.tools({ mailTransport: pausing }), campaignId);
    expect(round).toMatchObject({ state: 'paused' });
    const before = world.smtp.taken.length;
    expect(before).toBeLessThan(40);
    const { sent } = await countersOf(campaignId);
    expect(sent).toBe(before);
    expect((await sendsOf(campaignId)).every(({ state }) => state === 'sent')).toBe(true);
    await world.database.db
      .updateTable('campaigns')
      .set({ status: 'active' })
      .where('id', '=', campaignId)
      .execute();
    await world.run(campaignId);
    expect(count(Object.values(count(world.smtp.taken.map(({ to }) => to))))).toEqual({ 1: 40 });
  });
});

describe('a window that closes while a message waits for its mailbox', () => {
  it.each([
    ['of the campaign', { timezone: 'UTC' }, null],
    [
      'of the recipient',
      { timezone: 'Asia/Tokyo', use_recipient_timezone: true },
      'Africa/Abidjan',
    ],
  ])(
    '%s is closed: the message goes back, and out with the next window',
    async (_whose, of, zone) => {
      const { campaignId } = await newCampaign({ leads: 1 });
      await world.database.db
        .updateTable('campaigns')
        .set({ start_time: '09:00', end_time: '17:00', ...of })
        .where('id', '=', campaignId)
        .execute();
      await world.database.db
        .updateTable('leads')
        .set({ timezone: zone })
        .where('user_id', '=', userId)
        .execute();
      let now = new Date('2026-03-02T16:59:59Z');
      const { mailTransport, ...tools } = world.tools({ clock: { now: () => now } });
      const late: typeof mailTransport = {
        ...mailTransport,
        openSubmission: async (access) => {
          const session = await mailTransport.openSubmission(access);
          now = new Date('2026-03-02T17:00:01Z');
          return session;
        },
      };
      const result = await runSendingSession({ ...tools, mailTransport: late }, campaignId);
      expect(result).toMatchObject({ state: 'active', nextAt: '2026-03-03T09:00:00.000Z' });
      expect(world.smtp.taken).toEqual([]);
      expect(await sendsOf(campaignId)).toEqual([]);
      expect(await recipientsOf(campaignId)).toMatchObject([
        { status: 'queued', mailbox_id: null },
      ]);
    },
  );
});

describe('a campaign whose next message is days away', () => {
  it('looks again after a day: who is proven meanwhile may be due before', async () => {
    const { campaignId } = await newCampaign({ leads: 1, followups: 1, delayDays: 4 });
    const tools = world.tools({}, { DAY_SECONDS: 86_400 });
    const before = Date.now();
    const { nextAt } = await runSendingSession(tools, campaignId);
    const [recipient] = await recipientsOf(campaignId);
    expect(recipient!.due_at!.getTime()).toBeGreaterThan(before + 3 * 86_400_000);
    const restMs = new Date(nextAt!).getTime() - before;
    expect(restMs).toBeGreaterThan(86_000_000);
    expect(restMs).toBeLessThan(90_000_000);
  });
});

describe('a campaign that is changed while a message is under way', () => {
  /** The change is made when the message was taken, and its end is not written yet. */
  async function changedMeanwhile(change: object) {
    const { campaignId } = await newCampaign({ leads: 1, followups: 1, delayDays: 3 });
    const tools = world.tools();
    const mailTransport: typeof tools.mailTransport = {
      ...tools.mailTransport,
      openSubmission: async (access) => {
        const session = await tools.mailTransport.openSubmission(access);
        return {
          ...session,
          send: async (message, beforeText) => {
            const answer = await session.send(message, beforeText);
            await changeCampaign(
              { ...tools, temporal: {} as never },
              { userId, id: campaignId },
              change,
            );
            return answer;
          },
        };
      },
    };
    await runSendingSession({ ...tools, mailTransport }, campaignId);
    return (await recipientsOf(campaignId))[0]!;
  }

  it('ends its recipient when there is no follow-up any more', async () => {
    expect(await changedMeanwhile({ maxFollowups: 0 })).toMatchObject({
      status: 'completed',
      due_at: null,
    });
  });

  it('plans the follow-up by the new delay', async () => {
    const { due_at: dueAt } = await changedMeanwhile({ followupDelayDays: 30 });
    expect(dueAt!.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });
});

describe('a line that drops in a campaign', () => {
  const boundaries = SMTP_STEPS.flatMap((step) => [
    [step, 'before'] as const,
    [step, 'after'] as const,
  ]);

  it.each(boundaries)(
    'at %s, %s the reply, neither repeats nor loses anybody',
    async (step, when) => {
      const { campaignId } = await newCampaign();
      let drops = 0;
      world.smtp.twist = (at) => {
        if (at !== step || drops >= 2) return undefined;
        drops += 1;
        return when;
      };
      expect(await world.run(campaignId, { DAY_SECONDS: 20 })).toMatchObject({ isDone: true });
      const perRecipient = count(world.smtp.taken.map(({ to }) => to));
      expect(Math.max(...Object.values(perRecipient))).toBe(1);
      const { completed = 0, failed = 0, ...others } = await statusesOf(campaignId);
      expect(others).toEqual({});
      expect(completed + failed).toBe(6);
      const unknown = (await recipientsOf(campaignId)).filter(({ status }) => status === 'failed');
      expect(unknown.every(({ hold_reason }) => hold_reason === 'delivery_uncertain')).toBe(true);
      expect(unknown.length).toBeLessThanOrEqual(canBeUnknown(step, when) ? 2 : 0);
      const { sent, uncertain } = await countersOf(campaignId);
      expect({ sent, uncertain }).toEqual({ sent: completed, uncertain: failed });
    },
  );

  const canBeUnknown = (step: SmtpStep, when: string) =>
    (step === 'TEXT' && when === 'before') || (step === 'DATA' && when === 'after');
});

describe('a round that dies', () => {
  it('leaves claims that go back and messages under way that are never sent again', async () => {
    const { campaignId, leadIds } = await newCampaign({ leads: 4 });
    const dead = randomUUID();
    const row = (leadId: number, state: 'claimed' | 'sending') => ({
      user_id: userId,
      campaign_id: campaignId,
      lead_id: leadId,
      step: 0,
      mailbox_id: mailboxIds[0]!,
      recipient_domain: 'client.test',
      message_id: `<${randomUUID()}@one.test>`,
      state,
      claimed_by: dead,
      claimed_at: new Date(),
    });
    await world.database.db
      .insertInto('sends')
      .values([row(leadIds[0]!, 'claimed'), row(leadIds[1]!, 'sending')] as never)
      .execute();
    await world.run(campaignId);
    expect(world.smtp.taken).toHaveLength(3);
    expect(await statusesOf(campaignId)).toEqual({ completed: 3, failed: 1 });
    expect((await recipientsOf(campaignId))[1]!.hold_reason).toBe('delivery_uncertain');
    expect(await countersOf(campaignId)).toMatchObject({ sent: 3, uncertain: 1 });
  });

  it('does not go on with messages that a later attempt has taken back', async () => {
    const { campaignId } = await newCampaign({ leads: 2 });
    const { transport } = world.smtp;
    const stop = new AbortController();
    let asked = 0;
    // Between the claim and the text, another attempt takes over.
    const mailTransport: typeof transport = {
      ...transport,
      async openSubmission(mailbox) {
        await world.database.db
          .updateTable('sends')
          .set({ claimed_by: randomUUID(), state: 'uncertain' })
          .where('campaign_id', '=', campaignId)
          .execute();
        const session = await transport.openSubmission(mailbox);
        const send: typeof session.send = (message, beforeText) =>
          session.send(message, beforeText).finally(() => {
            // Time in which it would go on with them.
            if ((asked += 1) === 1) setTimeout(() => stop.abort(), 1_500);
          });
        return { ...session, send };
      },
    };
    await runSendingSession(world.tools({ signal: stop.signal, mailTransport }), campaignId);
    expect(world.smtp.commands).toContain('DATA');
    expect(world.smtp.taken).toHaveLength(0);
  });
});

describe('a refusal', () => {
  it('of the recipient bounces and suppresses; as spam or of the message only ends it', async () => {
    const { campaignId, leadIds } = await newCampaign({
      leads: 4,
      domainOf: (n) => ['unknown.test', 'spam.test', 'large.test', 'fine.test'][n]!,
    });
    world.smtp.twist = (step, { to }) => {
      if (step === 'RCPT' && to.includes('@unknown')) return { reply: '550 5.1.1 User unknown' };
      if (step === 'TEXT' && to.includes('@spam')) return { reply: '554 5.7.1 Looks like spam' };
      if (step === 'TEXT' && to.includes('@large')) return { reply: '552 5.3.4 Too big' };
      return undefined;
    };
    await world.run(campaignId);
    const [unknown, spam, large, fine] = await recipientsOf(campaignId);
    expect([unknown!.status, fine!.status]).toEqual(['bounced', 'completed']);
    const refused = { status: 'failed', due_at: null };
    expect(spam).toMatchObject({ ...refused, hold_reason: 'policy_rejection' });
    expect(large).toMatchObject({ ...refused, hold_reason: 'delivery_refused' });
    const { rejection } = await world.database.db
      .selectFrom('sends')
      .select('rejection')
      .where('campaign_id', '=', campaignId)
      .where('rejected_at', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(rejection).toBe('554 5.7.1 Looks like spam');
    expect(await countersOf(campaignId)).toEqual({ sent: 1, failed: 3, bounced: 1, uncertain: 0 });
    const suppressed = await world.database.db
      .selectFrom('suppressions')
      .select(['value', 'reason'])
      .where('user_id', '=', userId)
      .where('value', 'like', '%unknown.test')
      .execute();
    expect(suppressed).toMatchObject([{ reason: 'bounce' }]);
    const lead = await world.database.db
      .selectFrom('leads')
      .select('status')
      .where('id', '=', leadIds[0]!)
      .executeTakeFirst();
    expect(lead?.status).toBe('bounced');
  });

  it.each([
    ['1, 5, 15 and 60 minutes', {}, 5],
    ['what is set', { SEND_RETRY_MINUTES: [1, 2] }, 3],
  ])('for now is tried again after %s of sending, then given up', async (_, settings, tries) => {
    const { campaignId } = await newCampaign({ leads: 1 });
    let offered = 0;
    world.smtp.twist = (step) => {
      if (step !== 'RCPT') return undefined;
      offered += 1;
      return { reply: '450 4.2.0 Greylisted' };
    };
    await world.run(campaignId, { DAY_SECONDS: 20, ...settings });
    expect(offered).toBe(tries);
    const [recipient] = await recipientsOf(campaignId);
    expect(recipient).toMatchObject({ status: 'failed', hold_reason: 'delivery_refused' });
    expect((await sendsOf(campaignId))[0]).toMatchObject({ state: 'refused' });
  });
});

describe('a mailbox that fails', () => {
  it('for now, by its own host, rests; no recipient is lost to it, however long it lasts', async () => {
    const { campaignId } = await newCampaign({ leads: 2, mailboxIds: mailboxIds.slice(0, 1) });
    const replies = [
      '451 4.7.1 Service unavailable',
      '421 4.3.2 Going down',
      '452 4.3.1 No space',
      '451 4.3.0 Lookup failure',
      '451 4.7.1 Service unavailable',
      '451 4.7.1 Service unavailable',
      '452 4.3.1 No space',
    ];
    world.smtp.twist = (step) => {
      const reply = step === 'RCPT' ? replies.shift() : undefined;
      return reply === undefined ? undefined : { reply };
    };
    expect(await world.run(campaignId, { DAY_SECONDS: 20 })).toMatchObject({ isDone: true });
    expect(replies).toEqual([]);
    expect(await statusesOf(campaignId)).toEqual({ completed: 2 });
    expect((await sendsOf(campaignId)).map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  it('is taken out; who has had no message is written to from another one', async () => {
    const [bad] = await boxes('bad.test', 1);
    const { campaignId } = await newCampaign({ leads: 8, mailboxIds: [bad!, mailboxIds[0]!] });
    world.smtp.twist = (step, { user }) =>
      step === 'AUTH' && user.endsWith('@bad.test')
        ? { reply: '535 5.7.8 Authentication failed' }
        : undefined;
    await world.run(campaignId);
    expect(await statusesOf(campaignId)).toEqual({ completed: 8 });
    expect(new Set(world.smtp.taken.map(({ user }) => user))).toEqual(new Set(['m1@one.test']));
    const mailbox = await world.database.db
      .selectFrom('mailboxes')
      .select('failing_reason')
      .where('id', '=', bad!)
      .executeTakeFirst();
    expect(mailbox?.failing_reason).toBe('login_refused');
  });

  it('for its domain’s records says so once of the domain and once of each mailbox', async () => {
    const name = `x${randomUUID().slice(0, 6)}.test`;
    const mine = await boxes(name, 2);
    const { db } = world.database;
    const domain = await db
      .updateTable('domains')
      .set({ dkim_selector: 's1' })
      .where('name', '=', name)
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const mailboxId of mine) {
      const { campaignId } = await newCampaign({ leads: 1, mailboxIds: [mailboxId] });
      await world.run(campaignId);
      expect(await campaignOf(campaignId)).toMatchObject({ pause_reason: 'dns_failing' });
    }
    const events = await db
      .selectFrom('events')
      .selectAll()
      .where('user_id', '=', userId)
      .execute();
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of('domain.dns_failing')).toMatchObject([
      { resource: `domain/${domain.id}`, payload: { domain: name, mailboxIds: [mine[0]] } },
    ]);
    const failing = { aspect: 'sending', health: 'failing', reason: 'dns_failing' };
    const told = of('mailbox.health_changed').map(({ payload }) => payload);
    expect(told.filter(({ reason }) => reason === 'dns_failing')).toMatchObject(
      mine.map((mailboxId, n) => ({ ...failing, mailboxId, email: `m${n + 1}@${name}` })),
    );
  });

  it('and is the only one pauses the campaign with the reason. Choice 7', async () => {
    const [bad] = await boxes(`x${randomUUID().slice(0, 6)}.test`, 1);
    const { campaignId } = await newCampaign({ leads: 2, mailboxIds: [bad!] });
    await world.database.db
      .updateTable('mailboxes')
      .set({ failing_reason: 'login_refused' })
      .where('id', '=', bad!)
      .execute();
    expect(await world.run(campaignId)).toMatchObject({ state: 'paused' });
    expect(await campaignOf(campaignId)).toMatchObject({
      status: 'paused',
      pause_reason: 'no_mailbox',
    });
  });
});

describe('a mailbox that was taken off the campaign', () => {
  const removed = (campaignId: number) =>
    world.database.db
      .updateTable('campaign_mailboxes')
      .set({ out_reason: 'removed' })
      .where('campaign_id', '=', campaignId)
      .execute();

  it('and is the last one pauses the campaign while somebody waits for a first message', async () => {
    const { campaignId } = await newCampaign({ leads: 2 });
    await removed(campaignId);
    expect(await world.run(campaignId)).toMatchObject({ state: 'paused' });
    expect(await campaignOf(campaignId)).toMatchObject({
      status: 'paused',
      pause_reason: 'no_mailbox',
    });
    expect(world.smtp.taken).toHaveLength(0);
  });

  it('goes on with its threads, and ends the campaign with them', async () => {
    const { campaignId } = await newCampaign({ leads: 2, mailboxIds: mailboxIds.slice(0, 1) });
    await world.database.db
      .updateTable('recipients')
      .set({ mailbox_id: mailboxIds[0]! })
      .where('campaign_id', '=', campaignId)
      .execute();
    await removed(campaignId);
    expect(await world.run(campaignId)).toMatchObject({ isDone: true });
    expect(world.smtp.taken).toHaveLength(2);
  });
});

describe('a round that waits', () => {
  it('stays for the gap of its mailbox: the next message needs no round of its own', async () => {
    const { campaignId } = await newCampaign({ leads: 1, mailboxIds: mailboxIds.slice(0, 1) });
    await world.database.db
      .updateTable('mailboxes')
      .set({ next_send_at: new Date(Date.now() + 3_700_000) })
      .where('id', '=', mailboxIds[0]!)
      .execute();
    const stop = new AbortController();
    const sleep = () => {
      stop.abort();
      return Promise.resolve();
    };
    const result = await runSendingSession(world.tools({ signal: stop.signal, sleep }), campaignId);
    expect(stop.signal.aborted).toBe(true);
    expect(result).toMatchObject({ isDone: false, nextAt: null });
  });

  it('sees within minutes that its mailbox may send sooner than it was told', async () => {
    const { campaignId } = await newCampaign({ leads: 1, mailboxIds: mailboxIds.slice(0, 1) });
    const setNext = (at: Date | null) =>
      world.database.db
        .updateTable('mailboxes')
        .set({ next_send_at: at })
        .where('id', '=', mailboxIds[0]!)
        .execute();
    const start = Date.now();
    let passed = 0;
    await setNext(new Date(start + 3_700_000));
    const clock = { now: () => new Date(start + passed) };
    const sleep = async (ms: number) => {
      passed += ms;
      await setNext(null);
    };
    expect(await runSendingSession(world.tools({ clock, sleep }), campaignId)).toMatchObject({
      isDone: true,
    });
    expect(world.smtp.taken).toHaveLength(1);
    expect(passed).toBeLessThan(15 * 60_000);
  });
});

describe('health', () => {
  it.each([
    ['bounced', 3, 'bounce_rate'],
    ['complained', 2, 'complaint_rate'],
  ] as const)('%s %i of 60 pauses, and again only when more come', async (kind, n, reason) => {
    const { campaignId } = await newCampaign({
      leads: 1,
      dueAt: new Date(Date.now() + 86_400_000),
    });
    const counters = { sent: 60, [kind]: n };
    await world.database.db
      .insertInto('campaign_counters')
      .values({
        campaign_id: campaignId,
        day: new Date().toISOString().slice(0, 10),
        step: 0,
        variant: 0,
        ...counters,
      })
      .execute();
    expect(await world.run(campaignId)).toMatchObject({ state: 'paused' });
    expect((await campaignOf(campaignId)).pause_reason).toBe(reason);
    await world.database.db
      .updateTable('campaigns')
      .set({ status: 'active', pause_reason: null })
      .where('id', '=', campaignId)
      .execute();
    expect(await world.run(campaignId)).toMatchObject({ state: 'active', isDone: false });
    await world.database.db
      .updateTable('campaign_counters')
      .set({ [kind]: n + 1 })
      .where('campaign_id', '=', campaignId)
      .execute();
    expect(await world.run(campaignId)).toMatchObject({ state: 'paused' });
  });

  it('2 % bounces are a warning, which goes again', async () => {
    const { campaignId } = await newCampaign({
      leads: 1,
      dueAt: new Date(Date.now() + 86_400_000),
    });
    const key = { campaign_id: campaignId, day: new Date().toISOString().slice(0, 10) };
    await world.database.db
      .insertInto('campaign_counters')
      .values({ ...key, step: 0, variant: 0, sent: 100, bounced: 2 })
      .execute();
    expect(await world.run(campaignId)).toMatchObject({ state: 'active' });
    expect((await campaignOf(campaignId)).warning).toMatch(/bounce/);
    await world.database.db
      .updateTable('campaign_counters')
      .set({ sent: 1_000 })
      .where('campaign_id', '=', campaignId)
      .execute();
    await world.run(campaignId);
    expect((await campaignOf(campaignId)).warning).toBeNull();
  });
});
