/** The list of operations that operators read: src/db/operations/operator-views.ts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOperationLines } from '../../src/db/operations/operator-views.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { handOver, putOff, reportJob } from '../../src/db/shards/shard-jobs.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { rebuildServerFlow } from '../../src/domain/clusters/server-flows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addOperation } from '../support/workflows/operations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

it('finds the rebuild of a server by the vendor that it waits for', async () => {
  const { db } = database;
  const userId = await userWith(db);
  const serverId = await addServer(db, { user_id: userId, host_name: 'mail.acme.com' });
  const { id } = await addOperation(db, rebuildServerFlow, {
    userId,
    workflowId: `server/${serverId}/rebuild/1`,
    resourceId: serverId,
  });
  await db
    .updateTable('operations')
    .set({ step: 'server_reinstall', blocked_at: new Date() })
    .where('id', '=', id)
    .execute();
  const found = await listOperationLines(db, { provider: 'hetzner', blocked: true, limit: 10 });
  expect(found).toMatchObject([{ id, step: 'server_reinstall', provider: 'hetzner' }]);
  expect(await listOperationLines(db, { provider: 'vultr', limit: 10 })).toEqual([]);
});

it('says who paused a campaign, not what its last session waited for', async () => {
  const { db } = database;
  const userId = await addSender(db);
  const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
  const { id: operationId } = await addOperation(db, runCampaignFlow, {
    userId,
    workflowId: `campaign/${campaignId}`,
    resourceId: campaignId,
  });
  const job = { operation_id: operationId, turn: 1, wakes: 0 };
  const now = new Date();
  const until = new Date(now.getTime() + 3_600_000);
  await handOver(db, { operationId, turn: 1, build: null, now });
  await putOff(db, job, { until, now, note: 'Every mailbox is at its limit' });
  const waitsFor = async () => {
    const lines = await listOperationLines(db, { kind: 'runCampaign', limit: 10 });
    return lines.map((line) => line.waitsFor);
  };
  expect(await waitsFor()).toEqual([expect.stringContaining('at its limit; looked at again')]);
  const words = { actor: 'ann', reason: 'the budget is used up' };
  await insertOperationEvent(db, {
    operationId,
    kind: 'pause_requested',
    step: null,
    ...words,
  });
  const setStatus = (status: 'paused' | 'active') =>
    db.updateTable('campaigns').set({ status }).where('id', '=', campaignId).execute();
  await setStatus('paused');
  // Its session has not noticed yet; then it reports, and its workflow keeps the pause.
  expect(await waitsFor()).toEqual(['Paused by ann: the budget is used up']);
  await reportJob(db, job, { state: 'paused', isDone: false, progress: '' });
  expect(await waitsFor()).toEqual(['Paused by ann: the budget is used up']);
  await setStatus('active');
  expect(await waitsFor()).toEqual([null]);
});
