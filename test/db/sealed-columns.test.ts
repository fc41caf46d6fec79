/** What is sealed is known to the rotation of keys, which loses nothing wherever it is interrupted. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { countSealed, resealColumn } from '../../src/transactions/reseal.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../../src/transactions/sealed-columns.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addSealedRows, lostValues } from '../support/database/sealed-rows.ts';
import { openSealedSecrets } from '../support/database/sealed-secrets.ts';

/** Bytes that are no secrets: hashes. */
const NOT_SEALED = ['api_keys.hash', 'idempotency_keys.body_hash'];
const IS_HASH = /\.(key_)?hash$/;

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [first, second] = [key('k1'), key('k2')];
const old = createCipher(first);
const both = createCipher(`${second},${first}`);
const next = createCipher(second);

const ROWS = 250;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addSealedRows(database.db, old, ROWS);
});
afterAll(() => database?.close());

const underOtherKeys = async () =>
  (await countSealed(database.db, SEALED_COLUMNS)).filter(({ keyId }) => keyId !== 'k2');

async function sources(): Promise<string[]> {
  const found = await Promise.all(
    ['src', 'activities'].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((path) => `${folder}/${path}`),
    ),
  );
  return found.flat().filter((path) => path.endsWith('.ts'));
}

describe('the list of sealed columns', () => {
  it('has every column of bytes that is no hash', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' order by 1`.execute(database.db);
    const bytes = rows.map(({ name }) => name).filter((name) => !NOT_SEALED.includes(name));
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(bytes.filter((name) => !IS_HASH.test(name))).toEqual(listed.toSorted());
  });

  it('is what the search for secrets in the clear opens, each of them', async () => {
    const opened = await openSealedSecrets(database.db, old);
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect([...opened.keys()].toSorted()).toEqual(listed.toSorted());
    // Of answers and effects of requests only what is made for clients counts, and these rows have none.
    const empty = [...opened].filter(([, secrets]) => secrets.length === 0).map(([name]) => name);
    expect(empty).toEqual(['idempotency_keys.sealed_answer', 'idempotency_keys.sealed_effect']);
  });

  it('is not passed by: the search throws at a column of bytes that it does not know', async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('alter table users add column unknown bytea');
    await expect(openSealedSecrets(database.db, old)).rejects.toThrow('users.unknown');
    await owner.query('alter table users drop column unknown');
    await owner.end();
  });

  it('knows every binding by which the sources seal', async () => {
    const list = await readFile('src/transactions/sealed-columns.ts', 'utf8');
    const bindings = new Set<string>();
    for (const path of await sources()) {
      // Payloads of Temporal, and the rotation itself.
      if (/^src\/(temporal|encryption|sandbox)\/|reseal\.ts$/.test(path)) continue;
      const text = await readFile(path, 'utf8');
      for (const [, name] of text.matchAll(/cipher\.seal\((?:[^()]|\([^()]*\))*?,\s*(\w+)/g)) {
        bindings.add(name!);
      }
    }
    expect(bindings.size).toBeGreaterThan(5);
    expect([...bindings].filter((name) => !list.includes(`${name}(`))).toEqual([]);
  });
});

/** False: it was interrupted after its first batch. */
async function goesThrough(column: SealedColumn): Promise<boolean> {
  const work = { db: database.db, cipher: both, keyId: 'k2' };
  try {
    await resealColumn(work, column, ({ resealed }) => {
      if (resealed > 0) throw new Error('interrupted');
    });
    return true;
  } catch (error) {
    if ((error as Error).message !== 'interrupted') throw error;
    return false;
  }
}

describe('a rotation', () => {
  it('goes on where it was interrupted, after each of its batches, and loses nothing', async () => {
    const lost: string[] = [];
    let interruptions = 0;
    for (const column of SEALED_COLUMNS) {
      while (!(await goesThrough(column))) {
        interruptions += 1;
        if (interruptions % 5 === 0) lost.push(...(await lostValues(database.db, both)));
      }
    }
    expect(lost).toEqual([]);
    expect(interruptions).toBeGreaterThan(20);
    expect(await underOtherKeys()).toEqual([]);
    // The old key is gone.
    expect(await lostValues(database.db, next)).toEqual([]);
  });

  it('leaves what it cannot open, and what somebody else is changing, as it is', async () => {
    const { db } = database;
    const column = SEALED_COLUMNS.find((one) => one.table === 'webhooks')!;
    const stranger = createCipher(key('k0'));
    const { rows } = await sql<{ id: number }>`select id from webhooks order by id limit 2`.execute(
      db,
    );
    const [unknown, busy] = rows.map(({ id }) => id);
    const write = (id: number, sealed: Buffer) =>
      sql`update webhooks set secret = ${sealed} where id = ${id}`.execute(db);
    await write(unknown!, stranger.seal('x', column.boundTo({ id: unknown })));
    await write(busy!, old.seal('before', column.boundTo({ id: busy })));
    await db.transaction().execute(async (trx) => {
      await sql`select 1 from webhooks where id = ${busy!} for update`.execute(trx);
      const done = await resealColumn({ db, cipher: both, keyId: 'k2' }, column, () => undefined);
      expect(done).toEqual({ resealed: 0, unreadable: 1 });
    });
    const done = await resealColumn({ db, cipher: both, keyId: 'k2' }, column, () => undefined);
    expect(done).toEqual({ resealed: 1, unreadable: 1 });
    expect((await underOtherKeys()).map(({ keyId, count }) => [keyId, count])).toEqual([['k0', 1]]);
  });
});
