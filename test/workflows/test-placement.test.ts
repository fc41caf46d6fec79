/** The flow of a placement test: turn after turn. What a turn does: test/activities/placement-tests.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelJobSignal } from '../../workflows/contracts/job.ts';
import { fail } from '../support/workflows/fake-activities.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1], input: object = {}) =>
  stage.start('testPlacement', script, { testId: 3, ...input });
const turn = (isDone: boolean, state = 'active', waitMs = 1_000) => ({
  state,
  isDone,
  progress: '2 of 5 messages found',
  waitMs,
});

describe('testPlacement', () => {
  it('takes turns until all is known, and shows how far it is', async () => {
    const run = await start({ placement_turn: (call) => turn(call === 3) });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(Array(3).fill('placement_turn'));
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
    const shown = await currentDetails(run.handle);
    expect(shown).toContain('2 of 5 messages found');
  });

  it('goes on when its worker dies, or its database is away', async () => {
    const run = await start({
      placement_turn: (call) => (call < 10 ? fail('unavailable') : turn(true)),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('ends when it is cancelled between two turns, and when the signal was lost', async () => {
    const run = await start({ placement_turn: () => turn(false, 'active', 3_600_000) });
    await run.untilResting();
    await run.handle.signal(cancelJobSignal, { actor: 'user:ann', reason: 'enough' });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
    const lost = await start({ placement_turn: () => turn(false, 'over') });
    expect(await lost.end()).toBeUndefined();
    expect(lost.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });

  it('fails for what its owner has to cure', async () => {
    const run = await start({ placement_turn: () => fail('rejected', 'LOGIN_REFUSED') });
    await run.end();
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'LOGIN_REFUSED' } });
  });
});
