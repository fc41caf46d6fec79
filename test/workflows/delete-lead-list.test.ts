/** The flow that removes the rows of a deleted list, portion after portion. Choice 4. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1]) =>
  stage.start('deleteLeadList', script, { leadListId: 4 });
const portion = (isDone: boolean) => ({ isDone, progress: '1,000 of 2,000 leads' });

describe('deleteLeadList', () => {
  it('removes portions until none is left', async () => {
    const run = await start({ remove_list: (call) => portion(call === 3) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['remove_list', 'remove_list', 'remove_list']);
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('outlasts a database that is away for longer than other jobs wait', async () => {
    const run = await start({
      remove_list: (call) => (call <= 25 ? fail('unavailable') : portion(true)),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('goes on when somebody cancels it: the list is gone already', async () => {
    const run = await start({ remove_list: (call) => portion(call === 4) });
    await run.handle.cancel();
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });
});
