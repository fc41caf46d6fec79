/** The audit log is append-only, by right and by trigger, and only what is old leaves it. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneOldEntries } from '../../activities/webhooks/prune-audit-log.ts';
import { insertAuditEntries, pruneAuditLog } from '../../src/db/accounts/audit-log.ts';
import { insertAdjustment } from '../../src/db/wallet/adjustments.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addProvisioning } from '../support/workflows/operations.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

const add = (userId: string, action = 'campaigns.start') =>
  insertAuditEntries(database.db, [
    { userId, action, actor: { kind: 'user', id: userId, name: null } },
  ]);
const entriesOf = (userId: string) =>
  database.db.selectFrom('audit_log').selectAll().where('user_id', '=', userId).execute();
/** As if it had been written so many days ago: an insertion is all that can say so. */
const addOld = (userId: string, days: number) =>
  owner.query(
    `insert into audit_log (user_id, actor_kind, action, at)
      values ($1, 'system', 'schedules.run', now() - make_interval(days => $2))`,
    [userId, days],
  );

const CHANGES = [
  `update audit_log set action = 'nothing'`,
  'delete from audit_log',
  'truncate audit_log',
];

describe('entries', () => {
  it.each(CHANGES)('are kept from the application: %s', async (change) => {
    await add('kept');
    const work = sql.raw(change).execute(database.db);
    await expect(work).rejects.toMatchObject({ code: '42501' });
  });

  it.each(CHANGES)('are kept from the owner, too: %s', async (change) => {
    await add('kept');
    await expect(owner.query(change)).rejects.toMatchObject({ code: '23001' });
    expect(await entriesOf('kept')).not.toEqual([]);
  });
});

describe('pruning', () => {
  it('deletes what is older than it is told', async () => {
    for (const days of [500, 401, 399, 1]) await addOld('pruned', days);
    const before = new Date(Date.now() - 400 * DAY_MS);
    expect(await pruneAuditLog(database.db, { before, limit: 100 })).toBe(2);
    expect(await entriesOf('pruned')).toHaveLength(2);
  });

  it('deletes nothing of the last 90 days, whoever asks', async () => {
    await addOld('recent', 91);
    await addOld('recent', 89);
    await pruneAuditLog(database.db, { before: new Date(Date.now() + DAY_MS), limit: 100 });
    expect(await entriesOf('recent')).toHaveLength(1);
  });

  it('is done by the workers, by AUDIT_LOG_RETENTION_DAYS', async () => {
    await addOld('kept for long', 500);
    await addOld('kept for long', 300);
    const context = {
      db: database.db,
      clock: { now: () => new Date() },
      config: { AUDIT_LOG_RETENTION_DAYS: 400 },
      logger: { warn: () => undefined },
    } as unknown as Parameters<typeof pruneOldEntries>[0];
    expect(await pruneOldEntries(context, new AbortController().signal)).toBe(1);
    expect(await entriesOf('kept for long')).toHaveLength(1);
  });
});

describe('what an operator does', () => {
  const words = { actor: 'operator:ann', reason: 'the token is renewed' };

  it('to an operation is in the log of its account', async () => {
    const userId = await userWith(database.db);
    const workflowId = `cluster/${userId}/1`;
    const { id: operationId } = await addProvisioning(database.db, userId, { workflowId });
    const event = { operationId, step: 'server_create', kind: 'resolved' } as const;
    const detail = { action: 'retry' };
    await insertOperationEvent(database.db, { ...event, ...words, detail });
    expect(await entriesOf(userId)).toMatchObject([
      {
        actor_kind: 'operator',
        actor_name: 'ann',
        reason: 'the token is renewed',
        action: 'ops.retry',
        resource_type: 'operation',
        resource_id: String(operationId),
        after: { step: 'server_create' },
      },
    ]);
  });

  it('by another tool is there as well, and what clients and the product do is not', async () => {
    const userId = await userWith(database.db);
    const workflowId = `cluster/${userId}/1`;
    const { id: operationId } = await addProvisioning(database.db, userId, { workflowId });
    for (const actor of ['me', 'system', `user:${userId}`]) {
      const event = { operationId, step: null, kind: 'resolved', actor, reason: 'r' } as const;
      await insertOperationEvent(database.db, { ...event, detail: { action: 'skip' } });
    }
    const entries = await entriesOf(userId);
    expect(entries.map(({ actor_name: name, action }) => [name, action])).toEqual([
      ['me', 'ops.skip'],
    ]);
  });

  it('to a balance is there once', async () => {
    const userId = await userWith(database.db);
    const adjustment = { userId, amountCents: 500, key: 'k', ...words };
    for (const expected of ['done', 'repeated']) {
      const work = database.db.transaction().execute((trx) => insertAdjustment(trx, adjustment));
      expect(await work).toBe(expected);
    }
    expect(await entriesOf(userId)).toMatchObject([
      { action: 'wallet.adjust', resource_type: 'wallet', after: { amountCents: 500 } },
    ]);
  });
});
