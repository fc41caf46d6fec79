/** What sending asks for each message is planned once a connection: planning took more than reading, half of what Postgres did. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { listDueJobs, listReports, wakeChangedCampaigns } from '../../src/db/shards/shard-jobs.ts';
import { listCampaignMailboxes } from '../../src/db/sending/sending-mailboxes.ts';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { CONNECTION_MS } from '../support/database/database.ts';

const LEADS = 30;
/** With many joins. */
const LARGEST = [
  'claim-campaign',
  'count-domain-messages',
  'count-mailbox-messages',
  'find-mailbox-access',
  'insert-claims',
  'list-campaign-mailboxes',
  'list-candidates',
  'list-paused-providers',
  'list-steps',
  'lock-domains',
  'lock-due-firsts',
  'lock-mailboxes',
  'read-due-recipients',
  'recipient-domain-times',
];

let world: SessionWorld;
/** One connection, whose statements are told apart from all others. */
let db: Kysely<Database>;
beforeAll(async () => {
  world = await startSessionWorld([]);
  db = openDatabase(world.database.url, { poolSize: 1, connectionTimeoutMs: CONNECTION_MS });
});
afterAll(async () => {
  await db?.destroy();
  await world?.close();
});

it('plans what a claim asks once, for any values', async () => {
  const limits = { SEND_DOMAIN_DAILY_LIMIT: 500, SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 100 };
  const gap = { SEND_MIN_GAP_SECONDS: 60, SEND_GAP_JITTER: 0 };
  const { cipher, config } = world.tools({}, { ...gap, ...limits });
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: LEADS, mailboxIds });
  let sent = 0;
  for (let minute = 0; minute < 2 * LEADS; minute += 1) {
    const now = new Date(Date.now() + minute * 61_000);
    const asked = { campaignId, claimedBy: randomUUID(), now, most: 100 };
    const claim = await db.transaction().execute((trx) => claimMessages(trx, config, asked));
    sent += claim.messages.length;
    await listCampaignMailboxes(db, campaignId);
    await findMailboxAccess({ db, cipher }, mailboxIds[0]!);
  }
  expect(sent).toBeGreaterThan(10);
  const { rows } = await sql<{ name: string }>`
    select name from pg_prepared_statements where generic_plans > 10 order by name`.execute(db);
  const names = rows.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(LARGEST));
});

it('plans what shards ask every second once, however many jobs run', async () => {
  const now = new Date();
  for (let n = 0; n < 10; n += 1) {
    const shards = Array.from({ length: 1 + n }, (_, shard) => shard);
    const running = shards.map((shard) => 1_000 + shard);
    const types = n % 2 === 0 ? (['inbox_sync'] as const) : (['campaign', 'warmup'] as const);
    await listDueJobs(db, { shards, types, running, now, limit: 100 - n });
    await listReports(db, shards);
    await wakeChangedCampaigns(db, { shards, now });
  }
  const { rows } = await sql<{ name: string }>`
    select name from pg_prepared_statements where generic_plans = 5 order by name`.execute(db);
  const names = rows.map(({ name }) => name);
  const asked = ['list-due-jobs', 'list-reports', 'wake-changed-campaigns'];
  expect(names).toEqual(expect.arrayContaining(asked));
});
