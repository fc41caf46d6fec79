/** What is left of a thread when a person's messages are erased from it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listThreads } from '../../src/db/inbox/inbox-threads.ts';
import { erasedPerson } from '../../src/domain/suppressions/erased-person.ts';
import { eraseMessages } from '../../src/transactions/erasures/erase-messages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMailbox, addMessage } from '../support/inbox/inbox-messages.ts';

const USER = 'erased';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const user = { user_id: USER, email: 'e@example.test', name: null };
  await database.db.insertInto('users').values(user).execute();
});
afterAll(() => database?.close());

it('stands in the order by its last message that is left', async () => {
  const { db } = database;
  const { mailboxId } = await addMailbox(db, USER);
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const add = (from: string, day: number, threadId?: number) =>
    addMessage(db, {
      userId: USER,
      mailboxId,
      from,
      sentAt: at(day),
      ...(threadId && { threadId }),
    });
  const { threadId: one } = await add('ada@client.test', 1);
  const { threadId: other } = await add('bo@client.test', 2);
  await add('zelda@quix.test', 3, one);
  const gone = { profileKey: null, phoneKey: null };
  const person = erasedPerson([
    { ...gone, emailKey: 'zelda@quix.test', nameKey: 'zelda quixworth' },
  ]);
  await eraseMessages(db, USER, person);
  const { rows } = await listThreads(db, { userId: USER, filter: {} }, { limit: 9, offset: 0 });
  expect(rows.map(({ id, last_message_at: last }) => [id, last])).toEqual([
    [other, at(2)],
    [one, at(1)],
  ]);
});
