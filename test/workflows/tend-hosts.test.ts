/** What an operator reads of work on all mail hosts while it runs, and where it has stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opsState } from '../../workflows/contracts/search-attributes.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

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
    expect(typedSearchAttributes.get(opsState)).toBeUndefined();
  });
});
