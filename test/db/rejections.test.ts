/** Messages refused as spam or by a policy: who is written to no more, and what is paused for it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readStats } from '../../src/db/campaigns/campaign-stats.ts';
import { listPausedMailboxes, pauseWhatIsRejected } from '../../src/db/sending/rejections.ts';
import { keepProviders } from '../../src/db/sending/recipient-providers.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

const now = new Date();
const hours = (n: number) => new Date(now.getTime() + n * 3_600_000);
const settings = () => world.tools({}, { SEND_REJECTION_MIN_SENDS: 10 }).config;
const WORDS = '550 5.7.350 Remote server returned message detected as spam';

const boxes = (count: number, domain?: string) => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count, ...(domain && { domain }) });
};

/** Messages that were sent from the mailboxes in turns; answers their ids. */
async function sent(mailboxIds: readonly number[], count: number, domain = 'client.test') {
  const { campaignId, leadIds } = await addCampaign(world.database.db, userId, {
    leads: count,
    mailboxIds: [...mailboxIds],
  });
  const { rows } = await sql<{ id: number }>`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
      message_id, state, claimed_by, claimed_at, sent_at)
    select ${userId}, ${campaignId}, lead_id, 0,
      (${[...mailboxIds]}::bigint[])[1 + (n - 1) % ${mailboxIds.length}], ${domain},
      '<' || gen_random_uuid() || '@x.test>', 'sent', ${randomUUID()}, ${hours(-2)}, ${hours(-2)}
    from unnest(${leadIds}::bigint[]) with ordinality as lead (lead_id, n)
    returning id`.execute(world.database.db);
  return { campaignId, sendIds: rows.map(({ id }) => id) };
}

const reject = (sendId: number, at = now) =>
  world.database.db.transaction().execute(async (trx) => {
    await recordSendOutcome(trx, sendId, { kind: 'rejected', at, words: WORDS });
    await pauseWhatIsRejected(trx, settings(), { sendIds: [sendId], now: at });
  });

const claim = (campaignId: number, at: Date) =>
  world.database.db.transaction().execute((trx) =>
    claimMessages(trx, settings(), {
      campaignId,
      claimedBy: randomUUID(),
      now: at,
      most: 10,
      chance: () => 0.5,
    }),
  );

const failing = async (ids: readonly number[]) => {
  const rows = await world.database.db
    .selectFrom('mailboxes')
    .select('failing_reason')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
  return rows.map(({ failing_reason: reason }) => reason);
};

const pauses = async () => {
  const rows = await world.database.db
    .selectFrom('events')
    .select('payload')
    .where('user_id', '=', userId)
    .where('type', '=', 'sending.paused')
    .orderBy('id')
    .execute();
  return rows.map(({ payload }) => payload as { scope: string; subject: string; words: string });
};

describe('a rejected message', () => {
  it('ends the sequence of its recipient, and leaves the address alone', async () => {
    const mailboxIds = await boxes(1);
    const { campaignId, sendIds } = await sent(mailboxIds, 1);
    await reject(sendIds[0]!);
    const { db } = world.database;
    const recipient = await db
      .selectFrom('recipients')
      .select(['status', 'hold_reason', 'due_at'])
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
    expect(recipient).toEqual({ status: 'failed', hold_reason: 'policy_rejection', due_at: null });
    const list = await db.selectFrom('suppressions').where('user_id', '=', userId).execute();
    expect(list).toEqual([]);
    expect(await failing(mailboxIds)).toEqual([null]);
    const stats = (await readStats(db, [campaignId])).get(campaignId);
    expect(stats).toMatchObject({ rejected: 1, bounced: 0 });
    await reject(sendIds[0]!);
    expect((await readStats(db, [campaignId])).get(campaignId)).toEqual(stats);
  });

  it('is one of many: nothing is paused below the share, or below three', async () => {
    const mailboxIds = await boxes(1);
    const few = await sent(mailboxIds, 12);
    for (const id of few.sendIds.slice(0, 2)) await reject(id);
    await sent(mailboxIds, 60);
    await reject(few.sendIds[2]!);
    expect(await failing(mailboxIds)).toEqual([null]);
    expect(await pauses()).toEqual([]);
  });

  it('pauses mailbox, domain and server past the share, once, with the words', async () => {
    const mailboxIds = await boxes(2);
    const stranger = await boxes(1);
    const { sendIds } = await sent(mailboxIds, 20);
    for (const id of sendIds.slice(0, 5)) await reject(id);
    expect(await failing([...mailboxIds, ...stranger])).toEqual([
      'policy_rejections',
      'policy_rejections',
      null,
    ]);
    const told = await pauses();
    expect(told.map(({ scope }) => scope).toSorted()).toEqual([
      'domain',
      'mailbox',
      'provider',
      'server',
    ]);
    expect(told[0]).toMatchObject({ letters: 20, rejected: 3, words: WORDS });
  });

  it('marks and tells of no mailbox that is gone, whose messages count', async () => {
    const { db } = world.database;
    const mailboxIds = await boxes(3);
    const { sendIds } = await sent(mailboxIds, 20);
    const [gone, going, left] = mailboxIds;
    await db.updateTable('mailboxes').set({ status: 'deleted' }).where('id', '=', gone!).execute();
    await db
      .updateTable('mailboxes')
      .set({ status: 'deleting' })
      .where('id', '=', going!)
      .execute();
    // Those of the two that are gone, and one more.
    for (const id of sendIds.slice(0, 3)) await reject(id);
    expect(await failing(mailboxIds)).toEqual([null, null, 'policy_rejections']);
    const told = await db
      .selectFrom('events')
      .select('resource')
      .where('user_id', '=', userId)
      .where('type', '=', 'mailbox.health_changed')
      .execute();
    expect(told).toEqual([{ resource: `mailbox/${left}` }]);
    expect(await pauses()).toContainEqual(
      expect.objectContaining({ scope: 'domain', rejected: 3 }),
    );
  });

  it.each(['mailbox', 'domain', 'server'] as const)(
    'of a %s holds a mailbox that was out for another reason when it began, and is mended',
    async (scope) => {
      const { db } = world.database;
      const [mailboxId] = await boxes(1);
      const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds: [mailboxId!] });
      const { id, domain, server } = await db
        .selectFrom('mailboxes')
        .innerJoin('clusters', 'clusters.id', 'mailboxes.cluster_id')
        .innerJoin('domains', 'domains.id', 'clusters.domain_id')
        .select(['mailboxes.id', 'domains.name as domain', 'clusters.server_id as server'])
        .where('mailboxes.id', '=', mailboxId!)
        .executeTakeFirstOrThrow();
      const subject = String({ mailbox: id, domain, server }[scope]);
      const told = { letters: 20, rejected: 3, words: WORDS };
      await db
        .insertInto('sending_pauses')
        .values({ user_id: userId, scope, subject, ...told, since: now, until: hours(24) })
        .execute();
      expect(await listPausedMailboxes(db, [mailboxId!], hours(23))).toEqual([mailboxId]);
      expect(await listPausedMailboxes(db, [mailboxId!], hours(24))).toEqual([]);
      const held = await claim(campaignId, hours(23));
      expect(held).toMatchObject({ messages: [], nextAt: hours(24) });
      expect((await claim(campaignId, hours(24))).messages).toHaveLength(1);
    },
  );

  it('counts no message from before a pause again when that is over', async () => {
    const mailboxIds = await boxes(1);
    const { sendIds } = await sent(mailboxIds, 20);
    for (const id of sendIds.slice(0, 3)) await reject(id);
    const before = (await pauses()).length;
    await reject(sendIds[3]!, hours(25));
    expect(await pauses()).toHaveLength(before);
  });
});

describe('a provider behind domains of its own customers', () => {
  it('is one with them where their mail exchangers are known', async () => {
    const { db } = world.database;
    const mark = randomUUID().slice(0, 8);
    const [acme, beta, gamma] = ['acme', 'beta', 'gamma'].map((name) => `${name}-${mark}.test`);
    const seen = new Map([
      [acme!, 'microsoft'],
      [beta!, 'microsoft'],
    ]);
    await keepProviders(db, seen, now);
    await keepProviders(db, seen, now);
    // One refusal at each: three of a provider, from mailboxes and servers of their own.
    for (const domain of [acme!, beta!, 'outlook.com']) {
      const { sendIds } = await sent(await boxes(1), 4, domain);
      await reject(sendIds[0]!);
    }
    const told = await pauses();
    expect(told).toMatchObject([{ scope: 'provider', subject: 'microsoft', rejected: 3 }]);
    const fresh = await boxes(1);
    const domains = [beta!, 'hotmail.de', gamma!];
    const { campaignId, leadIds } = await addCampaign(db, userId, {
      leads: 3,
      mailboxIds: fresh,
      domainOf: (n) => domains[n]!,
    });
    const request = { campaignId, claimedBy: randomUUID(), now, most: 9 };
    const { messages } = await db
      .transaction()
      .execute((trx) => claimMessages(trx, settings(), request));
    expect(messages.map(({ leadId }) => leadId)).toEqual([leadIds[2]]);
  });
});

describe('a provider that refuses too many', () => {
  it('gets no messages of the account until its pause is over; others do', async () => {
    const mailboxIds = await boxes(1);
    const { sendIds } = await sent(mailboxIds, 20, 'outlook.com');
    for (const id of sendIds.slice(0, 3)) await reject(id);
    const fresh = await boxes(1);
    const domains = ['hotmail.de', 'elsewhere.test'];
    const { campaignId, leadIds } = await addCampaign(world.database.db, userId, {
      leads: 2,
      mailboxIds: fresh,
      domainOf: (n) => domains[n]!,
    });
    const claim = async (at: Date) => {
      const { messages } = await world.database.db
        .transaction()
        .execute((trx) =>
          claimMessages(trx, settings(), { campaignId, claimedBy: randomUUID(), now: at, most: 9 }),
        );
      return messages.map(({ leadId }) => leadId);
    };
    expect(await claim(now)).toEqual([leadIds[1]]);
    const held = await world.database.db
      .selectFrom('recipients')
      .select(['hold_reason', 'due_at'])
      .where('campaign_id', '=', campaignId)
      .where('lead_id', '=', leadIds[0]!)
      .executeTakeFirstOrThrow();
    expect(held).toEqual({ hold_reason: 'provider_rejects', due_at: hours(24) });
    expect(await claim(hours(24.5))).toEqual([leadIds[0]]);
  });
});
