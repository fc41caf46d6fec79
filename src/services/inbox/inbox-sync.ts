/** How the mailboxes of a user are being read, and reading them now. Choice 34. */
import type { Context } from '../../context.ts';
import { insertMissingInboxSyncs } from '../../db/inbox/inbox-sync-operations.ts';
import { askForSync, listSyncStates, type SyncState } from '../../db/inbox/inbox-sync-states.ts';
import { notFound } from '../../domain/errors.ts';

export type { SyncState };

type Needs = Pick<Context, 'db' | 'clock' | 'startOperation'>;

/** Of the user's active mailboxes; a foreign `mailboxId` is 404 as a missing one. */
export async function listUserSyncs(
  { db }: Pick<Needs, 'db'>,
  of: { userId: string; mailboxId?: number | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: SyncState[]; total: number }> {
  const found = await listSyncStates(db, of, page);
  if (of.mailboxId !== undefined && found.total === 0) throw notFound('mailbox');
  return found;
}

/**
 * The row is what counts: whoever holds the mailboxes looks at it every few seconds, also while one
 * that fails is left alone for minutes. Clusters that nobody reads get their workflow. Safe to repeat.
 */
export async function syncNow(
  context: Needs,
  of: { userId: string; mailboxId?: number | undefined },
): Promise<number> {
  const { db, clock, startOperation } = context;
  const asked = await askForSync(db, of, clock.now());
  if (of.mailboxId !== undefined && asked === 0) throw notFound('mailbox');
  for (const operation of await insertMissingInboxSyncs(db, { userId: of.userId })) {
    await startOperation(operation);
  }
  return asked;
}
