/** What counts toward the limits of a mailbox is what was there when it was locked. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockAndCount } from '../../src/db/sending/mailbox-locks.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let world: SessionWorld;
let owner: Client;
beforeAll(async () => {
  world = await startSessionWorld([]);
  owner = new Client({ connectionString: world.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await world?.close();
});

/** Statements of others wait here once they have their snapshot, before they lock a mailbox. */
const BARRIER = 4711;

it('counts a claim that was committed while the mailbox was looked for', async () => {
  const { db, cipher } = world.tools();
  const userId = await addSender(db);
  const [mailboxId] = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId, leadIds } = await addCampaign(db, userId, {
    leads: 1,
    mailboxIds: [mailboxId!],
  });
  await owner.query(`
    create function at_barrier() returns boolean language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${BARRIER}); return true; end $$;
    create policy barrier on mailboxes using (at_barrier());
    alter table mailboxes enable row level security`);
  await owner.query(`select pg_advisory_lock(${BARRIER})`);
  const now = new Date();
  const counted = db
    .transaction()
    .execute((trx) =>
      lockAndCount(
        trx,
        { domainIds: [], mailboxIds: [mailboxId!] },
        { domainLimit: 0, waits: true, now, hourMs: 3.6e6, dayMs: 8.64e7 },
      ),
    );
  await untilWaiting(db, 1, '/*lock-mailboxes*/');
  // A claim of another campaign, with a gap of 0: it leaves the row as it was.
  await owner.query(
    `insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, message_id,
      state, claimed_by, claimed_at) values ($1, $2, $3, 0, $4, 'x.test', '<a@x.test>', 'claimed', $5, $6)`,
    [userId, campaignId, leadIds[0], mailboxId, randomUUID(), now],
  );
  await owner.query(`select pg_advisory_unlock(${BARRIER})`);
  expect((await counted).mailboxes.get(mailboxId!)).toMatchObject({ hour: 1, day: 1, cold: 1 });
});
