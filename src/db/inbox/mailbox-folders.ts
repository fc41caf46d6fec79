/** How far each folder of a mailbox was read, and where its messages are at the host. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { FolderRole } from '../../domain/inbox/inbox.ts';
import { arrayLiteral } from '../array-literal.ts';
import type { MailboxFoldersTable } from './inbox-tables.ts';
import type { Database } from '../tables.ts';

export type MailboxFolder = Selectable<MailboxFoldersTable>;

/** A folder of a mailbox. */
export interface FolderKey {
  mailboxId: number;
  path: string;
}

/**
 * The folder's row, written only where it changes: folders are opened every few minutes. UIDs of another
 * UIDVALIDITY are meaningless (RFC 9051, 2.3.1.1): then the folder is read from its beginning, and known
 * messages are recognised by their Message-ID.
 */
export async function openFolderRow(
  trx: Transaction<Database>,
  { mailboxId, path }: FolderKey,
  found: { role: FolderRole; uidValidity: number },
): Promise<MailboxFolder> {
  const known = await trx
    .selectFrom('mailbox_folders')
    .selectAll()
    .where('mailbox_id', '=', mailboxId)
    .where('path', '=', path)
    .executeTakeFirst();
  const isSame = known?.role === found.role && known.uid_validity === found.uidValidity;
  if (isSame) return known;
  const row = await trx
    .insertInto('mailbox_folders')
    .values({
      mailbox_id: mailboxId,
      path,
      role: found.role,
      uid_validity: found.uidValidity,
      highest_modseq: null,
      synced_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['mailbox_id', 'path']).doUpdateSet({ role: found.role }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.uid_validity === found.uidValidity) return row;
  await trx
    .deleteFrom('message_places')
    .where('mailbox_id', '=', mailboxId)
    .where('path', '=', path)
    .execute();
  return trx
    .updateTable('mailbox_folders')
    .set({ uid_validity: found.uidValidity, last_uid: 0, highest_modseq: null })
    .where('mailbox_id', '=', mailboxId)
    .where('path', '=', path)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Moves the cursor, in the transaction that stores the messages up to it. False when another attempt has
 * moved it meanwhile (one that was given up and still runs): then nothing may be stored.
 */
export async function moveCursor(
  trx: Transaction<Database>,
  { mailboxId, path }: FolderKey,
  move: { uidValidity: number; fromUid: number; toUid: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mailbox_folders')
    .set({ last_uid: move.toUid })
    .where('mailbox_id', '=', mailboxId)
    .where('path', '=', path)
    .where('uid_validity', '=', move.uidValidity)
    .where('last_uid', '=', move.fromUid)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records up to which change the flags are known, and when; nothing where it is unchanged. */
export async function noteFolderRead(
  db: Kysely<Database>,
  { mailboxId, path }: FolderKey,
  { modseq, at }: { modseq: number | null; at: Date },
): Promise<void> {
  await db
    .updateTable('mailbox_folders')
    .set({ highest_modseq: modseq, synced_at: at })
    .where('mailbox_id', '=', mailboxId)
    .where('path', '=', path)
    .where((eb) =>
      eb.or([eb('highest_modseq', 'is distinct from', modseq), eb('synced_at', 'is', null)]),
    )
    .execute();
}

/** A message and its location. */
export interface Place {
  uid: number;
  messageId: number;
}

/** Records where messages are. Safe to repeat. */
export async function insertPlaces(
  trx: Transaction<Database>,
  { mailboxId, path }: FolderKey,
  places: readonly Place[],
): Promise<void> {
  if (places.length === 0) return;
  await sql`
    insert into message_places (mailbox_id, path, uid, message_id)
    select ${mailboxId}, ${path}, place.uid, place.message_id
    from unnest(${arrayLiteral(places, ({ uid }) => uid)}::bigint[],
      ${arrayLiteral(places, ({ messageId }) => messageId)}::bigint[]) as place (uid, message_id)
    on conflict (mailbox_id, path, uid) do update set message_id = excluded.message_id`.execute(
    trx,
  );
}

/** How many messages of the folder are known. */
export async function countPlaces(
  db: Kysely<Database>,
  { mailboxId, path }: FolderKey,
): Promise<number> {
  const folder = await db
    .selectFrom('mailbox_folders')
    .select('places')
    .where('mailbox_id', '=', mailboxId)
    .where('path', '=', path)
    .executeTakeFirst();
  return folder?.places ?? 0;
}

/** Deletes the locations of messages that are no longer in the folder; the messages stay. */
export async function deleteOtherPlaces(
  trx: Transaction<Database>,
  { mailboxId, path }: FolderKey,
  { upToUid, present }: { upToUid: number; present: readonly number[] },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from message_places
    where mailbox_id = ${mailboxId} and path = ${path} and uid <= ${upToUid}
      and not uid = any(${arrayLiteral(present, (uid) => uid)}::bigint[])`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
