/** The flow of an import of a file: part after part. Signals: job.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1], input: object = {}) =>
  stage.start('importLeads', script, { importId: 3, ...input });
const part = (isDone: boolean, state = 'active') => ({ state, isDone, progress: '1 of 2 rows' });

describe('importLeads', () => {
  it('imports parts until none is left', async () => {
    const run = await start({ import_leads: (call) => part(call === 3) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['import_leads', 'import_leads', 'import_leads']);
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('costs at most one action for a hundred leads', async () => {
    const run = await start({ import_leads: (call) => part(call === 50) });
    await run.end();
    const { events = [] } = await run.handle.fetchHistory();
    // What Temporal bills: the start, each activity, each search attribute that is written.
    const billed = events!.filter(
      (event) =>
        event.workflowExecutionStartedEventAttributes ??
        event.activityTaskScheduledEventAttributes ??
        event.upsertWorkflowSearchAttributesEventAttributes,
    );
    const leads = 50 * 2_000;
    expect(billed.length / leads).toBeLessThan(0.01);
    expect(billed.length).toBeLessThan(60);
  });

  it('waits out a database that was away', async () => {
    const run = await start({
      import_leads: (call) => (call < 4 ? fail('unavailable') : part(true)),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('ends when the row is cancelled, also when the signal was lost', async () => {
    const run = await start({
      import_leads: (call) => part(false, call === 2 ? 'over' : 'active'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toHaveLength(2);
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('fails with the reason when no row became a lead: Spec: Leads, rule 3', async () => {
    const run = await start({ import_leads: () => fail('rejected', 'NO_LEADS_IMPORTED') });
    expect(await run.end()).toMatchObject({ type: 'ProviderRejected' });
    expect(run.finish()).toMatchObject({
      outcome: 'failed',
      error: { code: 'NO_LEADS_IMPORTED' },
    });
  });

  it('that was terminated before ends as failed', async () => {
    const run = await start({}, { undoOnly: true });
    expect(await run.end()).toMatchObject({ type: 'Lost' });
    expect(run.calls).toEqual([]);
  });
});
