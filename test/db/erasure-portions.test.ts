/** An erasure finds what speaks of the person by indexes, and holds nobody up while it does. */
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { Database } from '../../src/db/tables.ts';
import { eraseByKey, eraseLead } from '../../src/services/suppressions/erasures.ts';
import { addSuppressions } from '../../src/services/suppressions/suppressions.ts';
import { addSender } from '../support/campaigns/campaign-world.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { addMessage, addMailbox } from '../support/inbox/inbox-messages.ts';
import { addSend } from '../support/campaigns/sends.ts';

const MESSAGES = 50_000;

let database: TestDatabase;
let db: Kysely<Database>;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 8, connectionTimeoutMs: CONNECTION_MS });
});
afterAll(async () => {
  await db.destroy();
  await database.close();
});
beforeEach(async () => void (userId = await addSender(db)));

/** Zelda, and Bob who stays. */
async function addPeople(): Promise<{ zelda: number; bob: number }> {
  const people = [
    { firstName: 'Zelda', lastName: 'Quixworth', email: 'zelda@quixmail.test' },
    { firstName: 'Bob', lastName: 'Stays', email: 'bob@acme.test' },
  ];
  const groups = [{ company: { name: 'Acme' }, people }];
  const [group] = await importGroups(db, { userId, leadListId: null, source: null, groups });
  const [zelda, bob] = group!.people.map(({ leadId }) => leadId!);
  return { zelda: zelda!, bob: bob! };
}

const leadsLeft = async () =>
  (
    await db
      .selectFrom('leads')
      .select('email_key')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
  ).map(({ email_key: key }) => key);

async function owner<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

it(`of ${MESSAGES} messages and attachments reads those that may be about the person`, async () => {
  const { mailboxId } = await addMailbox(db, userId);
  const { threadId } = await addMessage(db, { userId, mailboxId, subject: 'Others' });
  for (let first = 1; first < MESSAGES; first += 5_000) {
    await sql`
    with message as (
      insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address,
        to_addresses, reply_to, subject, body_text, sent_at)
      select ${userId}, ${mailboxId}, ${threadId}, 'inbound', '<' || n || '@x.test>',
        'p' || n || '@d' || n % 100 || '.test', array['own@host.test'], 'r' || n || '@x.test',
        'About ' || n, 'Words of ' || n, now()
      from generate_series(${first}::integer, ${first + 4_999}::integer) as n returning id
    )
    insert into attachments (message_id, part, filename, content_type, size_bytes)
    select id, '2', 'file-' || id || '.pdf', 'application/pdf', 1 from message`.execute(db);
  }
  const from = await addMessage(db, { userId, mailboxId, from: 'Zelda@QuixMail.test' });
  const to = await addMessage(db, { userId, mailboxId, to: ['zelda@quixmail.test'] });
  const about = await addMessage(db, { userId, mailboxId, text: 'Ask Zelda Quixworth, please' });
  const named = await addMessage(db, { userId, mailboxId });
  await sql`insert into attachments (message_id, part, filename, content_type, size_bytes)
    values (${named.id}, '2', 'cv-zelda-quixworth.pdf', 'application/pdf', 1)`.execute(db);
  await database.vacuum('messages', 'attachments', 'threads');
  const { zelda } = await addPeople();

  // One connection, whose counts of rows are complete when it says so.
  const one = openDatabase(database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
  const read = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(one);
    const { rows } = await sql<{ rows: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_user_tables where relname in ('messages', 'attachments', 'threads')`.execute(
      one,
    );
    return rows[0]!.rows;
  };
  const before = await read();
  const { letters: messages } = await eraseLead({ db: one }, userId, zelda);
  const fetched = (await read()) - before;
  await one.destroy();
  expect(messages).toBe(4);
  expect(fetched).toBeLessThan(1_000);
  const kept = db.selectFrom('messages').select(['id', 'body_text']);
  const ids = [from, to, about, named].map(({ id }) => id);
  expect(await kept.where('id', 'in', ids).orderBy('id').execute()).toEqual([
    { id: about.id, body_text: 'Ask (erased), please' },
    { id: named.id, body_text: 'Hi there' },
  ]);
}, 120_000);

describe('while the traces of a person are being erased', () => {
  /** Holds the inbox, for which the erasure waits in its middle. */
  async function inItsMiddle(meanwhile: (ids: { zelda: number; bob: number }) => Promise<unknown>) {
    const ids = await addPeople();
    const erased = await db.transaction().execute(async (trx) => {
      await lockInbox(trx, userId);
      const erasing = eraseLead({ db }, userId, ids.zelda);
      erasing.catch(() => undefined);
      await untilWaiting(db, 1, 'insert into inbox_counts');
      const start = performance.now();
      const late = new Promise((_, reject) => {
        setTimeout(() => reject(new Error('it waits')), 10_000).unref();
      });
      await Promise.race([meanwhile(ids), late]);
      expect(performance.now() - start).toBeLessThan(10_000);
      return { erasing };
    });
    await erased.erasing;
  }

  it('others are imported, unsubscribe and are suppressed at once', async () => {
    await inItsMiddle(async ({ bob }) => {
      const sendId = await addSend(db, { userId, leadId: bob });
      const at = new Date();
      await db
        .transaction()
        .execute((trx) => recordSendOutcome(trx, sendId, { kind: 'unsubscribed', at }));
      const entry = { kind: 'domain' as const, value: 'x.test', reason: 'manual' as const };
      await addSuppressions({ db }, userId, [{ ...entry, note: null }]);
      const people = Array.from({ length: 150 }, (_, n) => ({
        firstName: '',
        lastName: '',
        email: `p${n}@new.test`,
      }));
      const groups = [{ company: { name: 'New' }, people }];
      await importGroups(db, { userId, leadListId: null, source: null, groups });
    });
    expect(await leadsLeft()).toHaveLength(151);
  });

  it('the person is not stored again, not suppressed by name, and not written to', async () => {
    await inItsMiddle(async ({ zelda }) => {
      const people = [{ firstName: 'Z', lastName: 'Q', email: 'zelda@quixmail.test' }];
      const groups = [{ company: { name: 'Other' }, people }];
      const into = { userId, leadListId: null, source: null, groups };
      const [group] = await importGroups(db, into);
      expect(group!.people).toMatchObject([{ leadId: null, outcome: 'erased' }]);
      const entry = { kind: 'email' as const, value: 'zelda@quixmail.test', note: null };
      const { rows } = await addSuppressions({ db }, userId, [{ ...entry, reason: 'manual' }]);
      expect(rows).toEqual([undefined]);
      const left = db.selectFrom('recipients').select('lead_id').where('lead_id', '=', zelda);
      expect(await left.execute()).toEqual([]);
    });
    expect(await leadsLeft()).toEqual(['bob@acme.test']);
  });
});

it('leaves messages alone that went to deleted leads with other addresses of the domain', async () => {
  const people = ['zelda', 'ann', 'unknown'].map((name) => ({
    firstName: name,
    lastName: 'Q',
    email: `${name}@quixmail.test`,
  }));
  const groups = [{ company: { name: 'Acme' }, people }];
  const [group] = await importGroups(db, { userId, leadListId: null, source: null, groups });
  const sends = [];
  for (const { leadId } of group!.people) {
    const sendId = await addSend(db, { userId, leadId: leadId! });
    await sql`update sends set subject = 'A question', smtp_reply = '250 ok',
      recipient_domain = 'quixmail.test' where id = ${sendId}`.execute(db);
    await sql`insert into send_texts (send_id, from_name, to_address, subject, body_text,
        reference_ids, written_at)
      values (${sendId}, 'Ann', '', 'A question', 'May I ask?', '{}', now())`.execute(db);
    sends.push(sendId);
  }
  // Written by a program that kept no address with a send.
  await sql`update sends set email_key = null where id = ${sends[2]!}`.execute(db);
  await sql`delete from recipients where user_id = ${userId}`.execute(db);
  await sql`delete from leads where user_id = ${userId}`.execute(db);
  const key = { emailKey: 'zelda@quixmail.test', profileKey: null, phoneKey: null };
  await eraseByKey({ db }, userId, key);
  const left = db.selectFrom('sends').select(['id', 'subject', 'recipient_domain', 'email_key']);
  expect(await left.where('user_id', '=', userId).orderBy('id').execute()).toEqual([
    { id: sends[0], subject: '', recipient_domain: '(erased)', email_key: null },
    {
      id: sends[1],
      subject: 'A question',
      recipient_domain: 'quixmail.test',
      email_key: 'ann@quixmail.test',
    },
    { id: sends[2], subject: '', recipient_domain: '(erased)', email_key: null },
  ]);
  const texts = db.selectFrom('send_texts').select('send_id').where('send_id', 'in', sends);
  expect(await texts.execute()).toEqual([{ send_id: sends[1] }]);
});

it('one that was broken off is found by its lead and finished when it is asked for again', async () => {
  const { zelda } = await addPeople();
  await addSend(db, { userId, leadId: zelda });
  await owner((client) =>
    client.query(`create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'broken off'; end $$;
      create trigger refuse before update on sends for each row
        when (old.user_id = '${userId}') execute function refuse()`),
  );
  await expect(eraseLead({ db }, userId, zelda)).rejects.toThrow('broken off');
  expect(await leadsLeft()).toEqual(['zelda@quixmail.test', 'bob@acme.test']);
  await owner((client) => client.query('drop function refuse cascade'));
  expect(await eraseLead({ db }, userId, zelda)).toMatchObject({ leads: 1, sends: 1 });
  expect(await leadsLeft()).toEqual(['bob@acme.test']);
});

it('two at the same time erase the person once', async () => {
  await addPeople();
  const key = { emailKey: 'zelda@quixmail.test', profileKey: null, phoneKey: null };
  const both = await Promise.all([
    eraseByKey({ db }, userId, key),
    eraseByKey({ db }, userId, key),
  ]);
  expect(both.map(({ leads }) => leads).toSorted((one, other) => one - other)).toEqual([0, 1]);
  expect(await leadsLeft()).toEqual(['bob@acme.test']);
});

it('a suppression that is written at the same moment does not keep the address', async () => {
  await addPeople();
  const value = 'zelda@quixmail.test';
  const key = { emailKey: value, profileKey: null, phoneKey: null };
  await db.transaction().execute(async (trx) => {
    const row = { user_id: userId, kind: 'email' as const, value, reason: 'manual' as const };
    await trx
      .insertInto('suppressions')
      .values({ ...row, note: null })
      .execute();
    await eraseByKey({ db }, userId, key);
  });
  const left = db.selectFrom('suppressions').select('value').where('user_id', '=', userId);
  expect(await left.execute()).toEqual([]);
});
