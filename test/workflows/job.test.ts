/**
 * How a long job goes page by page, stands still, stops and goes on in another run.
 * docs/workflow-rules.md#long-jobs.
 */
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  cancelJobSignal,
  jobQuery,
  pauseJobSignal,
  resumeJobSignal,
} from '../../workflows/contracts/job.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

const words = { actor: 'user:1', reason: 'tested' };
let workflowBundle: WorkflowBundle;
let stage: Stage;

beforeAll(async () => {
  const workflowsPath = fileURLToPath(new URL('../support/job-workflows', import.meta.url));
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
});
// A server of its own for each: skipped weeks and cancels of one test stay out of the next.
beforeEach(async () => {
  stage = await openStage({ workflowBundle });
});
afterEach(() => stage?.close());

const start = (script: Script, input?: object) => stage.start('threeSteps', script, input);
const page = (isDone: boolean, state = 'active') => ({ state, isDone, progress: 'a page' });

/** A page that ends when the test says so. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('a long job', () => {
  it('does the pages of each step until one says that it is the last', async () => {
    const job = await start({ second: (call) => page(call === 3) });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['first', 'second', 'second', 'second', 'third']);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
    expect(await job.handle.query(jobQuery)).toMatchObject({ state: 'ended', pages: 5 });
  });

  it('ends as failed with the reason, and parks nothing (choice 63)', async () => {
    const job = await start({ second: () => fail('auth') });
    expect(await job.end()).toMatchObject({ type: 'ProviderAuth' });
    expect(job.finish()).toMatchObject({
      outcome: 'failed',
      error: { code: 'PROVIDER_AUTH', message: 'the provider says auth' },
    });
  });

  it('waits out a vendor that is down for a while', async () => {
    const job = await start({ first: (call) => (call < 5 ? fail('unavailable') : page(true)) });
    expect(await job.end()).toBeUndefined();
    expect(job.calls.filter((id) => id === 'first')).toHaveLength(5);
  });

  it('ends as failed when its run before was terminated', async () => {
    const job = await start({}, { undoOnly: true });
    await job.end();
    expect(job.calls).toEqual([]);
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'LOST' } });
  });
});

describe('pause and resume', () => {
  it('takes effect after the page that runs, holds for weeks, and goes on where it stood', async () => {
    const { open, opened } = gate();
    const job = await start({
      second: async (call) => (await opened, page(call === 2)),
    });
    await job.untilCalled('second');
    await job.handle.signal(pauseJobSignal, words);
    open();
    await job.untilPaused();
    expect(job.calls).toEqual(['first', 'second']);
    await stage.env.sleep('60 days');
    expect(job.calls).toEqual(['first', 'second']);
    await job.handle.signal(resumeJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['first', 'second', 'second', 'third']);
  });

  it('believes the row when a signal was lost', async () => {
    const job = await start({
      first: () => {
        job.jobState = 'paused';
        return page(true, 'paused');
      },
    });
    await job.untilPaused();
    job.jobState = 'active';
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['first', 'second', 'third']);
  });
});

describe('cancel', () => {
  it('interrupts the page that runs, and the run completes', async () => {
    const job = await start({ second: untilCancelled });
    await job.untilCalled('second');
    await job.handle.signal(cancelJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['first', 'second']);
    expect(job.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('ends a paused job', async () => {
    const job = await start({
      first: () => {
        job.jobState = 'paused';
        return page(true, 'paused');
      },
    });
    await job.untilPaused();
    await job.handle.signal(cancelJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['first']);
  });

  it('stops at the next page when only the row says so', async () => {
    const job = await start({ first: () => page(true, 'over') });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['first']);
    expect(job.finish()).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

describe('a job of very many pages', () => {
  it('continues as new before its history is long, and takes along what it was asked', async () => {
    const pages = 240;
    const job = await start({
      first: (call) => {
        if (call === 220) void job.handle.signal(pauseJobSignal, words);
        return page(call === pages);
      },
    });
    await job.untilPaused();
    await job.handle.signal(resumeJobSignal, words);
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toHaveLength(pages + 2);
    const { historyLength, runId } = await stage.env.client.workflow
      .getHandle(job.handle.workflowId)
      .describe();
    expect(historyLength).toBeLessThan(1_300);
    expect(runId).not.toBe((job.handle as { firstExecutionRunId?: string }).firstExecutionRunId);
  }, 180_000);
});

describe('the details of a long job', () => {
  it('are of the step that runs, with what was told last', async () => {
    const { open, opened } = gate();
    const job = await start({ second: async () => (await opened, page(true)) });
    await job.untilCalled('second');
    const shown = await currentDetails(job.handle);
    expect(shown).toContain('`second`: under way since');
    expect(shown).toContain('`first`: first');
    open();
    expect(await job.end()).toBeUndefined();
    expect(await currentDetails(job.handle)).toContain('Done.');
  });

  it('say who paused it, why, and how it goes on, also where the row told of it first', async () => {
    const { open, opened } = gate();
    const job = await start({
      second: async (call) => {
        if (call > 1) return page(true);
        await opened;
        job.jobState = 'paused';
        return page(false, 'paused');
      },
    });
    await job.untilCalled('second');
    open();
    await job.untilPaused();
    expect(await currentDetails(job.handle)).toContain('as its row says');
    await job.handle.signal(pauseJobSignal, words);
    await vi.waitUntil(async () => (await currentDetails(job.handle)).includes('user:1'), 30_000);
    const shown = await currentDetails(job.handle);
    expect(shown).toContain('Paused by user:1 since');
    expect(shown).toContain(': tested.');
    expect(shown).toContain('a page');
    expect(shown).toContain(`--workflow-id '${job.handle.workflowId}'`);
    expect(shown).toContain('--name resume');
    await job.handle.signal(resumeJobSignal, words);
    expect(await job.end()).toBeUndefined();
  });

  it('say why it has failed', async () => {
    const job = await start({ second: () => fail('auth') });
    await job.end();
    expect(await currentDetails(job.handle)).toContain('Failed: the provider says auth');
  });
});

/** A page that would take for ever; a cancel reaches it with its next heartbeat. */
async function untilCancelled(): Promise<never> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), 100);
  return context.cancelled.finally(() => clearInterval(timer));
}
