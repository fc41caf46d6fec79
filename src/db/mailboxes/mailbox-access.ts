/** What it takes to log in to a mailbox. */
import type { Kysely } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import { passwordBinding } from './mailboxes.ts';
import type { Database } from '../tables.ts';

/** Undefined for a mailbox that is not active, or whose host is not known. */
export async function findMailboxAccess(
  { db, cipher }: { db: Kysely<Database>; cipher: Cipher },
  mailboxId: number,
): Promise<{ host: string; email: string; password: string } | undefined> {
  const row = await db
    .selectFrom('mailboxes')
    .innerJoin('clusters', 'clusters.id', 'mailboxes.cluster_id')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .select(['mailboxes.email', 'mailboxes.password', 'servers.host_name'])
    .where('mailboxes.id', '=', mailboxId)
    .where('mailboxes.status', '=', 'active')
    .executeTakeFirst();
  if (!row?.password) return undefined;
  const password = cipher.open(row.password, passwordBinding(mailboxId));
  return { host: row.host_name, email: row.email, password };
}
