/** A rented server's row, for tests that need no real machine. */
import type { Insertable, Kysely } from 'kysely';
import type { ServersTable } from '../../../src/db/clusters/cluster-tables.ts';
import type { Database } from '../../../src/db/tables.ts';

type Given = Pick<Insertable<ServersTable>, 'user_id' | 'host_name'> &
  Partial<Insertable<ServersTable>>;

/** At Hetzner, with keys that fit nothing; answers its id. */
export async function addServer(db: Kysely<Database>, given: Given): Promise<number> {
  const key = Buffer.from('sealed');
  const { id } = await db
    .insertInto('servers')
    .values({
      provider: 'hetzner',
      intent_name: `server-${given.host_name}`,
      client_private_key: key,
      client_public_key: 'key',
      host_private_key: key,
      host_public_key: 'key',
      ...given,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
