/** Deletions of leads lock in the order of all who write to them: recipients by their leads, then leads. Choice 4. */
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { deleteCompany, deleteLeads } from '../../src/db/leads/leads.ts';
import { removeListPortion, removeSmallList } from '../../src/db/leads/list-deletions.ts';
import type { Database } from '../../src/db/tables.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database?.close());

/** A list of two leads in a campaign, whose rows lie in the table the other way round. */
async function listOfTwo() {
  const { db } = database;
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: [], mailboxIds });
  const { rows } = await sql<{ list: number; company: number; id: number }>`
    with list as (insert into lead_lists (user_id, name) values (${userId}, 'Two') returning id),
    company as (
      insert into companies (user_id, name, name_key, lead_list_id)
      select ${userId}, 'Acme', 'acme', id from list returning id, lead_list_id
    )
    insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key,
      provenance)
    select ${userId}, company.id, 'P', 'Test', 'p', n || '@x.test', n || '@x.test', '{}'
    from company, generate_series(1, 2) as n
    returning id, company_id as company, (select id from list) as list`.execute(db);
  const [one, two] = rows.map(({ id }) => id).toSorted((a, b) => a - b) as [number, number];
  for (const id of [two, one]) {
    await sql`insert into recipients (campaign_id, lead_id, user_id, due_at)
      values (${campaignId}, ${id}, ${userId}, now())`.execute(db);
  }
  await sql`update leads set updated_at = now() where id = ${one}`.execute(db);
  return { userId, listId: rows[0]!.list, companyId: rows[0]!.company, one, two };
}

type Two = Awaited<ReturnType<typeof listOfTwo>>;

const DELETIONS: [string, (trx: Transaction<Database>, two: Two) => Promise<unknown>][] = [
  ['of a small list', (trx, { userId, listId }) => removeSmallList(trx, userId, listId)],
  ['of a company', (trx, { userId, companyId }) => deleteCompany(trx, userId, companyId)],
  ['of single leads', (trx, { userId, one, two }) => deleteLeads(trx, userId, [two, one])],
];

const lockRecipient = (trx: Transaction<Database>, leadId: number) =>
  sql`select from recipients where lead_id = ${leadId} for no key update`.execute(trx);
const lockLead = (trx: Transaction<Database>, leadId: number) =>
  sql`select from leads where id = ${leadId} for no key update`.execute(trx);

/** As whoever writes how messages ended or what came of them. */
const WRITERS: [string, (trx: Transaction<Database>, two: Two) => (() => Promise<unknown>)[]][] = [
  [
    'two recipients',
    (trx, { one, two }) => [() => lockRecipient(trx, one), () => lockRecipient(trx, two)],
  ],
  ['two leads', (trx, { one, two }) => [() => lockLead(trx, one), () => lockLead(trx, two)]],
  [
    'a recipient, and then its lead',
    (trx, { one }) => [() => lockRecipient(trx, one), () => lockLead(trx, one)],
  ],
];

/** The writer goes on once the deletion waits for it; answers what the deletion does. */
async function meet<T>(
  writer: (trx: Transaction<Database>) => (() => Promise<unknown>)[],
  deletion: () => Promise<T>,
): Promise<T> {
  const { db } = database;
  let deleted: Promise<T> | undefined;
  await db.transaction().execute(async (trx) => {
    const [first, second] = writer(trx);
    await first!();
    deleted = deletion();
    // Its end is looked at below; the writer may be the one that fails.
    deleted.catch(() => undefined);
    await untilWaiting(db);
    await second!();
  });
  return deleted!;
}

for (const [whose, deletion] of DELETIONS) {
  it.each(WRITERS)(`a deletion ${whose} waits for a writer of %s`, async (_, writer) => {
    const two = await listOfTwo();
    const { db } = database;
    await meet(
      (trx) => writer(trx, two),
      () => db.transaction().execute((trx) => deletion(trx, two)),
    );
    const left = db.selectFrom('leads').select('id').where('id', 'in', [two.one, two.two]);
    expect(await left.execute()).toEqual([]);
  });
}

it.each(WRITERS)('a portion of a large list waits for a writer of %s', async (_, writer) => {
  const two = await listOfTwo();
  const { db } = database;
  const lists = db.updateTable('lead_lists').where('id', '=', two.listId);
  await lists.set({ deleted_at: new Date() }).execute();
  const removed = await meet(
    (trx) => writer(trx, two),
    () => removeListPortion(db, two.listId),
  );
  expect(removed).toMatchObject({ isDone: true, removed: 2 });
});
