/** Arrays as text mean to Postgres what they say. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrayLiteral } from '../../src/db/array-literal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', ',', 'N', 'U', 'L', ' ', "'", 'ü', '\n'),
  }),
  fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\u0000')),
);

it('holds every text, number and null', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.option(text), n: fc.integer(), yes: fc.boolean() }), {
        minLength: 1,
      }),
      async (rows) => {
        const { rows: answer } = await sql<{ text: string | null; n: number; yes: boolean }>`
          select * from unnest(${arrayLiteral(rows, (row) => row.text)}::text[],
            ${arrayLiteral(rows, (row) => row.n)}::int[],
            ${arrayLiteral(rows, (row) => row.yes)}::boolean[]) as row (text, n, yes)`.execute(
          database.db,
        );
        expect(answer).toEqual(rows);
      },
    ),
  );
});
