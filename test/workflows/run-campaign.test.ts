/**
 * A campaign as a workflow: rounds, rests, pauses of weeks, stops, and an end.
 * docs/workflow-rules.md#long-jobs.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Context } from '@temporalio/activity';
import { cancelJobSignal, pauseJobSignal, resumeJobSignal } from '../../workflows/contracts/job.ts';
import { leadsAddedSignal, settingsChangedSignal } from '../../workflows/contracts/run-campaign.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const words = { actor: 'user:1', reason: 'asked' };
const start = (script: Script) =>
  stage.start('runCampaign', script, { campaignId: 5, isSharded: false });

interface Answer {
  waitMs?: number;
  isDone?: boolean;
  state?: string;
}

/** What hours of sending answer; without `waitMs` there is more to do at once. */
const round = async ({ waitMs, isDone = false, state = 'active' }: Answer = {}) => ({
  state,
  isDone,
  progress: '40 messages sent in this session',
  nextAt:
    waitMs === undefined
      ? null
      : new Date((await stage.env.currentTimeMs()) + waitMs).toISOString(),
});

const firedTimers = async ({ handle }: StartedOperation): Promise<number> => {
  const { events } = await handle.fetchHistory();
  return events!.filter((event) => event.timerFiredEventAttributes).length;
};

describe('runCampaign', () => {
  it('sends round after round, two actions each at most, and ends when all are written to', async () => {
    const campaign = await start({ send: (call) => round({ isDone: call === 5 }) });
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls).toEqual(Array(5).fill('send'));
    expect(campaign.finish()).toMatchObject({ outcome: 'succeeded' });
    expect(await firedTimers(campaign)).toBe(0);
  });

  it('rests until the next message is due', async () => {
    const before = await stage.env.currentTimeMs();
    const campaign = await start({
      send: (call) => (call < 4 ? round({ waitMs: 3 * DAY_MS }) : round({ isDone: true })),
    });
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls).toHaveLength(4);
    expect(await firedTimers(campaign)).toBe(3);
    expect(((await stage.env.currentTimeMs()) - before) / DAY_MS).toBeGreaterThanOrEqual(9);
  });

  it.each([
    ['added leads', leadsAddedSignal],
    ['changed settings', settingsChangedSignal],
  ])('is woken from its rest by %s', async (_title, signal) => {
    const campaign = await start({
      send: (call) => (call === 1 ? round({ waitMs: 300 * DAY_MS }) : round({ isDone: true })),
    });
    await campaign.untilCalled('send');
    await campaign.handle.signal(signal);
    expect(await campaign.end()).toBeUndefined();
    expect(await firedTimers(campaign)).toBe(0);
    expect(campaign.calls).toHaveLength(2);
  });

  it('sends nothing through weeks of pause, and goes on after them', async () => {
    const campaign = await start({
      send: (call) => (call === 1 ? round({ state: 'paused' }) : round({ isDone: true })),
    });
    campaign.jobState = 'paused';
    await campaign.handle.signal(pauseJobSignal, words);
    await campaign.untilPaused();
    const calls = campaign.calls.length;
    await stage.env.sleep(40 * DAY_MS);
    expect(campaign.calls).toHaveLength(calls);
    await campaign.handle.signal(resumeJobSignal, words);
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls.length).toBeGreaterThan(calls);
    expect(campaign.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('goes on by itself within a day when the signal of a resume was lost', async () => {
    const campaign = await start({
      send: (call) => (call === 1 ? round({ state: 'paused' }) : round({ isDone: true })),
    });
    campaign.jobState = 'active';
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls).toHaveLength(2);
    expect(campaign.records.some(({ name }) => name === 'readJobState')).toBe(true);
  });

  it('is stopped in the middle of a round', async () => {
    const campaign = await start({ send: untilCancelled });
    await campaign.untilCalled('send');
    await campaign.handle.signal(cancelJobSignal, words);
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls).toEqual(['send']);
    expect(campaign.jobState).toBe('over');
    expect(campaign.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('is stopped while it rests, without waiting on', async () => {
    const campaign = await start({ send: () => round({ waitMs: 300 * DAY_MS }) });
    await campaign.untilResting();
    await campaign.handle.signal(cancelJobSignal, words);
    expect(await campaign.end()).toBeUndefined();
    expect(await firedTimers(campaign)).toBe(0);
    expect(campaign.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('outlives whatever is down, for as long as it takes', async () => {
    const campaign = await start({
      send: (call) => (call < 20 ? fail('unavailable') : round({ isDone: true })),
    });
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls).toHaveLength(20);
  });

  it('continues as new with the requests that came in meanwhile', async () => {
    const campaign = await start({
      // The requests come in while a round is under way, whichever run that is.
      async send(call) {
        if (call % 40 === 0) await campaign.handle.signal(pauseJobSignal, words);
        if (call % 40 === 0) await campaign.handle.signal(resumeJobSignal, words);
        return round({ isDone: call === 300 });
      },
    });
    expect(await campaign.end()).toBeUndefined();
    expect(campaign.calls).toHaveLength(300);
    const asked = campaign.records
      .filter(({ name }) => name === 'applyJobRequest')
      .map(({ input }) => input.request);
    expect(asked).toEqual(Array(7).fill(['pause', 'resume']).flat());
    const { historyLength } = await campaign.handle.describe();
    expect(historyLength).toBeLessThan(1_300);
  });
});

/** A round that works until it is cancelled. */
async function untilCancelled(): Promise<never> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), 100);
  return context.cancelled.finally(() => clearInterval(timer));
}
