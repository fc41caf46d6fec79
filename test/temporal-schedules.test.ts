/** A Schedule follows the release that runs: an older one on the server is updated. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import * as schedules from '../src/temporal/temporal-schedules.ts';
import { startTemporal } from './support/workflows/temporal.ts';

let temporal: TestWorkflowEnvironment;
let context: Context;

beforeAll(async () => {
  temporal = await startTemporal();
  const config = { RETRY_PACE: 1, HEARTBEAT_TIMEOUT_SECONDS: 10, BLOCKED_STEP_TIMEOUT_SECONDS: 60 };
  context = { temporal: temporal.client, config } as unknown as Context;
});
afterAll(() => temporal?.teardown());

const { dropFormerSchedules, ...kept } = schedules;

it.each(Object.entries(kept))('%s updates what another release left', async (_name, ensure) => {
  const { schedule } = temporal.client;
  const ids = async () => {
    const found: string[] = [];
    for await (const { scheduleId } of schedule.list()) found.push(scheduleId);
    return found;
  };
  const before = await ids();
  await ensure(context);
  let id: string | undefined;
  await expect
    .poll(async () => (id = (await ids()).find((one) => !before.includes(one))))
    .toBeDefined();
  const handle = schedule.getHandle(id!);
  const { spec, action, policies } = await handle.describe();
  await handle.pause('by hand');
  await handle.update((old) => ({
    ...old,
    spec: { intervals: [{ every: '7 days' }] },
    action: { ...old.action, taskQueue: 'of-another-release', args: [{ old: true }] },
    policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: '7 days' },
  }));
  await ensure(context);
  const now = await handle.describe();
  expect({ spec: now.spec, action: now.action, policies: now.policies }).toEqual({
    spec,
    action,
    policies,
  });
  // What a person paused stays so.
  expect(now.state.paused).toBe(true);
});

it('drops the Schedules of earlier releases, and none where they are gone', async () => {
  const { schedule } = temporal.client;
  for (const scheduleId of ['reconcile', 'deliver-webhooks', 'of-somebody-else']) {
    const action = { type: 'startWorkflow', workflowType: 'any', taskQueue: 'any' } as const;
    await schedule.create({ scheduleId, action, spec: { intervals: [{ every: '7 days' }] } });
  }
  await dropFormerSchedules(context);
  await dropFormerSchedules(context);
  await expect(schedule.getHandle('reconcile').describe()).rejects.toThrow(/not found/i);
  await expect(schedule.getHandle('deliver-webhooks').describe()).rejects.toThrow(/not found/i);
  expect((await schedule.getHandle('of-somebody-else').describe()).scheduleId).toBe(
    'of-somebody-else',
  );
});
