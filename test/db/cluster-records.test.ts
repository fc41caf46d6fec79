/** Whose DNS records go with a cluster, where its domain has carried several. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listClusterRecords } from '../../src/transactions/teardown.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addProvisioning } from '../support/workflows/operations.ts';
import { addServer } from '../support/provisioning/servers.ts';

let database: TestDatabase;
let domainId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db.insertInto('users').values({ user_id: 'ann', email: 'a@b.test' }).execute();
  const { id } = await db
    .insertInto('domains')
    .values({ user_id: 'ann', name: 'acme.com', provider: 'namecom' })
    .returning('id')
    .executeTakeFirstOrThrow();
  domainId = id;
});
afterAll(() => database?.close());

type Status = 'failed' | 'active' | 'deleting' | 'deleted';

/** A cluster on a server of its own, and an operation of it. */
async function addCluster(status: Status, host: string) {
  const { db } = database;
  const serverId = await addServer(db, { user_id: 'ann', host_name: host, ipv4: `ip of ${host}` });
  const { id } = await db
    .insertInto('clusters')
    .values({
      user_id: 'ann',
      domain_id: domainId,
      server_id: serverId,
      name: 'acme.com',
      status,
      use_existing_vps: false,
      operation_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const order = { workflowId: `cluster/${id}/1`, resourceId: id };
  const operation = await addProvisioning(db, 'ann', order);
  return { id, operationId: operation.id };
}

const publish = (operationId: number, records: readonly (readonly [string, string, string])[]) =>
  database.db
    .insertInto('published_records')
    .values(
      records.map(([type, name, value]) => ({
        operation_id: operationId,
        domain_id: domainId,
        type,
        name,
        value,
        priority: null,
        asked_at: new Date(),
      })),
    )
    .execute();

const setStatus = (id: number, status: Status) =>
  database.db.updateTable('clusters').set({ status }).where('id', '=', id).execute();

const listed = async (id: number) =>
  (await listClusterRecords(database.db, id)).map(({ type, name }) => `${type} ${name}`);

it('keeps what the live cluster on the domain found there, until that one goes', async () => {
  const failed = await addCluster('failed', 'old.acme.com');
  const spf = ['TXT', '@', 'v=spf1 mx -all'] as const;
  await publish(failed.operationId, [
    spf,
    ['A', 'old', 'ip of old.acme.com'],
    ['SRV', '_imaps._tcp', '1 993 old.acme.com'],
    ['SRV', '_submissions._tcp', '1 465 mail.acme.com'],
  ]);
  const all = ['TXT @', 'A old', 'SRV _imaps._tcp', 'SRV _submissions._tcp'];
  expect(await listed(failed.id)).toEqual(all);

  const live = await addCluster('active', 'mail.acme.com');
  await publish(live.operationId, [['MX', '@', 'mail.acme.com']]);
  expect(await listed(failed.id)).toEqual(['A old', 'SRV _imaps._tcp']);
  // An attempt that failed and still stands keeps its own.
  expect(await listed(live.id)).toEqual(['MX @']);

  await setStatus(failed.id, 'deleted');
  await setStatus(live.id, 'deleting');
  expect(await listed(live.id)).toEqual([
    'TXT @',
    'SRV _imaps._tcp',
    'SRV _submissions._tcp',
    'MX @',
  ]);
});
