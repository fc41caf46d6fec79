/** What the database holds sealed, opened: the secrets that must be nowhere in the clear. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Cipher } from '../../../src/domain/cipher.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../../../src/transactions/sealed-columns.ts';

/** Bytes that are no secrets: hashes. */
const IS_HASH = /\.(key_|body_)?hash$/;

/** Answers and effects of requests hold much that is no secret: of them, what is made for clients. */
const MADE_SECRETS = /svc_(?:test_)?[0-9a-f]{64}|whsec_[\w+/=-]{16,}|(?<="password":")[^"]+/g;

/** By column, such as `mailboxes.password`. Throws for a column of bytes that is neither known nor a hash. */
export async function openSealedSecrets(
  db: Kysely<Database>,
  cipher: Cipher,
): Promise<Map<string, string[]>> {
  const opened = new Map<string, string[]>();
  for (const name of await columnsOfBytes(db)) {
    if (IS_HASH.test(name)) continue;
    const column = SEALED_COLUMNS.find((one) => `${one.table}.${one.column}` === name);
    if (!column) throw new Error(`${name} holds bytes, and is in no list of sealed columns`);
    const texts = await openColumn(db, cipher, column);
    opened.set(name, [...new Set(texts.flatMap((text) => secretsIn(column, text)))]);
  }
  return opened;
}

async function columnsOfBytes(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function openColumn(db: Kysely<Database>, cipher: Cipher, column: SealedColumn) {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(column.table)}
    where ${sql.ref(column.column)} is not null`.execute(db);
  return rows.map((row) => cipher.open(row[column.column] as Buffer, column.boundTo(row)));
}

function secretsIn({ column }: SealedColumn, text: string): string[] {
  if (column === 'sealed_answer') return text.match(MADE_SECRETS) ?? [];
  // Serialized, in base64.
  if (column === 'sealed_effect') {
    return Buffer.from(text, 'base64').toString('latin1').match(MADE_SECRETS) ?? [];
  }
  if (text.startsWith('{')) return Object.values(JSON.parse(text) as object).filter(isText);
  return text.includes('PRIVATE KEY') ? privateLines(text) : [text];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Lines of a key in PEM where nothing is public. */
function privateLines(pem: string): string[] {
  const lines = pem.split('\n').filter((line) => line.length > 30 && !line.startsWith('---'));
  // Of a key on an elliptic curve the end of three lines is its public half; of others the begin is.
  return lines.length === 3 ? [lines[1]!] : lines.slice(lines.length / 2);
}
