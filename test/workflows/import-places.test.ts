/** The flow of an import: batch after batch, ended by whoever takes its list or run away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1], input: object = {}) =>
  stage.start('importPlaces', { ...script }, { importId: 3, ...input });
const page = (isDone: boolean, state = 'active') => ({ state, isDone, progress: 'a batch' });

describe('importPlaces', () => {
  it('imports batches until none is left', async () => {
    const run = await start({ import_places: (call) => page(call === 2) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['import_places', 'import_places']);
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('heals when the database was away', async () => {
    const run = await start({
      import_places: (call) => (call < 4 ? fail('unavailable') : page(true)),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('stops when its list or run was deleted', async () => {
    const run = await start({ import_places: () => page(false, 'over') });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(['import_places']);
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('that was terminated before ends as failed', async () => {
    const run = await start({}, { undoOnly: true });
    expect(await run.end()).toMatchObject({ type: 'Lost' });
    expect(run.calls).toEqual([]);
  });
});
