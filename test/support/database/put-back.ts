/** A database that is put back to an earlier moment while its users stay connected, as a restore does to them. */
import { Client } from 'pg';

export interface Snapshot {
  /** All tables and sequences are as they were; what came since is gone. May be repeated. */
  putBack(): Promise<void>;
}

/** Copies all tables, of one moment. `ownerUrl`: a superuser's, since the ledger's triggers refuse such changes. */
export async function takeSnapshot(ownerUrl: string): Promise<Snapshot> {
  return withClient(ownerUrl, async (client) => {
    await client.query('drop schema if exists snapshot cascade; create schema snapshot');
    await client.query('begin isolation level repeatable read');
    const tables = await namesOf(
      client,
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const name of tables) {
      await client.query(`create table snapshot.${name} as table public.${name}`);
    }
    const sequences = await client.query<{ name: string; value: string | null }>(
      `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public'`,
    );
    await client.query('commit');
    return { putBack: () => withClient(ownerUrl, (one) => putBack(one, tables, sequences.rows)) };
  });
}

async function putBack(
  client: Client,
  tables: readonly string[],
  sequences: readonly { name: string; value: string | null }[],
): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  await client.query(`truncate ${tables.map((name) => `public.${name}`).join(', ')}`);
  for (const name of tables) {
    const columns = await namesOf(
      client,
      `select quote_ident(column_name) as name from information_schema.columns
        where table_schema = 'public' and table_name = '${name}' and is_generated = 'NEVER'
        order by ordinal_position`,
    );
    const list = columns.join(', ');
    await client.query(
      `insert into public.${name} (${list}) overriding system value select ${list} from snapshot.${name}`,
    );
  }
  for (const { name, value } of sequences) {
    await client.query(`select setval('public.${name}', ${value ?? 1}, ${value !== null})`);
  }
  await client.query('commit');
}

async function namesOf(client: Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
