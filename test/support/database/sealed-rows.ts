/** Rows whose secrets are sealed in every column that has any, for tests of key rotation. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Cipher } from '../../../src/domain/cipher.ts';
import { SEALED_COLUMNS } from '../../../src/transactions/sealed-columns.ts';

/** What each value says: where it belongs. */
const textOf = (table: string, column: string, boundTo: string) => `${table}.${column} ${boundTo}`;

/** A user with one domain, server, cluster, role mailbox, and this many mailboxes, webhooks and requests. */
export async function addSealedRows(
  db: Kysely<Database>,
  cipher: Cipher,
  rows: number,
): Promise<void> {
  const place = Buffer.from('sealed');
  await sql`insert into users (user_id, email) values ('sealer', 'sealer@x.test')`.execute(db);
  await sql`insert into domains (user_id, name, provider, dkim_selector, dkim_private_key, dkim_public_key,
      dkim_since, next_dkim_selector, next_dkim_private_key, next_dkim_public_key)
    values ('sealer', 'sealed.test', 'porkbun', 's1', ${place}, 'p', now(), 's2', ${place}, 'p')`.execute(
    db,
  );
  await sql`insert into servers (user_id, provider, intent_name, host_name, client_private_key,
      client_public_key, next_client_private_key, next_client_public_key, host_private_key, host_public_key)
    values ('sealer', 'hetzner', 'outreach-7-1', 'mail.sealed.test', ${place}, 'k', ${place}, 'k', ${place}, 'k')`.execute(
    db,
  );
  await sql`insert into clusters (user_id, domain_id, server_id, name, use_existing_vps)
    select 'sealer', d.id, s.id, d.name, false from domains d, servers s`.execute(db);
  await sql`insert into role_mailboxes (cluster_id, name, password)
    select id, 'abuse', ${place} from clusters`.execute(db);
  await sql`insert into mailboxes (user_id, cluster_id, email, password, next_password)
    select 'sealer', c.id, 'm' || n || '@sealed.test', ${place}, ${place}
    from clusters c, generate_series(1, ${rows}::int) n`.execute(db);
  await sql`insert into oauth_consents (digest, user_id, provider, secret, wanted, expires_at)
    select 'digest ' || n, 'sealer', 'google', ${place}, '{}', now()
    from generate_series(1, 5) n`.execute(db);
  await sql`insert into oauth_grants (id, mailbox_id, provider, refresh_token, access_token)
    select gen_random_uuid(), id, 'microsoft', ${place}, ${place} from mailboxes limit 5`.execute(
    db,
  );
  await sql`insert into mailbox_imports (user_id, total_rows) values ('sealer', ${rows}::int)`.execute(
    db,
  );
  await sql`insert into mailbox_import_rows (import_id, row_number, state, password)
    select i.id, n, 'waiting', ${place} from mailbox_imports i, generate_series(1, ${rows}::int) n`.execute(
    db,
  );
  await sql`insert into placement_seeds (user_id, address, provider, username, imap, password)
    select 'sealer', 's' || n || '@seeds.test', 'other', 's', '{}', ${place}
    from generate_series(1, ${rows}::int) n`.execute(db);
  await sql`insert into tracking_domains (user_id, name, dns_token, certificate_key, order_key)
    select 'sealer', 'l' || n || '.sealed.test', 't' || n, ${place}, ${place}
    from generate_series(1, ${rows}::int) n`.execute(db);
  await sql`insert into acme_accounts (directory_url, private_key)
    select 'https://ca.test/' || n, ${place} from generate_series(1, ${rows}::int) n`.execute(db);
  await sql`insert into webhooks (user_id, url, event_types, secret, previous_secret)
    select 'sealer', 'https://hooks.test/' || n, '{}', ${place}, ${place}
    from generate_series(1, ${rows}::int) n`.execute(db);
  await sql`insert into idempotency_keys (user_id, route, key, body_hash, holder, lease_until, expires_at,
      sealed_answer, sealed_effect, status)
    select 'sealer', 'POST /v1/x', 'key "' || n, 'hash', gen_random_uuid(), now(), now() + interval '1 day',
      ${place}, ${place}, 200 from generate_series(1, ${rows}::int) n`.execute(db);
  for (const column of SEALED_COLUMNS) {
    const values = await valuesOf(db, column);
    const sealed = values.map(({ boundTo }) =>
      cipher.seal(textOf(column.table, column.column, boundTo), boundTo),
    );
    const places = values.map(({ ctid }) => ctid);
    await sql`update ${sql.table(column.table)} as t set ${sql.ref(column.column)} = v.sealed
      from unnest(${places}::text[], ${sealed}::bytea[]) as v (place, sealed)
      where t.ctid = v.place::tid`.execute(db);
  }
}

/** Values that do not open, or say something else: none, unless a rotation lost something. */
export async function lostValues(db: Kysely<Database>, cipher: Cipher): Promise<string[]> {
  const lost: string[] = [];
  for (const column of SEALED_COLUMNS) {
    for (const { sealed, boundTo } of await valuesOf(db, column)) {
      const text = textOf(column.table, column.column, boundTo);
      try {
        if (cipher.open(sealed, boundTo) !== text) lost.push(text);
      } catch (error) {
        lost.push(`${text}: ${String(error)}`);
      }
    }
  }
  return lost;
}

async function valuesOf(db: Kysely<Database>, column: (typeof SEALED_COLUMNS)[number]) {
  const { rows } = await sql<Record<string, unknown> & { ctid: string; sealed: Buffer }>`
    select *, ctid::text as ctid, ${sql.ref(column.column)} as sealed from ${sql.table(column.table)}
    where ${sql.ref(column.column)} is not null`.execute(db);
  return rows.map((row) => ({
    ctid: row.ctid,
    sealed: row.sealed,
    boundTo: column.boundTo(row),
  }));
}
