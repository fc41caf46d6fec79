/** The key that we log in to a server with, while another one takes its place. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** Keeps a next key that is there already: it may be on the host. Only a server in use gets one. */
export async function setNextClientKey(
  db: Kysely<Database>,
  serverId: number,
  key: { sealedPrivateKey: Buffer; publicKey: string },
): Promise<void> {
  await db
    .updateTable('servers')
    .set({
      next_client_private_key: key.sealedPrivateKey,
      next_client_public_key: key.publicKey,
      updated_at: new Date(),
    })
    .where('id', '=', serverId)
    .where('status', '=', 'active')
    .where('next_client_public_key', 'is', null)
    .execute();
}

/** Uses the next key from here on, and keeps the public part of the old one, which is still on the host. */
export async function switchClientKey(db: Kysely<Database>, serverId: number): Promise<void> {
  await sql`
    update servers set old_client_public_key = client_public_key,
      client_private_key = next_client_private_key, client_public_key = next_client_public_key,
      next_client_private_key = null, next_client_public_key = null, updated_at = now()
    where id = ${serverId} and next_client_public_key is not null`.execute(db);
}

export async function forgetOldClientKey(db: Kysely<Database>, serverId: number): Promise<void> {
  await db
    .updateTable('servers')
    .set({ old_client_public_key: null, updated_at: new Date() })
    .where('id', '=', serverId)
    .execute();
}

export async function dropNextClientKey(db: Kysely<Database>, serverId: number): Promise<void> {
  await db
    .updateTable('servers')
    .set({ next_client_private_key: null, next_client_public_key: null, updated_at: new Date() })
    .where('id', '=', serverId)
    .execute();
}
