/**
 * The sync of a cluster as a workflow: round after round, until its row is over.
 * docs/workflow-rules.md#long-jobs.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const start = (script: Script) =>
  stage.start('syncInbox', script, { clusterId: 7, isSharded: false });
const round = (isDone: boolean, state = 'active') => ({ state, isDone, progress: '2 mailboxes' });

describe('syncInbox', () => {
  it('reads round after round, one action each, and ends with its cluster', async () => {
    const job = await start({
      sync: (call) => round(call === 4, call === 4 ? 'over' : 'active'),
    });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toEqual(['sync', 'sync', 'sync', 'sync']);
    expect(job.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('waits out whatever is down, for as long as it takes', async () => {
    const job = await start({ sync: (call) => (call < 30 ? fail('unavailable') : round(true)) });
    expect(await job.end()).toBeUndefined();
    expect(job.calls).toHaveLength(30);
  });
});
