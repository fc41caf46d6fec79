/** A slice of `npm run drill -- fuzz`: nothing answers 500 or against the API's own document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoutes } from '../../src/routes/index.ts';
import type { TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { fuzz, startFuzzedApi } from '../support/api/fuzz.ts';

const count = Number(process.env.FUZZ_REQUESTS ?? 600);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startFuzzedApi(database);
});
afterAll(async () => {
  await api.close();
  await database.close();
});

describe('any request', () => {
  it(`answers as the document says (seed ${seed})`, { timeout: 180_000 }, async () => {
    const { answered, asked, faults } = await fuzz(api, { requests: count, seed });
    expect(faults).toEqual([]);
    expect(answered).toBe(count);
    const operations = createRoutes(api.context).map(({ operationId }) => operationId);
    expect([...asked].toSorted()).toEqual(operations.toSorted());
  });
});

describe('the vendors of these requests', () => {
  it.each([
    ['google', 201],
    ['microsoft', 502],
  ])(
    'are there: %s, whom a mailbox is connected by, lets requests get to %i',
    async (provider, expected) => {
      const token = await api.jwt('fuzzer');
      const body = { provider, email: 'own@elsewhere.test' };
      const { status } = await api.call('POST', '/v1/mailboxes/connect/oauth', { token, body });
      expect(status).toBe(expected);
    },
  );
});
