/**
 * Discovery as a workflow: its rounds, and pause, resume and cancel in every step.
 * docs/workflow-rules.md#long-jobs.
 */
import { Context } from '@temporalio/activity';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DISCOVERY_STEPS, type DiscoveryStep } from '../../src/domain/discovery/discovery.ts';
import { cancelJobSignal, pauseJobSignal, resumeJobSignal } from '../../workflows/contracts/job.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

const words = { actor: 'user:1', reason: 'tested' };
let stage: Stage;
// A server of its own for each: skipped weeks and cancels of one test stay out of the next.
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const page = (next: DiscoveryStep | null, state = 'active') => ({
  state,
  isDone: true,
  progress: '3 of 10 leads, 9 companies',
  next,
});

/** One round, each step once. */
const ROUND: Script = Object.fromEntries(
  DISCOVERY_STEPS.map((step, at) => [step, () => page(DISCOVERY_STEPS[at + 1] ?? null)]),
);

const start = (script: Script = {}) =>
  stage.start('discoverLeads', { ...ROUND, ...script }, { processId: 4 });

describe('discoverLeads', () => {
  it('takes the steps as the activities tell them, and ends what runs at a library', async () => {
    const job = await start();
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual([...DISCOVERY_STEPS, 'end_searches']);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('goes round until there is nothing left, and skips what has nothing to do', async () => {
    const job = await start({
      attach_leads: (call) =>
        page(call === 1 ? 'enrich_contacts' : call === 2 ? 'search_ads' : null),
    });
    expect(await job.end()).toBeUndefined();
    const round = [...DISCOVERY_STEPS];
    expect(job.calls).toEqual([...round, ...round.slice(2), ...round, 'end_searches']);
  });

  it('waits out a vendor that is down, at each step', async () => {
    const script = Object.fromEntries(
      DISCOVERY_STEPS.map((step, at) => [
        step,
        (call: number) => (call <= 3 ? fail('unavailable') : page(DISCOVERY_STEPS[at + 1] ?? null)),
      ]),
    );
    const job = await start(script);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toHaveLength(DISCOVERY_STEPS.length * 4 + 1);
  });

  it('ends as failed with the reason, after what runs at a library was ended (choice 63)', async () => {
    const job = await start({ search_ads: () => fail('rejected', 'NO_AD_LIBRARY') });
    expect(await job.end()).toMatchObject({ type: 'ProviderRejected' });
    expect(job.calls).toEqual(['search_ads', 'end_searches']);
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'NO_AD_LIBRARY' } });
  });

  it('that was terminated before searches no more, and ends what runs at a library', async () => {
    const job = await stage.start('discoverLeads', ROUND, { processId: 4, undoOnly: true });
    expect(await job.end()).toMatchObject({ type: 'Lost' });
    expect(job.calls).toEqual(['end_searches']);
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'LOST' } });
  });

  it('is complete also when a library cannot be told to stop', async () => {
    const job = await start({ end_searches: () => fail('auth') });
    expect(await job.end()).toBeUndefined();
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });
});

describe.each(DISCOVERY_STEPS)('in %s', (step) => {
  const at = DISCOVERY_STEPS.indexOf(step);
  const next = DISCOVERY_STEPS[at + 1] ?? null;

  it('a pause takes effect with the page, holds for weeks, and a resume goes on', async () => {
    const gate = openGate();
    const job = await start({
      [step]: async (call) => (call === 1 ? (await gate.opened, page(step, 'paused')) : page(next)),
    });
    await job.untilCalled(step);
    job.jobState = 'paused';
    await job.handle.signal(pauseJobSignal, words);
    gate.open();
    await job.untilPaused();
    const calls = [...job.calls];
    await stage.env.sleep('45 days');
    expect(job.calls).toEqual(calls);
    await job.handle.signal(resumeJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual([...calls, ...DISCOVERY_STEPS.slice(at), 'end_searches']);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('a cancel interrupts the page and ends what runs at a library', async () => {
    const job = await start({ [step]: untilCancelled });
    await job.untilCalled(step);
    await job.handle.signal(cancelJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual([...DISCOVERY_STEPS.slice(0, at + 1), 'end_searches']);
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('a cancel of the row alone is heard when the page ends', async () => {
    const job = await start({ [step]: () => page(step, 'over') });
    expect(await job.end()).toBeUndefined();
    expect(job.calls.slice(at)).toEqual([step, 'end_searches']);
  });
});

describe('a discovery of very many pages', () => {
  it('continues as new with what it was asked, and ends nothing in between', async () => {
    const pages = 215;
    const job = await start({
      search_ads: (call) => {
        if (call === 205) void job.handle.signal(pauseJobSignal, words);
        return page(call < pages ? 'search_ads' : null);
      },
    });
    await job.untilPaused();
    expect(job.calls).not.toContain('end_searches');
    await job.handle.signal(resumeJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls.filter((id) => id === 'end_searches')).toHaveLength(1);
    const handle = stage.env.client.workflow.getHandle(job.handle.workflowId);
    const { historyLength, runId } = await handle.describe();
    expect(historyLength).toBeLessThan(2_000);
    expect(runId).not.toBe((job.handle as { firstExecutionRunId?: string }).firstExecutionRunId);
  }, 180_000);
});

function openGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** A page that would take for ever; a cancel reaches it with its next heartbeat. */
async function untilCancelled(): Promise<never> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), 100);
  return context.cancelled.finally(() => clearInterval(timer));
}
