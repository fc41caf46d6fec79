/** Parts of a lead file: each may run twice, and the process may die between any two lines. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leadImportActivities } from '../../activities/leads/lead-imports.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/tables.ts';
import { PART_ROWS } from '../../src/domain/leads/lead-imports.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { tablesWith } from '../support/database/database-search.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';
import { watchLiveHeap } from '../support/tools/live-heap.ts';

let database: TestDatabase;
let api: TestApi;
let token: string;
let userId: string;
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const context = { startOperation: async () => true } as unknown as Partial<Context>;
  api = await startTestApi({ database, context });
});
beforeEach(async () => {
  userId = `user-${(users += 1)}`;
  token = await api.jwt(userId);
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** `rows` people, every third of whom stands there twice, and a broken row at every tenth place. */
function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    if (at % 10 === 9) return `broken,Nobody,${at}`;
    const n = at % 3 === 2 ? at - 1 : at;
    return `p${n}@firm${n % 50}.example,Person ${n},Firm ${n % 50}`;
  });
  return `email,name,company\n${lines.join('\n')}\n`;
}

async function upload(csv: string, leadListId?: number): Promise<number> {
  const body = { csv, ...(leadListId !== undefined && { leadListId }) };
  return (await api.call('POST', '/v1/leads/import', { token, body })).body.data.id;
}

async function aList(): Promise<number> {
  const { body } = await api.call('POST', '/v1/lead-lists', { token, body: { name: 'A list' } });
  return body.data.id;
}

const importOne = (importId: number, db = database.db) =>
  leadImportActivities({ db }, { partsAtOnce: 1 }).importLeadParts({ importId, operationId: 0 });

const stateOf = async (id: number) =>
  (await api.call('GET', `/v1/leads/import/${id}`, { token })).body.data;

/** People and companies as one comparable text. */
async function contentOf(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws('|', email, first_name, last_name, c.name) as line
    from leads l left join companies c on c.id = l.company_id
    where l.user_id = ${userId} order by line`.execute(database.db);
  return rows.map(({ line }) => line);
}

async function countOf(table: 'leads' | 'companies' | 'lead_import_errors' | 'lead_import_parts') {
  const owner = table.startsWith('lead_import')
    ? sql`where import_id in (select id from lead_imports where user_id = ${userId})`
    : sql`where user_id = ${userId}`;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} ${owner}`.execute(database.db);
  return rows[0]!.n;
}

/** What the import says adds up to what is stored. */
async function expectExact(id: number): Promise<void> {
  const state = await stateOf(id);
  expect(state.processedRows).toBe(state.importedLeads + state.foundLeads + state.skippedItems);
  expect(await countOf('leads')).toBe(state.importedLeads);
  expect(await countOf('lead_import_errors')).toBe(state.failedRows);
}

/** A database that dies at the end of a transaction, before it is committed. */
const dyingDatabase = (): Kysely<Database> =>
  new Proxy(database.db, {
    get(target, name, receiver) {
      if (name !== 'transaction') return Reflect.get(target, name, receiver) as unknown;
      return () => ({
        execute: (work: (trx: unknown) => Promise<unknown>) =>
          target.transaction().execute(async (trx) => {
            await work(trx);
            throw new Error('the process died');
          }),
      });
    },
  });

const ROWS = 2 * PART_ROWS + 500;

describe('importLeadParts', () => {
  it('imports part after part, with counts that are exact after each', async () => {
    const id = await upload(fileOf(ROWS));
    expect(await countOf('lead_import_parts')).toBe(3);
    for (const done of [PART_ROWS, 2 * PART_ROWS, ROWS]) {
      const answer = await importOne(id);
      expect(answer).toEqual({
        state: 'active',
        isDone: done === ROWS,
        progress: `${done} of ${ROWS} rows`,
      });
      expect(await stateOf(id)).toMatchObject({ processedRows: done, failedRows: done / 10 });
      await expectExact(id);
    }
    expect(await countOf('companies')).toBe(50);
    expect(await countOf('lead_import_parts')).toBe(0);
    // The answer of the last part was lost.
    expect(await importOne(id)).toMatchObject({ isDone: true });
    await expectExact(id);
  });

  it('repeats a part that died before it was committed, and doubles nothing', async () => {
    const id = await upload(fileOf(ROWS));
    for (let part = 0; part < 3; part += 1) {
      await expect(importOne(id, dyingDatabase())).rejects.toThrow('the process died');
      await expectExact(id);
      await importOne(id);
    }
    expect(await stateOf(id)).toMatchObject({ processedRows: ROWS });
    await expectExact(id);
  });

  it('imports each row once when two attempts run at the same time', async () => {
    const id = await upload(fileOf(ROWS));
    await Promise.all(Array.from({ length: 4 }, () => importOne(id)));
    expect(await stateOf(id)).toMatchObject({ processedRows: ROWS });
    await expectExact(id);
  });

  it('gives the same set for two imports of one file at once, without twins', async () => {
    const once = await upload(fileOf(ROWS));
    await runLeadImport(database, once);
    const expected = await contentOf();
    userId = `user-${(users += 1)}`;
    token = await api.jwt(userId);
    const ids = [await upload(fileOf(ROWS)), await upload(fileOf(ROWS))];
    await Promise.all(ids.map((id) => runLeadImport(database, id)));
    expect(await contentOf()).toEqual(expected);
    const [one, two] = await Promise.all(ids.map(stateOf));
    expect(one.importedLeads + two.importedLeads).toBe(expected.length);
    expect(one.importedCompanies + two.importedCompanies).toBe(50);
    expect(one.foundCompanies + two.foundCompanies).toBe(50);
    expect(one.failedRows).toBe(two.failedRows);
  });

  it('stores nothing after a cancel, and keeps what is there', async () => {
    const id = await upload(fileOf(ROWS));
    await importOne(id);
    const temporal = {
      withDeadline: (_at: number, work: () => unknown) => work(),
      workflow: { getHandle: () => ({ signal: async () => undefined }) },
    };
    Object.assign(api.context, { temporal });
    await api.call('POST', `/v1/leads/import/${id}/cancel`, { token });
    expect(await importOne(id)).toMatchObject({ state: 'over', isDone: false });
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', processedRows: PART_ROWS });
    expect(await countOf('lead_import_parts')).toBe(0);
    await expectExact(id);
  });

  it('ends when its list is deleted: choice 4', async () => {
    const list = await aList();
    const id = await upload(fileOf(ROWS), list);
    await importOne(id);
    expect(await api.call('DELETE', `/v1/lead-lists/${list}`, { token })).toMatchObject({
      status: 200,
    });
    expect(await importOne(id)).toMatchObject({ state: 'over', isDone: false });
    expect(await stateOf(id)).toMatchObject({
      status: 'cancelled',
      leadListId: null,
      processedRows: PART_ROWS,
    });
    expect([await countOf('leads'), await countOf('lead_import_parts')]).toEqual([0, 0]);
  });

  it('keeps no refused row of somebody who was erased', async () => {
    await api.call('POST', '/v1/erasures', { token, body: { email: 'zelda@qx.example' } });
    const id = await upload(
      'email,name,note\na@x.example,A B,\nbroken,C D,zelda@qx.example\nbroken,E F,\n',
    );
    await runLeadImport(database, id);
    expect(await stateOf(id)).toMatchObject({ importedLeads: 1, skippedItems: 2, failedRows: 1 });
    expect(await tablesWith(database, 'zelda@qx')).toEqual([]);
    await expectExact(id);
  });

  it('and the deletion of its list at the same moment end, in whatever order', async () => {
    const list = await aList();
    const id = await upload(fileOf(ROWS), list);
    const [deleted] = await Promise.all([
      api.call('DELETE', `/v1/lead-lists/${list}`, { token }),
      importOne(id),
      importOne(id),
    ]);
    expect(deleted.status).toBe(200);
    await importOne(id);
    expect((await stateOf(id)).status).toBe('cancelled');
    expect([await countOf('leads'), await countOf('lead_import_parts')]).toEqual([0, 0]);
  });

  it('says that no row became a lead, again when it is asked again', async () => {
    const id = await upload('email\nnobody\n');
    const refused = expect.objectContaining({ code: 'NO_LEADS_IMPORTED' });
    await expect(importOne(id)).rejects.toEqual(refused);
    await expect(importOne(id)).rejects.toEqual(refused);
    expect(await countOf('lead_import_errors')).toBe(1);
  });

  it('takes several parts at once, and reads the next while one is stored', async () => {
    const csv = fileOf(ROWS);
    const id = await upload(csv);
    const importing = leadImportActivities(database);
    expect(await importing.importLeadParts({ importId: id, operationId: 0 })).toMatchObject({
      isDone: true,
    });
    await expectExact(id);
    const expected = await contentOf();
    userId = `user-${(users += 1)}`;
    token = await api.jwt(userId);
    const single = await upload(csv);
    while (!(await importOne(single)).isDone);
    expect(await contentOf()).toEqual(expected);
  });

  it('imports 100,000 rows, and exports them, in little memory', { timeout: 180_000 }, async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `p${n}@big.com,P ${n},Big ${n % 999}`);
    const id = await upload(`email,name,company\n${lines.join('\n')}\n`);
    const heap = watchLiveHeap();
    while (!(await importOne(id)).isDone);
    expect(await countOf('leads')).toBe(100_000);
    const response = await fetch(`${api.url}/v1/leads/export`, {
      headers: { authorization: `Bearer ${token}` },
    });
    let rows = 0;
    for await (const chunk of response.body!) {
      rows +=
        Buffer.from(chunk as Uint8Array)
          .toString()
          .split('\n').length - 1;
    }
    expect(rows).toBe(100_001);
    expect(heap.stop()).toBeLessThan(100);
  });
});
