/** What an operator reads of work on all mail hosts while it runs, and where it has stopped. */
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opsState } from '../../workflows/contracts/search-attributes.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

const HOUR_MS = 3_600_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const asked = { job: 'upgrade', batch: 1, actor: 'operator:ann', reason: 'a test' };

describe('work on hosts', () => {
  it('says which operations it waits for', async () => {
    let open = (): void => undefined;
    const opened = new Promise<object>((resolve) => {
      open = () => resolve({ state: 'succeeded' });
    });
    const run = await stage.start(
      'tendHosts',
      { 'order.after_0': () => [{ serverId: 5, operationId: 1 }], 'await.5': () => opened },
      { ...asked, operationId: 1 },
    );
    await run.untilCalled('await.5');
    expect(await currentDetails(run.handle)).toContain('- server 5: operation 1');
    open();
    expect(await run.end()).toBeUndefined();
    expect(await currentDetails(run.handle)).toContain('Done.');
  });

  it('says where it has stopped, and is at work no more', async () => {
    const run = await stage.start(
      'tendHosts',
      {
        'order.after_0': () => [{ serverId: 5, operationId: 2 }],
        'await.5': () => ({ state: 'failed' }),
      },
      { ...asked, operationId: 2 },
    );
    expect(await run.end()).toBeUndefined();
    expect(await currentDetails(run.handle)).toContain('outreach ops show 2');
    const { typedSearchAttributes } = await run.handle.describe();
    // It ends as completed: whoever asked for it reads where it stopped, and lists of runs show it by this.
    expect(typedSearchAttributes.get(opsState)).toBe('Stopped');
  });

  it('is at work no more when it is done', async () => {
    const run = await stage.start('tendHosts', {}, { ...asked, operationId: 3 });
    expect(await run.end()).toBeUndefined();
    const { typedSearchAttributes } = await run.handle.describe();
    expect(typedSearchAttributes.get(opsState)).toBeUndefined();
  });

  it('says which operation has not ended within two days, and where to look', async () => {
    const run = await stage.start(
      'tendHosts',
      {
        'order.after_0': () => [{ serverId: 5, operationId: 4 }],
        'await.5': (call) => {
          // The server ends the wait with the last failure where the next look would come too late.
          const nextRetryDelay = call === 1 ? 47 * HOUR_MS : 2 * HOUR_MS;
          throw ApplicationFailure.create({ message: 'Operation 4 is running', nextRetryDelay });
        },
      },
      { ...asked, operationId: 4 },
    );
    const end = await run.end();
    const hint = /Operation 4 of server 5 has not ended within 2 days: see outreach ops show 4/;
    expect(end?.message).toMatch(hint);
    expect(await currentDetails(run.handle)).toMatch(hint);
  });
});
