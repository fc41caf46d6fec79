/**
 * A big list is gone for everybody at once, and its rows go portion by portion: nobody waits for it,
 * nobody attaches to what is in it, and a worker may die at any point. Choice 4.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listDeletionActivities } from '../../activities/leads/list-deletions.ts';
import { countCompanies } from '../../src/db/leads/companies.ts';
import { listCompanies } from '../../src/db/leads/pages/company-pages.ts';
import { openDatabase } from '../../src/db/database.ts';
import { enrollLeads } from '../../src/db/campaigns/enrollments.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { findUserLeadList, insertLeadList } from '../../src/db/leads/lead-lists.ts';
import { deleteLeadList } from '../../src/transactions/delete-lead-list.ts';
import { allLeads, listLeads } from '../../src/db/leads/pages/lead-pages.ts';
import { findUserLead } from '../../src/db/leads/lead-queries.ts';
import { countLeads } from '../../src/db/leads/lead-totals.ts';
import { lockAccountLeads } from '../../src/db/leads/lead-locks.ts';
import { LIST_PORTION, removeListPortion } from '../../src/db/leads/list-deletions.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { beginMessages } from '../../src/db/sending/send-progress.ts';
import type { Database } from '../../src/db/tables.ts';
import { addSuppressions } from '../../src/services/suppressions/suppressions.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { addSend } from '../support/campaigns/sends.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { CONNECTION_MS } from '../support/database/database.ts';

const BIG = 20_000;
/** Leads of one company; some portions end within one. */
const PER_COMPANY = 300;

let world: SessionWorld;
let db: Kysely<Database>;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld([]);
  db = openDatabase(world.database.url, { poolSize: 8, connectionTimeoutMs: CONNECTION_MS });
});
afterAll(async () => {
  await db.destroy();
  await world.close();
});
beforeEach(async () => void (userId = await addSender(db)));

/** A list with `p<n>@big.test` in companies `Company <n>`; ids of its leads in their order. */
async function bigList(leads: number): Promise<{ listId: number; leadIds: number[] }> {
  const { id: listId } = await insertLeadList(db, { userId, name: 'Big' });
  const { rows } = await sql<{ id: number }>`
    with company as (
      insert into companies (user_id, name, name_key, lead_list_id)
      select ${userId}, 'Company ' || n, 'company ' || n, ${listId}
      from generate_series(0, ${Math.floor((leads - 1) / PER_COMPANY)}::int) as n
      returning id, substr(name, 9)::int as n
    )
    insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key)
    select ${userId}, company.id, 'P' || lead.n, 'Test', 'p' || lead.n || ' test',
      'p' || lead.n || '@big.test', 'p' || lead.n || '@big.test'
    from generate_series(0, ${leads - 1}::int) as lead (n)
    join company on company.n = lead.n / ${PER_COMPANY}
    order by lead.n returning id`.execute(db);
  return { listId, leadIds: rows.map(({ id }) => id) };
}

const remove = (listId: number) =>
  db.transaction().execute((trx) => deleteLeadList(trx, userId, listId));

/** A list that is gone and whose rows are all there. */
async function deletedList(leads = LIST_PORTION + 1) {
  const list = await bigList(leads);
  expect(await remove(list.listId)).toMatchObject({ leads, isRemoving: true });
  return list;
}

const rowsOf = async (table: 'leads' | 'companies' | 'lead_lists') =>
  (
    await db
      .selectFrom(table)
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

const nothing = async () =>
  [await rowsOf('leads'), await rowsOf('companies'), await rowsOf('lead_lists')].every(
    (n) => n === 0,
  );

describe('the rows of a big list', () => {
  it(`go in portions of ${LIST_PORTION}, each short, and the answer counts them all`, async () => {
    const { listId } = await bigList(BIG);
    const companies = Math.ceil(BIG / PER_COMPANY);
    expect(await remove(listId)).toEqual({ companies, leads: BIG, isRemoving: true });
    expect(await rowsOf('leads')).toBe(BIG);
    let left = BIG;
    let portions = 0;
    for (let isDone = false; !isDone; portions += 1) {
      const portion = await removeListPortion(db, listId);
      ({ isDone } = portion);
      const now = await rowsOf('leads');
      expect(left - now).toBeLessThanOrEqual(LIST_PORTION);
      expect(portion).toMatchObject({ total: BIG, removed: BIG - now });
      left = now;
    }
    expect(portions).toBeLessThanOrEqual(BIG / LIST_PORTION + 1);
    expect(await nothing()).toBe(true);
  });

  it('go a few at a time, and leave others as much time as they have taken', async () => {
    const { listId } = await deletedList(2_100);
    const transactions: { from: number; to: number }[] = [];
    const timed = async <T>(work: () => Promise<T>): Promise<T> => {
      const from = performance.now();
      const result = await work();
      transactions.push({ from, to: performance.now() });
      return result;
    };
    const watched = new Proxy(db, {
      get: (target, name) =>
        name === 'transaction'
          ? () => ({
              execute: (work: (trx: Transaction<Database>) => Promise<unknown>) =>
                timed(() => target.transaction().execute(work)),
            })
          : (Reflect.get(target, name) as unknown),
    });
    const removing = listDeletionActivities({ db: watched }, { portionsAtOnce: 3 });
    let ended: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await lockAccountLeads(trx, userId);
      ended = removing.removeListPortions({ leadListId: listId });
      await untilWaiting(db);
      await wait(1_000);
    });
    expect(await ended).toEqual({ isDone: false, progress: '1,500 of 2,100 leads' });
    expect(await rowsOf('leads')).toBe(600);
    // The first portion begins with what hides the list, and that with the wait for the lock.
    const [one, two, three] = transactions.slice(-3);
    const taken = [one!.to - transactions[0]!.from, two!.to - two!.from];
    const left = [two!.from - one!.to, three!.from - two!.to];
    expect(taken[0]).toBeGreaterThan(900);
    // A timer may be a little early.
    for (const [n, ms] of left.entries()) expect(ms).toBeGreaterThan(taken[n]! - 10);
  });

  it('go on where a worker died, and two workers at once do no harm', async () => {
    const { listId } = await deletedList(2_500);
    const few = listDeletionActivities({ db }, { portion: 500, portionsAtOnce: 2 });
    expect(await few.removeListPortions({ leadListId: listId })).toEqual({
      isDone: false,
      progress: '1,000 of 2,500 leads',
    });
    const all = listDeletionActivities({ db }, { portion: 100 });
    const ends = await Promise.all([
      all.removeListPortions({ leadListId: listId }),
      all.removeListPortions({ leadListId: listId }),
    ]);
    expect(ends.some(({ isDone }) => isDone)).toBe(true);
    expect(await nothing()).toBe(true);
    expect(await all.removeListPortions({ leadListId: listId })).toMatchObject({ isDone: true });
  });

  it('that were removed when the transaction was lost are there again for the next', async () => {
    const { listId, leadIds } = await deletedList();
    // Somebody holds one of the leads, so the portion stands still in its middle, and then dies.
    await db.transaction().execute(async (trx) => {
      await sql`select from leads where id = ${leadIds[0]!} for update`.execute(trx);
      const lost = removeListPortion(db, listId, LIST_PORTION + 1);
      lost.catch(() => undefined);
      const [pid] = await untilWaiting(db, 1, 'select from leads where id = any');
      await sql`select pg_terminate_backend(${pid})`.execute(trx);
      await expect(lost).rejects.toThrow(/terminat/);
    });
    expect(await rowsOf('leads')).toBe(LIST_PORTION + 1);
    while (!(await removeListPortion(db, listId)).isDone);
    expect(await nothing()).toBe(true);
  });
});

describe('while a portion is being removed', () => {
  it('recipients in and outside of the list unsubscribe, bounce and are suppressed at once', async () => {
    const { listId, leadIds } = await bigList(LIST_PORTION + 1);
    const { id: otherList } = await insertLeadList(db, { userId, name: 'Other' });
    const people = [{ firstName: 'A', lastName: 'B', email: 'a@else.test' }];
    const groups = [{ company: { name: 'Else' }, people }];
    const into = { userId, leadListId: otherList, source: null, groups };
    const [group] = await importGroups(db, into);
    const elsewhere = group!.people[0]!.leadId!;
    const sends = [
      [await addSend(db, { userId, leadId: leadIds.at(-1)! }), 'unsubscribed'],
      [await addSend(db, { userId, leadId: leadIds.at(-2)! }), 'bounced'],
      [await addSend(db, { userId, leadId: elsewhere }), 'unsubscribed'],
    ] as const;
    await remove(listId);
    const portion = await db.transaction().execute(async (trx) => {
      // The portion has its locks on the account, its recipients and most of its leads.
      await sql`select from leads where id = ${leadIds.at(-1)!} for update`.execute(trx);
      const held = removeListPortion(db, listId, LIST_PORTION + 1);
      await untilWaiting(db, 1, 'select from leads where id = any');
      const longest = { ms: 0 };
      const timed = async (work: Promise<unknown>) => {
        const start = performance.now();
        await work;
        longest.ms = Math.max(longest.ms, performance.now() - start);
      };
      for (const [sendId, kind] of sends) {
        const outcome = { kind, at: new Date() };
        await timed(db.transaction().execute((own) => recordSendOutcome(own, sendId, outcome)));
      }
      const entries = [
        { kind: 'email' as const, value: 'p7@big.test', reason: 'manual' as const, note: null },
        { kind: 'domain' as const, value: 'big.test', reason: 'manual' as const, note: null },
      ];
      await timed(addSuppressions({ db }, userId, entries));
      expect(longest.ms).toBeLessThan(10_000);
      return { held };
    });
    await portion.held;
    while (!(await removeListPortion(db, listId)).isDone);
    const kept = db.selectFrom('suppressions').select('value').where('user_id', '=', userId);
    expect((await kept.orderBy('value').execute()).map(({ value }) => value)).toEqual(
      ['a@else.test', 'big.test', `p${LIST_PORTION - 1}@big.test`, `p${LIST_PORTION}@big.test`]
        .concat('p7@big.test')
        .toSorted(),
    );
    expect(await rowsOf('leads')).toBe(1);
  });
});

describe('what is in a deleted list', () => {
  it('is in no list, page, count, search or export', async () => {
    const { listId, leadIds } = await deletedList();
    const order = { sort: 'createdAt', order: 'desc' } as const;
    for (const filter of [{}, { search: 'p7@big' }, { hasEmail: true }, { leadListId: listId }]) {
      expect(await listLeads(db, userId, { filter, order, limit: 10 })).toEqual([]);
      expect(await countLeads(db, userId, filter)).toEqual({ total: 0 });
      for await (const page of allLeads(db, userId, { filter, order })) expect(page).toEqual([]);
    }
    for (const filter of [{}, { search: 'company' }, { leadListId: listId }]) {
      expect(await listCompanies(db, userId, { filter, order, limit: 10 })).toEqual([]);
      expect(await countCompanies(db, userId, filter)).toEqual({ total: 0 });
    }
    expect(await findUserLead(db, userId, leadIds[0]!)).toBeUndefined();
    expect(await findUserLeadList(db, userId, listId)).toBeUndefined();
    expect(await remove(listId)).toBeUndefined();
  });

  it.each([1, 150])('is attached to by no import of %i people', async (people) => {
    const { listId, leadIds } = await deletedList();
    const { id: otherList } = await insertLeadList(db, { userId, name: 'Other' });
    const groups = [
      {
        company: { name: 'Company 0' },
        people: Array.from({ length: people }, (_, n) => ({
          firstName: `P${n}`,
          lastName: 'Test',
          email: `p${n}@big.test`,
        })),
      },
    ];
    for (const leadListId of [otherList, null]) {
      const [group] = await importGroups(db, { userId, leadListId, source: null, groups });
      // The second time it is the company of the other list that is known.
      expect(group!.companyCreated).toBe(leadListId === otherList);
      for (const { leadId } of group!.people) expect(leadIds).not.toContain(leadId);
    }
    const into = importGroups(db, { userId, leadListId: listId, source: null, groups });
    await expect(into).rejects.toMatchObject({ code: 'LEAD_LIST_NOT_FOUND' });
    while (!(await removeListPortion(db, listId)).isDone);
    expect(await rowsOf('leads')).toBe(people);
    expect(await rowsOf('companies')).toBe(1);
  });

  it('is not enrolled, and keeps nobody else with its addresses out', async () => {
    const { leadIds } = await deletedList();
    const mailboxIds = await addMailboxes(world.tools(), userId, { count: 1 });
    const { campaignId } = await addCampaign(db, userId, { leads: [leadIds[0]!], mailboxIds });
    const [group] = await importGroups(db, {
      userId,
      leadListId: null,
      source: null,
      groups: [
        {
          company: { name: 'Else' },
          people: [{ firstName: 'P0', lastName: 'Test', email: 'p0@big.test' }],
        },
      ],
    });
    const twin = group!.people[0]!.leadId!;
    const wanted = [leadIds[0]!, leadIds[1]!, twin];
    const enrolled = await db
      .transaction()
      .execute((trx) =>
        enrollLeads(trx, { campaignId, userId, leadIds: wanted, now: new Date(0) }),
      );
    expect(enrolled).toMatchObject({ added: 1, skippedReasons: { not_found: 2 } });
  });

  it('is not claimed, nor sent when it was claimed before, and holds no campaign up', async () => {
    const { listId, leadIds } = await bigList(LIST_PORTION + 1);
    const mailboxIds = await addMailboxes(world.tools(), userId, { count: 1 });
    const leads = leadIds.slice(0, 3);
    const { campaignId } = await addCampaign(db, userId, { leads, mailboxIds });
    const { config } = world.tools({}, { SEND_MIN_GAP_SECONDS: 0 });
    const claimedBy = randomUUID();
    const claim = () =>
      db
        .transaction()
        .execute((trx) =>
          claimMessages(trx, config, { campaignId, claimedBy, now: new Date(), most: 1 }),
        );
    const [message] = (await claim()).messages;
    expect(leads).toContain(message!.leadId);
    await remove(listId);
    const text = {
      sendId: message!.sendId,
      fromName: 'Ann',
      to: 'p0@big.test',
      subject: 'Hello',
      text: 'Hi',
      references: [],
      at: new Date(),
    };
    expect(await beginMessages(db, claimedBy, [text])).toEqual(new Set());
    for (let attempts = 0; attempts < 3; attempts += 1)
      expect((await claim()).messages).toEqual([]);
    const left = db.selectFrom('recipients').select('lead_id');
    // The one that was claimed is not due before its claim is found lost.
    expect(await left.where('campaign_id', '=', campaignId).execute()).toEqual([
      { lead_id: message!.leadId },
    ]);
    while (!(await removeListPortion(db, listId)).isDone);
    expect(await left.where('campaign_id', '=', campaignId).execute()).toEqual([]);
    // What was written to somebody stays.
    const sends = db.selectFrom('sends').select('id').where('campaign_id', '=', campaignId);
    expect(await sends.execute()).toEqual([{ id: message!.sendId }]);
  });
});
