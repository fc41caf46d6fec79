/** Mailboxes on a real Dovecot that the sync reads into a test's database. */
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { startDovecotMailboxes, type DovecotMailboxes } from './dovecot-mailboxes.ts';

export type { SyncedUser } from './dovecot-mailboxes.ts';

export interface InboxWorld extends DovecotMailboxes {
  database: TestDatabase;
}

export async function startInboxWorld(): Promise<InboxWorld> {
  const database = await createTestDatabase();
  const mailboxes = await startDovecotMailboxes(database.db);
  return {
    ...mailboxes,
    database,
    async close() {
      await mailboxes.close();
      await database.close();
    },
  };
}
