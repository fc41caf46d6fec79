/** `outreach hosts rotate-ssh-key` and the like: which run is joined, and what is told of its end. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { tendHosts } from '../../src/services/operations/ops-hosts.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let api: TestApi;
let serverId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database, routes: () => [] });
  await addMailboxes(api.context, await addSender(database.db), { count: 1 });
  const { id } = await database.db.selectFrom('servers').select('id').executeTakeFirstOrThrow();
  serverId = id;
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** Temporal with a run of these hosts under way, or with none. */
function temporalWith(open: { memo?: object } | undefined, status = 'COMPLETED') {
  const started: { memo?: object }[] = [];
  const handleWith = (memo: object = {}) => ({
    describe: async () => ({ status: { name: status }, memo }),
  });
  const workflow = {
    async start(_type: string, options: { memo?: object; workflowId: string }) {
      if (open)
        throw new WorkflowExecutionAlreadyStartedError('open', options.workflowId, 'tendHosts');
      started.push(options);
      return handleWith(options.memo);
    },
    getHandle: () => handleWith(open?.memo),
  };
  const temporal = { workflow, withDeadline: (_at: number, work: () => unknown) => work() };
  return { started, context: { db: database.db, temporal } as unknown as Context };
}

const rotate = (context: Context, server?: number) => tend(context, 'rotate-ssh-key', server);

const tend = (context: Context, job: 'rotate-ssh-key' | 'rebuild', server?: number) =>
  tendHosts(
    context,
    {
      job,
      ...(server !== undefined && { serverId: server }),
      actor: 'operator:ann',
      reason: 'a test',
    },
    { limitMs: 5_000 },
  );

describe('work on hosts', () => {
  it('joins a run for the same hosts', async () => {
    for (const server of [undefined, serverId]) {
      const { context, started } = temporalWith(undefined);
      expect(await rotate(context, server)).toMatchObject({ isDone: true });
      const open = temporalWith(started[0]);
      expect(await rotate(open.context, server)).toMatchObject({ isDone: true });
    }
  });

  it('is refused while a run for other hosts is under way: its end is not theirs', async () => {
    const one = temporalWith(undefined);
    await rotate(one.context, serverId);
    const whileOne = temporalWith(one.started[0]);
    await expect(rotate(whileOne.context)).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: expect.stringContaining(`server ${serverId}`),
    });
    const all = temporalWith(undefined);
    await rotate(all.context);
    const whileAll = temporalWith(all.started[0]);
    await expect(rotate(whileAll.context, serverId)).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: expect.stringContaining('all hosts'),
    });
    // Begun by a version that did not say for which.
    await expect(rotate(temporalWith({}).context)).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
    });
  });

  it('that broke off is told as such, and not as a Temporal that does not answer', async () => {
    const { context } = temporalWith(undefined, 'FAILED');
    await expect(rotate(context)).rejects.toThrow('It broke off before all hosts were done');
  });

  it('joins a rebuild of before: each host has a run of its own', async () => {
    const { context } = temporalWith({});
    expect(await tend(context, 'rebuild', serverId)).toMatchObject({ isDone: true });
  });
});
