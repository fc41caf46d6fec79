/** The list of operations that operators read: src/db/operations/operator-views.ts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOperationLines } from '../../src/db/operations/operator-views.ts';
import { rebuildServerFlow } from '../../src/domain/clusters/server-flows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
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
