/** An erasure reads what a campaign has sent to the person or says of them, and not what it has sent to others. */
import { sql, type Kysely, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { personNameKey, profileKey } from '../../src/domain/leads/lead-keys.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { eraseLead } from '../../src/services/suppressions/erasures.ts';
import { addLeads, addSender } from '../support/campaigns/campaign-world.ts';
import { addSend } from '../support/campaigns/sends.ts';
import { addMailbox, addMessage } from '../support/inbox/inbox-messages.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';

const SENDS = 20_000;
const TABLES = ['sends', 'send_texts', 'events'];

let database: TestDatabase;
/** One connection, whose counts of rows are complete when it says so. */
let db: Kysely<Database>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
});
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_user_tables where relname = any (${TABLES})`.execute(db);
  return rows[0]!.rows;
}

const addText = (sendId: number, text: string) =>
  sql`insert into send_texts (send_id, from_name, to_address, subject, body_text, reference_ids, written_at)
    values (${sendId}, 'Ann', 'somebody@x.test', 'Hello', ${text}, '{}', now())`.execute(db);

/** Messages of a campaign with their texts and events, after the one of which they are copies. */
async function addOthers(sendId: number, count = SENDS): Promise<void> {
  for (let first = 1; first < count; first += 5_000) {
    await sql`
      with send as (
        insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key, message_id,
          subject, state, smtp_reply, claimed_by, claimed_at, sent_at)
        select user_id, campaign_id, 1000000 + n, 0, mailbox_id, 'd' || n % 100 || '.test',
          'p' || n || '@d' || n % 100 || '.test', '<' || n || '@others-' || id || '.test>', 'About ' || n, 'sent',
          '250 2.0.0 Ok: queued as ' || n, claimed_by, now(), now()
        from sends, generate_series(${first}::integer, ${first + Math.min(count, 5_000) - 1}::integer) as n where id = ${sendId}
        returning *
      ), texts as (
        insert into send_texts (send_id, from_name, to_address, subject, body_text, reference_ids, written_at)
        select id, 'Ann', email_key, subject, 'Words of ' || id || ', which Ann Quixworth has not read', '{}', now()
        from send)
      insert into events (user_id, type, resource, payload)
      select user_id, 'email.sent', 'campaign/' || campaign_id,
        jsonb_build_object('sendId', id, 'messageId', message_id) from send`.execute(db);
  }
}

it(`of ${SENDS} messages, their texts and events reads those that may be about the person`, async () => {
  const userId = await addSender(db);
  const [zelda, bob] = (await addLeads(db, userId, 2)) as [number, number];
  await sql`update leads set first_name = 'Zelda', last_name = 'Quixworth', name_key = 'zelda quixworth',
    email = 'zelda@quixmail.test', email_key = 'zelda@quixmail.test' where id = ${zelda}`.execute(
    db,
  );
  const own = await addSend(db, { userId, leadId: zelda });
  const toBob = await addSend(db, { userId, leadId: bob });
  const refused = await addSend(db, { userId, leadId: bob });
  await addOthers(toBob);
  await addText(own, 'Dear Zelda');
  await addText(toBob, 'Ask Quixworth, Zelda: <https://linkedin.com/in/zq>');
  await sql`update sends set smtp_reply = '550 unknown: Zelda Quixworth' where id = ${refused}`.execute(
    db,
  );
  await sql`insert into events (user_id, type, resource, payload) values
    (${userId}, 'email.rejected', 'campaign/1', '{"words": "550 unknown: Zelda Quixworth"}')`.execute(
    db,
  );
  await database.vacuum(...TABLES);

  const before = await rowsRead();
  const erased = await eraseLead({ db }, userId, zelda);
  expect((await rowsRead()) - before).toBeLessThan(500);
  expect(erased).toMatchObject({ sends: 3, events: 1 });
  const { rows } = await sql<{ text: string }>`
    select body_text as text from send_texts where send_id = ${toBob}
    union all select smtp_reply from sends where id = ${refused}
    union all select payload->>'words' from events where type = 'email.rejected'`.execute(db);
  expect(rows.map(({ text }) => text)).toEqual([
    'Ask (erased): <https://linkedin.com/in/zq>',
    '550 unknown: (erased)',
    '550 unknown: (erased)',
  ]);
}, 120_000);

interface Name {
  firstName: string;
  lastName: string;
}

/** A lead of that name, and the send to another one and somebody's message, whose text is given. */
async function addNamed({ firstName, lastName }: Name, text: string, page: string | null = null) {
  const userId = await addSender(db);
  const [named, other] = (await addLeads(db, userId, 2)) as [number, number];
  await sql`update leads set first_name = ${firstName}, last_name = ${lastName},
    name_key = ${personNameKey(firstName, lastName)}, profile_key = ${profileKey(page)} where id = ${named}`.execute(
    db,
  );
  const sendId = await addSend(db, { userId, leadId: other });
  await addText(sendId, text);
  const { mailboxId } = await addMailbox(db, userId);
  const message = await addMessage(db, { userId, mailboxId, subject: text, text });
  return { userId, named, sendId, messageId: message.id };
}

async function wordsOf(messageId: number) {
  const { rows } = await sql<{ words: string[] }>`
    select array[messages.subject, body_text, threads.subject] as words
    from messages join threads on threads.id = thread_id where messages.id = ${messageId}`.execute(
    db,
  );
  return rows[0]!.words;
}

const textOf = async (sendId: number) => {
  const { rows } = await sql<{ text: string }>`
    select body_text as text from send_texts where send_id = ${sendId}`.execute(db);
  return rows[0]!.text;
};

it.each([
  [{ firstName: 'J.R.', lastName: 'Smith' }, 'J.R. Smith'],
  [{ firstName: 'J.R.', lastName: 'Smith' }, 'JR Smith'],
  [{ firstName: "D'Angelo", lastName: 'Russell' }, "D'Angelo Russell"],
  [{ firstName: "D'Angelo", lastName: 'Russell' }, 'Russell, D’Angelo'],
  [{ firstName: "D'Angelo", lastName: 'Russell' }, '“D’Angelo Russell”'],
  [{ firstName: 'DAngelo', lastName: 'Russell' }, "D'Angelo Russell"],
  [{ firstName: 'Ann', lastName: 'O’Neil' }, "Ann O'Neil"],
  [{ firstName: 'Γιώργος', lastName: 'Παπάς' }, 'Γιώργος Παπάς'],
  [{ firstName: 'Hans', lastName: 'Weiß' }, 'Hans Weiß'],
  [{ firstName: 'José', lastName: 'Peña' }, 'José Peña'.normalize('NFD')],
])('erases %o from texts to others that say %s', async (name, written) => {
  const added = await addNamed(name, `Ask ${written} about it`);
  const { userId, named, sendId, messageId } = added;
  expect(await eraseLead({ db }, userId, named)).toMatchObject({ sends: 1, letters: 2 });
  const left = /^Ask “?\(erased\)”? about it$/;
  const texts = [await textOf(sendId), ...(await wordsOf(messageId))];
  expect(texts).toEqual(texts.map(() => expect.stringMatching(left)));
});

it.each([
  ["D'Angelo O'Neil", { firstName: "D'Angelo", lastName: "O'Neil" }],
  ['Γιώργος Παπάς', { firstName: 'Γιώργος', lastName: 'Παπάς' }],
])('erases %s from what a server has answered', async (written, name) => {
  const { userId, named, sendId } = await addNamed(name, 'Nothing');
  await sql`update sends set smtp_reply = ${`550 unknown: ${written}`} where id = ${sendId}`.execute(
    db,
  );
  expect(await eraseLead({ db }, userId, named)).toMatchObject({ sends: 1 });
  const { rows } = await sql`select smtp_reply from sends where id = ${sendId}`.execute(db);
  expect(rows).toEqual([{ smtp_reply: '550 unknown: (erased)' }]);
});

it.each([
  ['https://www.acme.test/team', 'https://acme.test/team'],
  ['https://www.linkedin.com/in/jürgen-z', 'https://de.linkedin.com/in/j%C3%BCrgen-z/en'],
  ['https://twitter.com/jqx', 'https://x.com/jqx'],
  ['https://x.com/jqx', 'https://twitter.com/jqx'],
  ['https://müller.test/über', 'https://müller.test/%C3%BCber'],
  ['https://janedoe.test', 'https://www.janedoe.test/'],
  ['https://acme.test?id=1', 'https://acme.test/?id=1'],
  ['https://facebook.com/profile.php?id=100', 'https://facebook.com/profile.php?fref=nf&id=100'],
  ['https://linkedin.com/sales/lead/Xq7', 'https://www.linkedin.com/sales/people/Xq7,name'],
  [`https://acme.test/${'長'.repeat(120)}`, `https://acme.test/${'長'.repeat(120)}`],
])('erases the page %s from texts to others', async (page, written) => {
  const name = { firstName: 'Jürgen', lastName: 'Z' };
  const added = await addNamed(name, `See ${written} now`, page);
  const { userId, named, sendId, messageId } = added;
  expect(await eraseLead({ db }, userId, named)).toMatchObject({ sends: 1, letters: 2 });
  expect(await textOf(sendId)).toBe('See (erased) now');
  expect(await wordsOf(messageId)).toEqual(Array.from({ length: 3 }, () => 'See (erased) now'));
});

async function addMessagesNaming(userId: string, name: string, count: number): Promise<void> {
  const { mailboxId } = await addMailbox(db, userId);
  const { id, threadId } = await addMessage(db, { userId, mailboxId, text: `Ask ${name}` });
  await sql`
    insert into messages (user_id, mailbox_id, thread_id, direction, kind, message_id, from_address, subject, body_text,
      sent_at)
    select user_id, mailbox_id, ${threadId}, direction, kind, '<' || n || '@' || id || '.test>', from_address, subject,
      body_text, sent_at from messages, generate_series(1, ${count}::integer) as n where id = ${id}`.execute(
    db,
  );
}

/** The database, and how many rows the largest answer of it had. */
function withLargest() {
  const seen = { rows: 0 };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      seen.rows = Math.max(seen.rows, result.rows.length);
      return result;
    },
  };
  return { seen, measured: db.withPlugin(plugin) };
}

it('takes a name that stands under each text, and replies with addresses, in small parts', async () => {
  const { userId, named, sendId } = await addNamed(
    { firstName: 'Ann', lastName: 'Quixworth' },
    'Nothing',
  );
  await addOthers(sendId, 1_200);
  await addMessagesNaming(userId, 'Ann Quixworth', 1_200);
  await sql`update sends set smtp_reply = '250 Ok <a@x.test> Ann Quixworth' where user_id = ${userId}`.execute(
    db,
  );
  await sql`insert into events (user_id, type, resource, payload)
    select ${userId}, 'email.rejected', 'campaign/1', '{"words": "550 Ann Quixworth"}'
    from generate_series(1, 1200)`.execute(db);
  const { seen, measured } = withLargest();
  const erased = await eraseLead({ db: measured }, userId, named);
  expect(erased).toMatchObject({ sends: 1_201, events: 1_200, letters: 1_201 });
  expect(seen.rows).toBeGreaterThan(100);
  expect(seen.rows).toBeLessThanOrEqual(1_000);
}, 120_000);

it('erases a number that stands beside a name of one word', async () => {
  const { userId, named, messageId } = await addNamed(
    { firstName: 'Zelda', lastName: '' },
    'Call Zelda: +49 30 1234567',
  );
  await sql`update leads set phone = '+49 30 1234567', phone_key = '49301234567' where id = ${named}`.execute(
    db,
  );
  await eraseLead({ db }, userId, named);
  expect(await wordsOf(messageId)).toContain('Call Zelda: (erased)');
});

it.each([`Ann ❤️`, '☀️', "'", '’’’'])('erases somebody who is called %s', async (firstName) => {
  const { userId, named } = await addNamed(
    { firstName, lastName: 'Lee' },
    'Nothing',
    "acme.test/'",
  );
  expect(await eraseLead({ db }, userId, named)).toMatchObject({ leads: 1 });
});
