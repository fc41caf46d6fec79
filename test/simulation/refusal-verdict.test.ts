/** What the simulation says of refusals, of rows in which each rule is broken once. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMailbox } from '../support/inbox/inbox-messages.ts';
import { createBook, type Book, type SimulatedCampaign } from './book.ts';
import { checkRejections, checkSuppressedAddresses } from './refusal-verdict.ts';

const USER = 'simulated';
const MESSAGES = 24;
const REFUSED = 3;
/** The last refusal, and the moment a minute after the last message was claimed. */
const LAST = new Date('2026-03-02T12:00:00Z');

let database: TestDatabase;
let book: Book;
let mailboxId: number;
let email: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db.insertInto('users').values({ user_id: USER, email: 's@example.test' }).execute();
  ({ mailboxId, email } = await addMailbox(db, USER));
  const { rows } = await sql<{ id: number }>`insert into campaigns (user_id, name, status, timezone,
      active_days, start_time, end_time, max_followups, followup_delay_days)
    values (${USER}, 'Spring', 'active', 'UTC', '{mon}', '09:00', '17:00', 0, 3) returning id`.execute(
    db,
  );
  book = createBook();
  book.campaigns.push({ id: rows[0]!.id } as SimulatedCampaign);
});
afterAll(() => database?.close());

/** Messages to as many domains, one a minute before `LAST`; the newest are refused. */
const send = (count: number, refused: number) =>
  sql`
  insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
    message_id, state, claimed_by, claimed_at, rejected_at)
  select ${USER}, ${book.campaigns[0]!.id}, n, 0, ${mailboxId}, 'd' || n || '.test', 'a@d' || n || '.test',
    '<' || gen_random_uuid() || '@x.test>', case when n <= ${refused}::integer then 'refused' else 'sent' end,
    gen_random_uuid(), ${LAST}::timestamptz - (n + 1) * interval '1 minute',
    case when n <= ${refused}::integer then ${LAST}::timestamptz - (n - 1) * interval '1 second' end
  from generate_series(1, ${count}::integer) as n`.execute(database.db);

const pause = (scope: string, subject: string) =>
  sql`
  insert into sending_pauses (user_id, scope, subject, letters, rejected, words, since, until)
  values (${USER}, ${scope}, ${subject}, ${MESSAGES}, ${REFUSED}, '550 5.7.1 spam', ${LAST},
    ${LAST}::timestamptz + interval '24 hours')`.execute(database.db);

const domain = () => email.split('@')[1]!;

it('says nothing of so few messages, whatever part of them was refused', async () => {
  await send(19, REFUSED);
  expect(await checkRejections(database.db, book)).toEqual([]);
  await sql`delete from sends`.execute(database.db);
});

it('names each scope that was not paused after too many refusals', async () => {
  await send(MESSAGES, REFUSED);
  const words = `was not paused after ${REFUSED} of ${MESSAGES} messages were spam:`;
  const found = await checkRejections(database.db, book);
  expect(found.toSorted()).toEqual([
    `${words} domain ${domain()}`,
    `${words} mailbox ${mailboxId}`,
  ]);
  await pause('mailbox', String(mailboxId));
  expect(await checkRejections(database.db, book)).toEqual([`${words} domain ${domain()}`]);
  await pause('domain', domain());
  expect(await checkRejections(database.db, book)).toEqual([]);
});

it('names a message that was claimed within the pause', async () => {
  const { rows } = await sql<{ id: number }>`update sends
    set claimed_at = ${LAST}::timestamptz + interval '5 hours', lead_id = 1000 where lead_id = 20
    returning id`.execute(database.db);
  expect((await checkRejections(database.db, book)).toSorted()).toEqual([
    `sent message ${rows[0]!.id} within the pause of domain ${domain()}`,
    `sent message ${rows[0]!.id} within the pause of mailbox ${mailboxId}`,
  ]);
});

it('names an address that is suppressed as bounced and has not', async () => {
  await sql`insert into suppressions (user_id, kind, value, reason)
    values (${USER}, 'email', 'spam@d1.test', 'bounce'), (${USER}, 'email', 'gone@d2.test', 'bounce')`.execute(
    database.db,
  );
  book.bouncedAddresses.add('gone@d2.test');
  expect(await checkSuppressedAddresses(database.db, book)).toEqual([
    'spam@d1.test is suppressed as bounced, and has not',
  ]);
});
