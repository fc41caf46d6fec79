/**
 * Validation of many addresses as a workflow: batches, waits for greylists, cancel.
 * docs/workflow-rules.md#long-jobs; choice 63.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelJobSignal } from '../../workflows/contracts/job.ts';
import { lookNowSignal } from '../../workflows/contracts/verify-emails.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const MINUTE_MS = 60_000;
const start = (script: Script) => stage.start('verifyEmails', script, { jobId: 5 });
const batch = (isDone: boolean, waitMs = 0, state = 'active') => ({
  state,
  isDone,
  waitMs,
  progress: '500 of 1000 addresses',
});

describe('verifyEmails', () => {
  it('checks batch by batch until nothing is left: two actions for a thousand addresses', async () => {
    const job = await start({ check: (call) => batch(call === 3) });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['check', 'check', 'check']);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('waits until greylisted addresses may be tried again', async () => {
    const before = await stage.env.currentTimeMs();
    const job = await start({
      check: (call) => batch(call === 4, call === 2 ? 5 * MINUTE_MS : 0),
    });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toHaveLength(4);
    const passedMs = (await stage.env.currentTimeMs()) - before;
    expect(passedMs).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  });

  it('is cancelled while it waits, without waiting on', async () => {
    const job = await start({ check: () => batch(false, 24 * 60 * MINUTE_MS) });
    await job.untilResting();
    await job.handle.signal(cancelJobSignal, { actor: 'user:1', reason: 'enough' });
    expect(await job.end()).toBeUndefined();
    const { events } = await job.handle.fetchHistory();
    expect(events!.some((event) => event.timerFiredEventAttributes)).toBe(false);
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
    expect(job.calls).toHaveLength(1);
  });

  it('looks again at once when an operator has cured what it waits for', async () => {
    const job = await start({
      check: (call) => batch(call === 2, call === 1 ? 120 * MINUTE_MS : 0),
    });
    await job.untilResting();
    await job.handle.signal(lookNowSignal);
    expect(await job.end()).toBeUndefined();
    const { events } = await job.handle.fetchHistory();
    expect(events!.some((event) => event.timerFiredEventAttributes)).toBe(false);
    expect(job.calls).toHaveLength(2);
  });

  it('stops when its row is over, whoever ended it', async () => {
    const job = await start({ check: () => batch(false, 0, 'over') });
    job.jobState = 'over';
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toHaveLength(1);
  });

  it('waits out a database that is down, and fails with its reason when it stays so', async () => {
    const healed = await start({ check: (call) => (call < 4 ? fail('unavailable') : batch(true)) });
    expect(await healed.end()).toBeUndefined();
    const broken = await start({ check: () => fail('unavailable') });
    expect(await broken.end()).toMatchObject({ type: 'ProviderUnavailable' });
    expect(broken.finish()).toMatchObject({
      outcome: 'failed',
      error: { code: 'PROVIDER_UNAVAILABLE' },
    });
  });

  it('goes on as a new run before its history is long', async () => {
    const job = await start({ check: (call) => batch(call === 260) });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toHaveLength(260);
    const { historyLength } = await job.handle.describe();
    expect(historyLength).toBeLessThan(1_300);
  });
});
