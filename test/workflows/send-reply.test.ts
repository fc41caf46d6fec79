/** A message that a person wrote as a workflow: at once, at its time, once whatever dies. Choice 126. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelJobSignal } from '../../workflows/contracts/job.ts';
import { scheduleChangedSignal } from '../../workflows/contracts/send-reply.ts';
import type { Script } from '../support/workflows/fake-activities.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  // Without a cache each workflow task replays the whole history, as after the death of a worker.
  stage = await openStage({ maxCachedWorkflows: 0 });
});
afterAll(() => stage?.close());

const DAY_MS = 86_400_000;
const start = (script: Script) => stage.start('sendReply', script, { outgoingId: 6 });
const sent = { state: 'active', isDone: true, isSent: true, progress: 'sent' };
const waits = (waitMs: number) => ({
  state: 'active',
  isDone: false,
  isSent: false,
  waitMs,
  progress: 'Waits until 2027-01-05T09:00:00.000Z to be sent',
});

describe('sendReply', () => {
  it('sends at once and files a copy', async () => {
    const job = await start({ send: () => sent });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['send', 'file']);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('waits for its time, which its details name, and sends though workers were replaced meanwhile', async () => {
    const before = await stage.env.currentTimeMs();
    const job = await start({ send: (call) => (call === 1 ? waits(59 * DAY_MS) : sent) });
    await job.untilResting();
    const shown = await currentDetails(job.handle);
    expect(shown).toContain('Waits until 2027-01-05T09:00:00.000Z');
    expect(shown).toMatch(/`send`: waits until [-:.TZ\d]+, or until something is asked/);
    await stage.restartWorkers();
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['send', 'send', 'file']);
    const passedMs = (await stage.env.currentTimeMs()) - before;
    expect(passedMs).toBeGreaterThanOrEqual(59 * DAY_MS);
  });

  it('looks at its row as soon as that was changed', async () => {
    const job = await start({ send: (call) => (call === 1 ? waits(30 * DAY_MS) : sent) });
    await job.untilResting();
    await job.handle.signal(scheduleChangedSignal);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['send', 'send', 'file']);
    const { events } = await job.handle.fetchHistory();
    expect(events!.some((event) => event.timerFiredEventAttributes)).toBe(false);
  });

  it('ends without a copy where the row was cancelled, also by an operator', async () => {
    const gone = { state: 'active', isDone: true, isSent: false, progress: 'cancelled' };
    const job = await start({ send: (call) => (call === 1 ? waits(30 * DAY_MS) : gone) });
    await job.untilResting();
    await job.handle.signal(cancelJobSignal, { actor: 'operator', reason: 'asked by mail' });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).not.toContain('file');
  });
});
