/** The flow that removes the values of a deleted custom field, portion after portion. Choice 99. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1]) =>
  stage.start('deleteCustomField', script, { customFieldId: 6 });
const portion = (isDone: boolean) => ({ isDone, progress: '500 values removed' });

describe('deleteCustomField', () => {
  it('removes portions until none is left', async () => {
    const run = await start({ remove_values: (call) => portion(call === 3) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['remove_values', 'remove_values', 'remove_values']);
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('outlasts a database that is away, and somebody who cancels it', async () => {
    const run = await start({
      remove_values: (call) => (call <= 25 ? fail('unavailable') : portion(call === 28)),
    });
    await run.handle.cancel();
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });
});
