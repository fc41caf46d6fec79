/** Domains that very many leads have: suppressed and lifted at once, while statuses follow in portions. Choice 144. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { walkDomains } from '../../activities/suppressions/domain-walks.ts';
import type { Config } from '../../src/config.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { beginMessages } from '../../src/db/sending/send-progress.ts';
import { askForWalks, countLeads, walkOn } from '../../src/db/suppressions/domain-walks.ts';
import type { Database } from '../../src/db/tables.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { addSend } from '../support/campaigns/sends.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
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
const LARGE = 1_001;
const listWalks = (of: Kysely<Database>) =>
  of.selectFrom('domain_walks').selectAll().orderBy('id').execute();

/** `p<n>@acme.example` and, every second one, below it; `status` of all. */
async function addLeads(count: number, { domain = 'acme.example', status = 'pending' } = {}) {
  const { rows } = await sql<{ id: number }>`
    insert into leads (user_id, name_key, email, email_key, status, provenance)
    select ${ann.userId}, '', address, address, ${status}, '{}' from generate_series(1, ${count}) as n,
      lateral (select 'p' || n || case when n % 2 = 0 then '@' else '@mail.' end || ${domain} as address) as person
    order by n returning id`.execute(db());
  return rows.map(({ id }) => id);
}

const suppress = (body: object = { domain: 'acme.example' }) =>
  ann.ok('POST', '/v1/suppressions', body);
const lift = (id: number) => ann.ok('DELETE', `/v1/suppressions/${id}`);

/** How many leads have each status. */
async function statuses(): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; leads: number }>`
    select status, count(*)::integer as leads from leads where user_id = ${ann.userId}
    group by 1 order by 1`.execute(db());
  return Object.fromEntries(rows.map(({ status, leads }) => [status, leads]));
}

const transaction = <T>(work: (trx: Transaction<Database>) => Promise<T>) =>
  db().transaction().execute(work);

/** `portions` of each walk, each of so many leads; without: to the end. */
async function walk(portions = Infinity, portion = 300) {
  const mine = (await listWalks(db())).filter(({ user_id: id }) => id === ann.userId);
  for (const each of mine) {
    for (let n = 0; n < portions; n += 1) {
      if (await transaction((trx) => walkOn(trx, each, { now: users.clock.at, portion }))) break;
    }
  }
}

const claim = (campaignId: number, { claimedBy = randomUUID() as string, most = 10 } = {}) =>
  transaction((trx) =>
    claimMessages(trx, config, { campaignId, claimedBy, now: users.clock.at, most }),
  );

/** A started campaign with these leads. */
async function started(leadIds: readonly number[]): Promise<number> {
  const { id } = await ann.campaign({ maxFollowups: 1 }, 0);
  await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  return id as number;
}

const held = async (campaignId: number) =>
  (
    await db()
      .selectFrom('recipients')
      .select(['status', 'hold_reason'])
      .where('campaign_id', '=', campaignId)
      .orderBy('lead_id')
      .execute()
  ).map(({ status, hold_reason: reason }) => `${status} ${reason}`);

describe('a large domain that is suppressed', () => {
  it('is not written to from then on, though no status says it', async () => {
    const leadIds = await addLeads(LARGE);
    const campaignId = await started(leadIds.slice(0, 2));
    const claimedBy = randomUUID();
    const { messages } = await claim(campaignId, { claimedBy, most: 1 });
    expect(messages).toHaveLength(1);
    const { id, ...added } = await suppress();
    expect(added).toMatchObject({ value: 'acme.example', suppressedLeads: 0, openLeads: null });
    expect(await statuses()).toEqual({ active: 2, pending: LARGE - 2 });
    const texts = messages.map(({ sendId }) => ({
      sendId,
      subject: 'Hello',
      text: 'Hi',
      html: null,
    }));
    expect(await beginMessages(db(), claimedBy, texts as never)).toEqual(new Set());
    users.clock.at = new Date(MONDAY.getTime() + 3_600_000);
    expect((await claim(campaignId)).messages).toEqual([]);
    expect(await held(campaignId)).toContain('skipped suppressed');
    const other = await ann.campaign({}, 0);
    const path = `/v1/campaigns/${other.id}/leads`;
    const enrolled = await ann.ok('POST', path, { leadIds: leadIds.slice(5, 8) });
    expect(enrolled.skippedReasons).toEqual({ suppressed: 3 });
    expect(await statuses()).toEqual({ active: 2, pending: LARGE - 2 });
    const [checked] = await ann.ok('POST', '/v1/suppressions/check', {
      emails: ['p2@acme.example'],
    });
    expect(checked).toMatchObject({ isSuppressed: true, suppressionId: id });
    await walk();
    expect(await statuses()).toEqual({ suppressed: LARGE });
    expect(await ann.ok('GET', `/v1/suppressions/${id}`)).toMatchObject({ openLeads: 0 });
  });

  it('waits for nobody, and its leads for no more than a portion', async () => {
    const leadIds = await addLeads(LARGE);
    await transaction(async (trx) => {
      // Whoever writes one of them, and an import that stores another one.
      await sql`select from leads where id = ${leadIds[7]!} for update`.execute(trx);
      const people = [{ firstName: 'New', lastName: '', email: 'new@acme.example' }];
      const groups = [{ company: null, people }];
      await importGroups(trx, { userId: ann.userId, leadListId: null, source: null, groups });
      await suppress();
    });
    expect(await statuses()).toEqual({ pending: LARGE, suppressed: 1 });
    await walk();
    expect(await statuses()).toEqual({ suppressed: LARGE + 1 });
  });

  it('misses no lead that is stored as its entry commits', async () => {
    await addLeads(LARGE);
    await transaction(async (trx) => {
      const entry = { user_id: ann.userId, kind: 'domain' as const, value: 'acme.example' };
      await trx
        .insertInto('suppressions')
        .values({ ...entry, reason: 'manual', note: null })
        .execute();
      await askForWalks(trx, ann.userId, ['acme.example']);
      const people = [{ firstName: 'New', lastName: 'Lee', email: 'a@acme.example' }];
      await ann.ok('POST', '/v1/leads', { company_name: 'Acme', people });
    });
    expect(await statuses()).toEqual({ pending: LARGE + 1 });
    await walk();
    expect(await statuses()).toEqual({ suppressed: LARGE + 1 });
  });

  it('tells how far it is, and is walked once', async () => {
    await addLeads(LARGE);
    const { id } = await suppress();
    const [mine] = (await listWalks(db())).filter(({ user_id: of }) => of === ann.userId);
    await countLeads(db(), mine!);
    await walk(1, 301);
    expect(await ann.ok('GET', `/v1/suppressions/${id}`)).toMatchObject({ openLeads: LARGE - 301 });
    const [listed] = await ann.ok('GET', '/v1/suppressions');
    expect(listed).toMatchObject({ id, openLeads: LARGE - 301 });
    expect(await statuses()).toEqual({ pending: LARGE - 301, suppressed: 301 });
    const stop = new AbortController();
    const walking = walkDomains(users.api.context, {
      forMs: 60_000,
      signal: stop.signal,
      everyMs: 10,
    });
    await expect.poll(() => listWalks(db()), { timeout: 30_000 }).toEqual([]);
    stop.abort();
    await walking;
    expect(await statuses()).toEqual({ suppressed: LARGE });
    expect(await suppress()).toMatchObject({ id, suppressedLeads: 0, openLeads: 0 });
  });

  it('keeps who unsubscribes or bounces meanwhile, and while it is lifted', async () => {
    const leadIds = await addLeads(LARGE);
    const happens = async (kind: 'unsubscribed' | 'bounced', leadId: number) => {
      const sendId = await addSend(db(), { userId: ann.userId, leadId });
      await transaction((trx) => recordSendOutcome(trx, sendId, { kind, at: MONDAY }));
    };
    // Of those that are walked, and of those that are not.
    const ofBoth = async (kind: 'unsubscribed' | 'bounced') => {
      const { rows } = await sql<{ id: number }>`
        select min(id)::bigint as id from leads where id = any (${leadIds}::bigint[])
          and status in ('pending', 'suppressed') group by status`.execute(db());
      expect(rows).toHaveLength(2);
      for (const { id } of rows) await happens(kind, id);
    };
    const { id } = await suppress();
    await walk(1);
    await ofBoth('unsubscribed');
    await ofBoth('bounced');
    await walk();
    expect(await statuses()).toEqual({ bounced: 2, suppressed: LARGE - 4, unsubscribed: 2 });
    await lift(id);
    await walk(1);
    await ofBoth('unsubscribed');
    await ofBoth('bounced');
    await walk();
    expect(await statuses()).toEqual({ bounced: 4, pending: LARGE - 8, unsubscribed: 4 });
  });

  it('survives a process that dies, and two that do the same', async () => {
    await addLeads(LARGE);
    await suppress();
    const [mine] = (await listWalks(db())).filter(({ user_id: of }) => of === ann.userId);
    const dying = transaction(async (trx) => {
      await walkOn(trx, mine!, { now: MONDAY });
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await statuses()).toEqual({ pending: LARGE });
    await Promise.all([walk(), walk()]);
    expect(await statuses()).toEqual({ suppressed: LARGE });
    expect(await transaction((trx) => walkOn(trx, mine!, { now: MONDAY }))).toBe(true);
  });
});

describe('domains of one request', () => {
  it('are settled at once up to a thousand leads together', async () => {
    await addLeads(1_000);
    expect(await suppress()).toMatchObject({ suppressedLeads: 1_000, openLeads: 0 });
    expect(await statuses()).toEqual({ suppressed: 1_000 });
    const [entry] = await ann.ok('GET', '/v1/suppressions');
    expect(await lift(entry.id)).toEqual({ id: entry.id, liftedLeads: 1_000, openLeads: 0 });
    expect(await statuses()).toEqual({ pending: 1_000 });
  });

  it('are walked where they have more together', async () => {
    await addLeads(10, { domain: 'small.example' });
    await addLeads(LARGE);
    await addLeads(10, { domain: 'later.example' });
    await addLeads(1, { domain: 'one.test' });
    const domains = ['small.example', 'acme.example', 'later.example', 'empty.example'];
    const entries = [{ email: 'p1@mail.one.test' }, ...domains.map((domain) => ({ domain }))];
    const { suppressedLeads, suppressions } = await suppress({ entries });
    expect(suppressedLeads).toBe(11);
    const open = suppressions.map((row: { openLeads: number | null }) => row.openLeads);
    expect(open).toEqual([0, 0, null, null, 0]);
    expect(await statuses()).toEqual({ pending: LARGE + 10, suppressed: 11 });
    await walk();
    expect(await statuses()).toEqual({ suppressed: LARGE + 21 });
  });
});

describe('a large domain that is lifted', () => {
  it('gives back what its leads were, and their places in campaigns', async () => {
    const leadIds = await addLeads(LARGE, { status: 'contacted' });
    const campaignId = await started(leadIds.slice(0, 3));
    const { id } = await suppress();
    await claim(campaignId);
    await walk();
    await claim(campaignId);
    expect(await held(campaignId)).toEqual(Array.from({ length: 3 }, () => 'skipped suppressed'));
    users.signals.length = 0;
    expect(await lift(id)).toEqual({ id, liftedLeads: 0, openLeads: null });
    const isThere = await ann.call('GET', `/v1/suppressions/${id}`);
    expect(isThere.status).toBe(404);
    await walk(1, 400);
    const restored = (await statuses()).contacted;
    expect(restored).toBe(400);
    const [record] = await ann.ok('GET', '/v1/suppressions/lifted');
    expect(record).toMatchObject({ suppressionId: id, liftedLeads: 400 });
    await sql`
      insert into shard_jobs (operation_id, resource_type, resource_id, shard, turn, due_at)
      select id, 'campaign', ${campaignId}, 0, 1, '2031-01-01' from operations
      where resource_type = 'campaign' and resource_id = ${campaignId}`.execute(db());
    await walk();
    const { rows: jobs } = await sql`select from shard_jobs
      where resource_id = ${campaignId} and due_at <= ${users.clock.at}`.execute(db());
    expect(jobs).toHaveLength(1);
    expect(await statuses()).toEqual({ contacted: LARGE });
    expect(await held(campaignId)).toEqual(Array.from({ length: 3 }, () => 'queued null'));
    const [whole] = await ann.ok('GET', '/v1/suppressions/lifted');
    expect(whole).toMatchObject({ suppressionId: id, liftedLeads: LARGE });
  });

  it('before its suppression is done, is as if it had never been', async () => {
    const leadIds = await addLeads(LARGE, { status: 'completed' });
    const campaignId = await started(leadIds.slice(0, 4));
    const { id } = await suppress();
    // Left out by a claim, while their status does not say it.
    await claim(campaignId);
    expect(await held(campaignId)).toContain('skipped suppressed');
    await walk(1);
    await lift(id);
    await walk();
    expect(await statuses()).toEqual({ completed: LARGE });
    expect(await held(campaignId)).toEqual(Array.from({ length: 4 }, () => 'queued null'));
  });

  it('while a portion is under way, is walked from the beginning', async () => {
    await addLeads(LARGE);
    const { id } = await suppress();
    await walk(1);
    const next = await db()
      .selectFrom('leads')
      .select('id')
      .where('user_id', '=', ann.userId)
      .where('status', '=', 'pending')
      .execute();
    let portion: Promise<unknown> | undefined;
    await transaction(async (trx) => {
      await sql`select from leads where id = any (${next.map((lead) => lead.id)}::bigint[])
        order by id for no key update`.execute(trx);
      portion = walk(1);
      await untilWaiting(db());
      await lift(id);
    });
    await portion;
    await walk();
    expect(await statuses()).toEqual({ pending: LARGE });
  });

  it('and suppressed again before that is done, stays suppressed', async () => {
    await addLeads(LARGE);
    const first = await suppress();
    await walk();
    await lift(first.id);
    await walk(1);
    expect(await statuses()).toEqual({ pending: 300, suppressed: LARGE - 300 });
    const again = await suppress();
    expect(again.id).not.toBe(first.id);
    await walk();
    expect(await statuses()).toEqual({ suppressed: LARGE });
    await lift(again.id);
    await walk();
    expect(await statuses()).toEqual({ pending: LARGE });
  });

  it('stays suppressed as far as another entry goes', async () => {
    await addLeads(LARGE);
    const { id } = await suppress();
    await suppress({ domain: 'mail.acme.example' });
    await suppress({ email: 'p2@acme.example' });
    await walk();
    await lift(id);
    await walk();
    expect(await statuses()).toEqual({ pending: 499, suppressed: 502 });
  });

  it('brings back who bounced by its reason alone, once it was the last entry', async () => {
    const leadIds = await addLeads(LARGE);
    const { id } = await suppress({ domain: 'acme.example', reason: 'bounce' });
    await walk();
    const of = db().updateTable('leads').where('id', '=', leadIds[3]!);
    await of.set({ status: 'bounced' }).execute();
    await lift(id);
    await walk();
    expect(await statuses()).toEqual({ pending: LARGE });
  });
});

it('takes up whom a claim leaves out at this moment', async () => {
  const leadIds = await addLeads(LARGE);
  const campaignId = await started(leadIds.slice(0, 2));
  const { id } = await suppress();
  await walk();
  await lift(id);
  const walking = await transaction(async (trx) => {
    // By the statuses of before.
    const wanted = { campaignId, claimedBy: randomUUID(), now: users.clock.at, most: 10 };
    expect((await claimMessages(trx, config, wanted)).messages).toEqual([]);
    const walked = walk();
    await Promise.race([walked, untilWaiting(db())]);
    return { walked };
  });
  await walking.walked;
  expect(await held(campaignId)).toEqual(['queued null', 'queued null']);
});

it('whatever happens at once, statuses say what the list says in the end', async () => {
  const leadIds = await addLeads(LARGE);
  const sends = await Promise.all(
    leadIds.slice(0, 12).map((leadId) => addSend(db(), { userId: ann.userId, leadId })),
  );
  const change = async () => {
    for (let n = 0; n < 3; n += 1) {
      const { id } = await suppress();
      await ann.call('DELETE', `/v1/suppressions/${id}`);
    }
  };
  const happen = async () => {
    for (const [n, sendId] of sends.entries()) {
      const kind = n % 2 === 0 ? ('unsubscribed' as const) : ('bounced' as const);
      await transaction((trx) => recordSendOutcome(trx, sendId, { kind, at: MONDAY }));
    }
  };
  const others = async () => {
    for (let n = 0; n < 4; n += 1) {
      const people = [{ firstName: 'New', lastName: `N${n}`, email: `new${n}@acme.example` }];
      await ann.ok('POST', '/v1/leads', { company_name: `C${n}`, people });
      const { id } = await suppress({ domain: 'mail.acme.example' });
      await walk(1, 200);
      await ann.call('DELETE', `/v1/suppressions/${id}`);
    }
  };
  await Promise.all([change(), happen(), others(), walk(5, 150), walk(5, 100)]);
  await Promise.all([walk(), walk()]);
  const { rows } = await sql`
    select email_key, status from leads where user_id = ${ann.userId}
      and is_suppressed(user_id, email_key) <> (status in ('suppressed', 'unsubscribed', 'bounced'))`.execute(
    db(),
  );
  expect(rows).toEqual([]);
  expect(await statuses()).toEqual({ bounced: 6, pending: LARGE - 8, unsubscribed: 6 });
}, 60_000);
