/**
 * The warm-up of a mailbox as a workflow: rounds, nights, weeks of pause, an end.
 * docs/workflow-rules.md#long-jobs.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelJobSignal, pauseJobSignal, resumeJobSignal } from '../../workflows/contracts/job.ts';
import { settingsSignal } from '../../workflows/contracts/warm-up-mailbox.ts';
import type { Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const DAY_MS = 86_400_000;
const words = { actor: 'user:1', reason: 'asked' };
const start = (script: Script) =>
  stage.start('warmUpMailbox', script, { mailboxId: 5, isSharded: false });

/** A day's round that rests until `waitMs` have passed. */
const round = async (waitMs: number | null, state = 'active') => ({
  state,
  isDone: state === 'over',
  progress: 'day 3: 9 messages planned',
  nextAt:
    waitMs === null ? null : new Date((await stage.env.currentTimeMs()) + waitMs).toISOString(),
});

describe('warmUpMailbox', () => {
  it('rests between the days, and ends when its row is over', async () => {
    const before = await stage.env.currentTimeMs();
    const warmup = await start({
      warm_up: (call) => (call < 6 ? round(DAY_MS) : round(null, 'over')),
    });
    expect(await warmup.end()).toBeUndefined();
    expect(warmup.calls).toHaveLength(6);
    expect(((await stage.env.currentTimeMs()) - before) / DAY_MS).toBeGreaterThanOrEqual(5);
    expect(warmup.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('sends nothing through weeks of pause, and goes on after them', async () => {
    const warmup = await start({
      warm_up: (call) => round(call === 1 ? 0 : null, call === 1 ? 'paused' : 'over'),
    });
    warmup.jobState = 'paused';
    await warmup.handle.signal(pauseJobSignal, words);
    await warmup.untilPaused();
    const calls = warmup.calls.length;
    await stage.env.sleep(30 * DAY_MS);
    expect(warmup.calls).toHaveLength(calls);
    await warmup.handle.signal(resumeJobSignal, words);
    expect(await warmup.end()).toBeUndefined();
    expect(warmup.calls.length).toBeGreaterThan(calls);
    const { historyLength } = await warmup.handle.describe();
    expect(historyLength).toBeLessThan(400);
  });

  it('is woken from its rest by new settings', async () => {
    const warmup = await start({
      warm_up: (call) => (call === 1 ? round(300 * DAY_MS) : round(null, 'over')),
    });
    await warmup.untilResting();
    await warmup.handle.signal(settingsSignal);
    expect(await warmup.end()).toBeUndefined();
    // After the end the server skips on: its clock says nothing here.
    const { events } = await warmup.handle.fetchHistory();
    expect(events!.some((event) => event.timerFiredEventAttributes)).toBe(false);
    expect(warmup.calls).toHaveLength(2);
  });

  it('is stopped while it rests, without waiting on', async () => {
    const warmup = await start({ warm_up: () => round(300 * DAY_MS) });
    await warmup.untilResting();
    await warmup.handle.signal(cancelJobSignal, words);
    expect(await warmup.end()).toBeUndefined();
    expect(warmup.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });
});
