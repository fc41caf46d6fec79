/**
 * Unsubscribing, bouncing and suppressing wait for nothing that goes on in the account, and a lead that
 * is stored at the same moment is suppressed all the same. src/db/leads/lead-locks.ts; choice 17.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { Database } from '../../src/db/tables.ts';
import type { LeadGroup } from '../../src/domain/leads/leads.ts';
import { changeLead } from '../../src/services/leads/lead-changes.ts';
import {
  addSuppressions,
  removeSuppression,
} from '../../src/services/suppressions/suppressions.ts';
import { addLeads, addSender } from '../support/campaigns/campaign-world.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { addSend } from '../support/campaigns/sends.ts';

let database: TestDatabase;
let db: Kysely<Database>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 12, connectionTimeoutMs: CONNECTION_MS });
});
afterAll(async () => {
  await db.destroy();
  await database.close();
});

/** Far below what anybody would wait for whoever holds the account. */
const AT_ONCE_MS = 10_000;

async function atOnce<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it waits')), AT_ONCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Runs `meanwhile` while a transaction that has done `work` is open, and commits it after that. */
async function whileOpen(
  work: (trx: Transaction<Database>) => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await work(trx);
    await meanwhile();
  });
}

const statusOf = async (userId: string, email: string) =>
  (
    await db
      .selectFrom('leads')
      .select('status')
      .where('user_id', '=', userId)
      .where('email_key', '=', email)
      .execute()
  ).map(({ status }) => status);

const person = (email: string): LeadGroup => ({
  company: null,
  people: [{ firstName: '', lastName: '', email }],
});
const imported = (userId: string, groups: LeadGroup[]) => (trx: Transaction<Database>) =>
  importGroups(trx, { userId, leadListId: null, source: null, groups });
const suppress = (userId: string, kind: 'email' | 'domain', value: string) =>
  addSuppressions({ db }, userId, [{ kind, value, reason: 'manual', note: null }]);

describe('while an import of the account is open', () => {
  const open = (userId: string, meanwhile: () => Promise<unknown>) =>
    whileOpen(async (trx) => {
      // Of very many people, which holds the whole account.
      const people = Array.from({ length: 150 }, (_, n) => person(`new${n}@elsewhere.test`));
      await imported(userId, people)(trx);
    }, meanwhile);

  it.each(['unsubscribed', 'complained', 'bounced'] as const)(
    'a recipient who has %s is noted at once',
    async (kind) => {
      const userId = await addSender(db);
      const [leadId] = await addLeads(db, userId, 1);
      const sendId = await addSend(db, { userId, leadId: leadId! });
      await open(userId, () =>
        atOnce(
          db.transaction().execute(async (trx) => {
            await recordSendOutcome(trx, sendId, { kind, at: new Date() });
            // And a second time.
            await recordSendOutcome(trx, sendId, { kind, at: new Date() });
          }),
        ),
      );
      const { status } = await db
        .selectFrom('leads')
        .select('status')
        .where('id', '=', leadId!)
        .executeTakeFirstOrThrow();
      expect(status).toBe(kind === 'bounced' ? 'bounced' : 'unsubscribed');
    },
  );

  it('an address that does not exist is noted at once', async () => {
    const userId = await addSender(db);
    const [leadId] = await addLeads(db, userId, 1);
    const sendId = await addSend(db, { userId, leadId: leadId! });
    await sql`update sends set state = 'sending' where id = ${sendId}`.execute(db);
    const send = await db
      .selectFrom('sends')
      .selectAll()
      .where('id', '=', sendId)
      .executeTakeFirstOrThrow();
    const end = {
      sendId,
      leadId: leadId!,
      mailboxId: send.mailbox_id,
      step: 0,
      variant: 0,
      messageId: send.message_id,
      state: 'refused' as const,
      reply: '550 5.1.1 no such user',
      subject: 'Hello',
      at: new Date(),
      hasBounced: true,
      recipient: { status: 'bounced' as const, step: 0, dueAt: null, holdReason: null },
    };
    const round = { campaignId: send.campaign_id, userId, claimedBy: send.claimed_by };
    await open(userId, () =>
      atOnce(db.transaction().execute((trx) => writeDeliveryResults(trx, round, [end]))),
    );
    const kept = db.selectFrom('suppressions').select('reason').where('user_id', '=', userId);
    expect(await kept.execute()).toEqual([{ reason: 'bounce' }]);
  });

  it.each(['email', 'domain'] as const)('a suppression by %s is written at once', async (kind) => {
    const userId = await addSender(db);
    await addLeads(db, userId, 3, () => 'mail.acme.test');
    const value = kind === 'domain' ? 'acme.test' : 'ann@acme.test';
    await open(userId, async () => {
      const { suppressedLeads } = await atOnce(suppress(userId, kind, value));
      expect(suppressedLeads).toBe(kind === 'domain' ? 3 : 0);
    });
  });
});

describe('a lead that is stored while its address is suppressed', () => {
  const KINDS = [
    ['email', 'ann@acme.test'],
    ['domain', 'acme.test'],
    ['domain', 'test'],
  ] as const;

  it.each(KINDS)('is suppressed, when the %s %s comes first', async (kind, value) => {
    const userId = await addSender(db);
    await whileOpen(imported(userId, [person('ann@acme.test')]), async () => {
      await atOnce(suppress(userId, kind, value));
    });
    expect(await statusOf(userId, 'ann@acme.test')).toEqual(['suppressed']);
  });

  it.each(KINDS)('is suppressed, when the %s %s comes last', async (kind, value) => {
    const userId = await addSender(db);
    const entry = { user_id: userId, kind, value, reason: 'manual' as const, note: null };
    await whileOpen(
      (trx) => trx.insertInto('suppressions').values(entry).execute(),
      () => atOnce(db.transaction().execute(imported(userId, [person('ann@acme.test')]))),
    );
    expect(await statusOf(userId, 'ann@acme.test')).toEqual(['suppressed']);
  });

  it('is suppressed among very many, and so is one that only got the address', async () => {
    const userId = await addSender(db);
    const profile = 'https://linkedin.com/in/bea-known';
    const known = {
      company: null,
      people: [{ firstName: 'Bea', lastName: '', socialProfileUrl: profile }],
    };
    await db.transaction().execute(imported(userId, [known]));
    const people = Array.from({ length: 150 }, (_, n) => person(`p${n}@acme.test`));
    const filled = {
      company: null,
      people: [
        { firstName: 'Bea', lastName: '', socialProfileUrl: profile, email: 'bea@acme.test' },
      ],
    };
    await whileOpen(imported(userId, [...people, filled]), async () => {
      await atOnce(suppress(userId, 'email', 'p149@acme.test'));
      await atOnce(suppress(userId, 'email', 'bea@acme.test'));
    });
    expect(await statusOf(userId, 'p149@acme.test')).toEqual(['suppressed']);
    expect(await statusOf(userId, 'bea@acme.test')).toEqual(['suppressed']);
    expect(await statusOf(userId, 'p0@acme.test')).toEqual(['pending']);
  });

  it('is suppressed in a storm of both, by whichever way it comes', async () => {
    const userId = await addSender(db);
    const [changed] = await addLeads(db, userId, 1);
    const addresses = Array.from({ length: 40 }, (_, n) => `p${n}@storm-${n % 7}.test`);
    const context = { db, clock: { now: () => new Date() } } as unknown as Parameters<
      typeof changeLead
    >[0];
    await Promise.all([
      ...addresses.map((email) => db.transaction().execute(imported(userId, [person(email)]))),
      ...addresses.slice(0, 20).map((email) => suppress(userId, 'email', email)),
      ...[0, 1, 2, 3, 4, 5, 6].map((n) => suppress(userId, 'domain', `storm-${n}.test`)),
      changeLead(context, { userId, id: changed! }, { personEmail: 'new@storm-1.test' }),
    ]);
    for (const email of [...addresses, 'new@storm-1.test']) {
      expect([email, await statusOf(userId, email)]).toEqual([email, ['suppressed']]);
    }
    const left = sql<{ n: number }>`select count(*)::int as n from suppression_rechecks`;
    expect((await left.execute(db)).rows).toEqual([{ n: 0 }]);
  });
});

it('what is lifted while its domain is suppressed stays suppressed', async () => {
  const userId = await addSender(db);
  await addLeads(db, userId, 1, () => 'acme.test');
  const [lead] = await db.selectFrom('leads').selectAll().where('user_id', '=', userId).execute();
  const { rows } = await suppress(userId, 'email', lead!.email_key!);
  const context = { db } as unknown as Parameters<typeof removeSuppression>[0];
  const entry = { user_id: userId, kind: 'domain' as const, value: 'acme.test' };
  await whileOpen(
    (trx) =>
      trx
        .insertInto('suppressions')
        .values({ ...entry, reason: 'manual', note: null })
        .execute(),
    () => atOnce(removeSuppression(context, userId, { id: rows[0]!.id })),
  );
  expect(await statusOf(userId, lead!.email_key!)).toEqual(['suppressed']);
});

it('a domain is looked up by its index, not by reading the account', async () => {
  const userId = await addSender(db);
  await sql`insert into leads (user_id, name_key, email, email_key)
    select ${userId}, '', email, email from generate_series(1, 50000) as n,
      lateral (select 'p' || n || '@d' || n % 5000 || '.test' as email) as address`.execute(db);
  for (const email of ['x@sub.d7.test', 'x@notd7.test', 'x@d7.test.example']) {
    await db.transaction().execute(imported(userId, [person(email)]));
  }
  await database.analyze('leads');
  const { fetched, found } = await db.transaction().execute(async (trx) => {
    const read = async () => {
      const { rows } = await sql<{ rows: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname = 'leads'`.execute(trx);
      return rows[0]!.rows;
    };
    const before = await read();
    const ids = await sql`select leads_of_domain(${userId}, 'd7.test')`.execute(trx);
    return { fetched: (await read()) - before, found: ids.rows.length };
  });
  expect(found).toBe(11);
  expect(fetched).toBeLessThan(50);
  expect((await suppress(userId, 'domain', 'd7.test')).suppressedLeads).toBe(11);
  expect(await statusOf(userId, 'x@notd7.test')).toEqual(['pending']);
  expect(await statusOf(userId, 'x@d7.test.example')).toEqual(['pending']);
});
