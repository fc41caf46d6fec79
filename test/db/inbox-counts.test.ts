/** The counters of the inbox are what a count of the rows would be, after anything. Choice 34. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeMessages, type MessagePatch } from '../../src/db/inbox/inbox-changes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMessage, addMailbox, readCounts } from '../support/inbox/inbox-messages.ts';

let database: TestDatabase;
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const patch: fc.Arbitrary<MessagePatch> = fc.record(
  {
    isRead: fc.boolean(),
    archived: fc.boolean(),
    snoozedUntil: fc.option(fc.constant(new Date('2030-01-01T00:00:00Z'))),
    labels: fc.subarray(['a', 'b']),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  fc.record({
    what: fc.constant('add' as const),
    isRead: fc.boolean(),
    archived: fc.boolean(),
    inThread: fc.nat(5),
  }),
  fc.record({ what: fc.constant('change' as const), messages: fc.array(fc.nat(20)), patch }),
);

describe('the counters of the inbox', () => {
  it('stay equal to the rows, also when several write at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (steps, isAtOnce) => {
          const userId = `counted-${++users}`;
          const { db } = database;
          await db.insertInto('users').values({ user_id: userId, email: 'a@b.test' }).execute();
          const { mailboxId } = await addMailbox(db, userId);
          const messages: { id: number; threadId: number }[] = [];
          const run = async (each: (typeof steps)[number]) => {
            if (each.what === 'add') {
              const { isRead, archived, inThread } = each;
              const threadId = messages[inThread]?.threadId;
              const mail = { userId, mailboxId, isRead, archived };
              messages.push(await addMessage(db, { ...mail, ...(threadId && { threadId }) }));
              return;
            }
            const ids = each.messages.flatMap((n) => messages[n]?.id ?? []);
            await db
              .transaction()
              .execute((trx) => changeMessages(trx, { userId, ids }, each.patch));
          };
          if (isAtOnce) await Promise.all(steps.map(run));
          else for (const each of steps) await run(each);
          const { kept, counted, wrong } = await readCounts(db, userId);
          const known = kept ?? { messages: 0, unread: 0 };
          expect({ known, wrong }).toEqual({ known: counted, wrong: 0 });
        },
      ),
      { numRuns: 25 },
    );
  });
});
