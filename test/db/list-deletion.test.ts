/** Deleting a list takes its leads out of campaigns at once, not one by one. Choice 4. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteLeadList } from '../../src/transactions/delete-lead-list.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);
const LEADS = 300;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** A list of one company whose leads are all in one campaign. */
async function bigCampaign(leads: number) {
  const { db } = database;
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: [], mailboxIds });
  const { rows } = await sql<{ id: number }>`
    with list as (
      insert into lead_lists (user_id, name) values (${userId}, 'Big') returning id
    ), company as (
      insert into companies (user_id, name, name_key, lead_list_id)
      select ${userId}, 'Acme', 'acme', id from list returning id
    ), lead as (
      insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key,
        provenance)
      select ${userId}, company.id, 'P' || n, 'Test', 'p' || n, n || '@x.test', n || '@x.test', '{}'
      from company, generate_series(1, ${leads}::integer) as n returning id
    ), recipient as (
      insert into recipients (campaign_id, lead_id, user_id)
      select ${campaignId}, id, ${userId} from lead
    )
    select id from list`.execute(db);
  return { userId, campaignId, listId: rows[0]!.id };
}

it('counts its campaigns down once, not lead by lead', async () => {
  const { db } = database;
  const { userId, campaignId, listId } = await bigCampaign(LEADS);
  const size = async () => {
    const sizes = db.selectFrom('campaign_sizes').select('leads');
    return (await sizes.where('campaign_id', '=', campaignId).executeTakeFirst())?.leads;
  };
  expect(await size()).toBe(LEADS);
  const { gone, updates } = await db.transaction().execute(async (trx) => ({
    gone: await deleteLeadList(trx, userId, listId),
    updates: await sql<{ count: number }>`select n_tup_upd::integer as count
      from pg_stat_xact_user_tables where relname = 'campaign_sizes'`.execute(trx),
  }));
  expect(gone).toEqual({ companies: 1, leads: LEADS });
  expect(updates.rows).toEqual([{ count: 1 }]);
  expect(await size()).toBe(0);
});
