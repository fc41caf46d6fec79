/** The sync state of a user's mailboxes, and reading them now. Choice 34. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { insertMissingInboxSyncs } from '../../db/inbox/inbox-sync-operations.ts';
import { askForSync, listSyncStates, type SyncState } from '../../db/inbox/inbox-sync-states.ts';
import { notFound } from '../../domain/errors.ts';

export type { SyncState };

const noMailbox = (id: number) => notFound('mailbox', { field: 'mailboxId', ids: [id] });

type Needs = Pick<Context, 'db' | 'clock' | 'startOperation'>;

/** Lists the user's active mailboxes; a foreign `mailboxId` is 404 like a missing one. */
export async function listUserSyncs(
  { db }: Pick<Needs, 'db'>,
  of: { userId: string; mailboxId?: number | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: SyncState[]; total: number }> {
  const found = await listSyncStates(db, of, page);
  if (of.mailboxId !== undefined && found.total === 0) throw noMailbox(of.mailboxId);
  return found;
}

/**
 * The request is a mark in the row: the sync polls it every few seconds, also for a failing mailbox that
 * waits minutes for its retry. Clusters without a sync get their workflow. Safe to repeat.
 */
export async function syncNow(
  context: Needs,
  of: { userId: string; mailboxId?: number | undefined },
): Promise<number> {
  const { db, clock, startOperation } = context;
  const asked = await commitOnce(db, async (trx) => {
    const mailboxes = await askForSync(trx, of, clock.now());
    if (of.mailboxId !== undefined && mailboxes === 0) throw noMailbox(of.mailboxId);
    noteChange({ after: { mailboxId: of.mailboxId, mailboxes } });
    return mailboxes;
  });
  for (const operation of await insertMissingInboxSyncs(db, { userId: of.userId })) {
    await startOperation(operation);
  }
  return asked;
}
