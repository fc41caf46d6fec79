/** What is done where a run and its row were put apart by a restore. docs/workflow-rules.md#after-a-restore. */
import { describe, expect, it } from 'vitest';
import type { OperationState } from '../../src/domain/operations/operations.ts';
import {
  putBackFailure,
  recoveryOf,
  type FoundRun,
  type RunRow,
} from '../../src/domain/operations/restores.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';

const row: RunRow = {
  workflowId: 'cluster/7/00ff00ff00ff00ff',
  state: 'running',
  progressNumber: 4,
  isFinished: false,
};
const { workflowId } = row;
const builtOn = (number: number, isUndone = false) => ({ number, isUndone });

describe('an activity of a run', () => {
  it('works where the row has what its run wrote, or more', () => {
    for (const number of [0, 3, 4]) {
      expect(putBackFailure({ workflowId, builtOn: builtOn(number) }, row)).toBeUndefined();
    }
  });

  it('does not work on a row that has lost what its run wrote', () => {
    expect(putBackFailure({ workflowId, builtOn: builtOn(5) }, row)).toBe('RowsBehind');
  });

  it('touches nothing where its row is gone, or another one has its id', () => {
    const activity = { workflowId, builtOn: builtOn(4) };
    expect(putBackFailure(activity, undefined)).toBe('RowLost');
    const other = { ...row, workflowId: 'cluster/7/ff00ff00ff00ff00' };
    expect(putBackFailure(activity, other)).toBe('RowLost');
  });

  it('touches nothing where the row has ended', () => {
    const ended = { ...row, isFinished: true };
    expect(putBackFailure({ workflowId, builtOn: undefined }, ended)).toBe('RunOver');
  });

  it('does not go forward where the row is being undone, though its run has forgotten it', () => {
    const undone = { ...row, state: 'compensating' as const };
    expect(putBackFailure({ workflowId, builtOn: builtOn(3) }, undone)).toBe('RunBehind');
    expect(putBackFailure({ workflowId, builtOn: builtOn(3, true) }, undone)).toBeUndefined();
    // A repeat of the very write that said so, whose answer was lost.
    const repeat = { workflowId, builtOn: builtOn(3), writes: 4 };
    expect(putBackFailure(repeat, undone)).toBeUndefined();
  });

  it('works as it did before runs told what they build on', () => {
    expect(putBackFailure({ workflowId, builtOn: undefined }, row)).toBeUndefined();
  });
});

describe('an unfinished row whose run is over', () => {
  const saga = { direction: 'back' } as const;
  const is = (state: OperationState, isWhole: boolean) => ({ state, isWhole });

  it('is settled by a run that completed, where it has everything but the end', () => {
    expect(recoveryOf(saga, 'completed', is('running', true))).toBe('settle');
  });

  it('goes on from its rows where a completed run bought what they have forgotten', () => {
    expect(recoveryOf(saga, 'completed', is('running', false))).toBe('again');
    expect(recoveryOf(saga, 'completed', is('blocked', false))).toBe('again');
  });

  it('goes on where Temporal does not know its run, and is undone where it was being undone', () => {
    expect(recoveryOf(saga, 'lost', is('running', false))).toBe('again');
    expect(recoveryOf(saga, 'lost', is('compensating', false))).toBe('undo');
  });

  it('is undone where its run failed or was terminated', () => {
    expect(recoveryOf(saga, 'failed', is('running', true))).toBe('undo');
  });

  it('of what goes forward goes on, however its run ended, but for one that was being given up', () => {
    const forward = { direction: 'forward' } as const;
    const ends: FoundRun[] = ['completed', 'failed', 'lost'];
    for (const found of ends) {
      expect(recoveryOf(forward, found, is('running', false))).toBe('again');
      expect(recoveryOf(forward, found, is('blocked', false))).toBe('again');
      expect(recoveryOf(forward, found, is('compensating', false))).toBe('undo');
    }
  });

  it('is left alone while its run is open', () => {
    expect(recoveryOf(saga, 'open', is('running', true))).toBe('keep');
  });

  it('of a flow that only a newer build knows goes on where it is lost, and is else left to that build', () => {
    const recovery = (...[found, state]: [FoundRun, OperationState]) =>
      recoveryOf(undefined, found, is(state, true));
    expect(recovery('lost', 'running')).toBe('again');
    expect(recovery('lost', 'compensating')).toBe('keep');
    expect(recovery('failed', 'running')).toBe('keep');
    expect(recovery('completed', 'running')).toBe('keep');
    expect(recovery('open', 'running')).toBe('keep');
  });
});

describe('the id of a workflow', () => {
  it('has the random part of its row; those of before keep theirs', () => {
    const run_key = '00ff00ff00ff00ff';
    expect(workflowIdOf({ workflow_id: 'cluster/7', run_key })).toBe(workflowId);
    expect(workflowIdOf({ workflow_id: 'cluster/7', run_key: null })).toBe('cluster/7');
  });
});
