/** Campaigns, inboxes and warm-ups in the hands of their shards: what the workflow does, which is next to nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelJobSignal,
  pauseJobSignal,
  resumeJobSignal,
  shardReportSignal,
} from '../../workflows/contracts/job.ts';
import type { ShardReport } from '../../src/domain/shards/shards.ts';
import {
  openStage,
  type Stage,
  type StartedOperation,
} from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const words = { actor: 'user:1', reason: 'asked' };
const DAY_MS = 86_400_000;

const turns = ({ records }: StartedOperation): number[] =>
  records
    .filter(({ name }) => name === 'handOverToShard')
    .map(({ input }) => (input as { turn: number }).turn);

/** The hand-over number `n`, from 1; without skipping time. */
async function handedOver(job: StartedOperation, n = 1): Promise<number> {
  await expect.poll(() => turns(job).length, { timeout: 45_000 }).toBeGreaterThanOrEqual(n);
  return turns(job)[n - 1]!;
}

const tell = async (job: StartedOperation, report: Partial<ShardReport> & { turn: number }) =>
  job.handle.signal(shardReportSignal, {
    state: 'active',
    isDone: false,
    progress: '12 messages sent',
    ...report,
  });

describe.each([
  ['runCampaign', { campaignId: 5 }],
  ['syncInbox', { clusterId: 5 }],
  ['warmUpMailbox', { mailboxId: 5 }],
] as const)('%s', (type, input) => {
  const start = () => stage.start(type, {}, { ...input, isSharded: true });

  it('is handed over, waits without a heartbeat or a timer that fires, and ends with the report', async () => {
    const job = await start();
    const turn = await handedOver(job);
    await stage.env.sleep(6 * DAY_MS);
    await tell(job, { turn, isDone: true });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual([]);
    expect(turns(job)).toHaveLength(1);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
    const { events } = await job.handle.fetchHistory();
    const scheduled = events!.filter((event) => event.activityTaskScheduledEventAttributes);
    // The hand-over and the end.
    expect(scheduled).toHaveLength(2);
    expect(events!.filter((event) => event.timerFiredEventAttributes)).toHaveLength(0);
  });

  it('waits through a pause that its shard reports, and is handed over again when it is resumed', async () => {
    const job = await start();
    const turn = await handedOver(job);
    job.jobState = 'paused';
    await tell(job, { turn, state: 'paused' });
    await job.untilPaused();
    job.jobState = 'active';
    await job.handle.signal(resumeJobSignal, words);
    const next = await handedOver(job, 2);
    expect(next).toBeGreaterThan(turn);
    await tell(job, { turn: next, isDone: true });
    expect(await job.end()).toBeUndefined();
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('is paused and stopped while its shard has it', async () => {
    const job = await start();
    await handedOver(job);
    await job.handle.signal(pauseJobSignal, words);
    await job.untilPaused();
    await job.handle.signal(cancelJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.jobState).toBe('over');
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('takes no report of another turn, but hands over once more', async () => {
    const job = await start();
    const turn = await handedOver(job);
    await tell(job, { turn: turn - 1, state: 'over', isDone: true });
    const next = await handedOver(job, 2);
    await tell(job, { turn: next, isDone: true });
    expect(await job.end()).toBeUndefined();
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('moves to its shard when it continues as new, where it began before there were any', async () => {
    const job = await stage.start(type, {}, { ...input, continued: 1 });
    const turn = await handedOver(job);
    await tell(job, { turn, isDone: true });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual([]);
  });

  it('hands over once more each week, in case the row was lost', async () => {
    const job = await start();
    await handedOver(job);
    await stage.env.sleep(15 * DAY_MS);
    await handedOver(job, 3);
    expect(turns(job)).toHaveLength(3);
    await job.handle.signal(cancelJobSignal, words);
    expect(await job.end()).toBeUndefined();
  });
});
