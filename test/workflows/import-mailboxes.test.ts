/** The flow of a file of mailboxes: page after page. Its rows: test/activities/mailbox-imports.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../support/workflows/fake-activities.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1], input: object = {}) =>
  stage.start('importMailboxes', script, { importId: 3, ...input });
const page = (isDone: boolean, state = 'active') => ({
  state,
  isDone,
  progress: '400 of 1000 rows, 390 connected',
});

describe('importMailboxes', () => {
  it('works off pages until none is left, and shows how far it is', async () => {
    const run = await start({ connect_mailboxes: (call) => page(call === 3) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(Array(3).fill('connect_mailboxes'));
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
    expect(await currentDetails(run.handle)).toContain('400 of 1000 rows, 390 connected');
  });

  it('goes on however often its worker dies, or its database is away', async () => {
    const run = await start({
      connect_mailboxes: (call) => (call < 30 ? fail('unavailable') : page(true)),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('ends when the row is cancelled, also when the signal was lost', async () => {
    const run = await start({
      connect_mailboxes: (call) => page(false, call === 2 ? 'over' : 'active'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('that was terminated before ends as failed', async () => {
    const run = await start({}, { undoOnly: true });
    expect(await run.end()).toMatchObject({ type: 'Lost' });
    expect(run.calls).toEqual([]);
  });

  it('continues as new: many pages are no long history', async () => {
    const run = await start({ connect_mailboxes: (call) => page(call === 700) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toHaveLength(700);
    const { runId, raw } = await run.handle.describe();
    expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(runId);
  });
});
