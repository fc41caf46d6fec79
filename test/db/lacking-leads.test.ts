/** The check before a start counts a lead as nameless exactly where its messages greet nobody by name. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countLeadsWithout } from '../../src/db/campaigns/lacking-leads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { newSend } from '../support/inbox/inbox-sends.ts';
import { OF_BUSINESSES, OF_PEOPLE } from '../support/leads/two-part-names.ts';

let database: TestDatabase;
let campaignId: number;
let leadId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const sent = await newSend(db);
  ({ campaignId, leadId } = sent);
  await sql`with company as (
      insert into companies (user_id, name, name_key) values (${sent.userId}, '', '') returning id)
    update leads set company_id = company.id from company where leads.id = ${leadId}`.execute(db);
});
afterAll(() => database?.close());

const cases = [
  ...OF_PEOPLE.map((name) => [...name, 0] as const),
  ...OF_BUSINESSES.map((name) => [...name, 1] as const),
  // What files have for nothing.
  ['N/A', 'Lee', null, 1] as const,
  ['-', '-', 'Acme', 1] as const,
  ['(unknown)', '', null, 1] as const,
  ['Ann', 'N/A', 'N/A', 0] as const,
  ['N. A.', 'Lee', '-', 0] as const,
];

it.each(cases)('%s %s, of %s: %i', async (firstName, lastName, company, lacking) => {
  const { db } = database;
  await sql`update leads set first_name = ${firstName}, last_name = ${lastName}
    where id = ${leadId}`.execute(db);
  await sql`update companies set name = ${company ?? ''}
    where id = (select company_id from leads where id = ${leadId})`.execute(db);
  expect(await countLeadsWithout(db, campaignId, ['firstName'], new Map())).toBe(lacking);
});
