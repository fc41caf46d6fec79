/** A worker that goes away in the middle, and one that forgets everything between two tasks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';
import { resolveBlockedStepSignal } from '../../workflows/contracts/operator.ts';

let stage: Stage;

beforeAll(async () => {
  // Without a cache each workflow task replays the whole history: whatever differs is found.
  stage = await openStage({ maxCachedWorkflows: 0 });
});

afterAll(async () => {
  await stage?.close();
});

const answer = { action: 'retry', actor: 'ann', reason: 'cured' } as const;

describe('a provisioning', () => {
  it('goes on where it was after the workers were replaced while it ran and while it waited', async () => {
    const operation = await stage.start('provisionCluster', {
      'server_create.order': (call) => call === 1 && fail('auth'),
      'dns_setup.await': (call) => call <= 20 && fail('not_ready'),
    });
    const { token } = await operation.untilBlocked('server_create');
    await stage.restartWorkers();
    expect((await operation.untilBlocked('server_create')).token).toBe(token);
    await operation.handle.signal(resolveBlockedStepSignal, { step: 'server_create', ...answer });
    await operation.untilCalled('dns_setup.await');
    await stage.restartWorkers({ maxCachedWorkflows: 10 });
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls.filter((id) => id === 'domain_purchase.register')).toHaveLength(1);
    expect(operation.finish().outcome).toBe('succeeded');
  });

  it('takes the same way when it is replayed at every task, forward and back', async () => {
    await stage.restartWorkers({ maxCachedWorkflows: 0 });
    const operation = await stage.start('provisionCluster', {
      'domain_purchase.register': (call) => call === 1 && fail('outcome_unknown'),
      'mail_server_install.install': () => fail('quota'),
    });
    await operation.untilBlocked('mail_server_install');
    const compensate = { step: 'mail_server_install', ...answer, action: 'compensate' } as const;
    await operation.handle.signal(resolveBlockedStepSignal, compensate);
    expect(await operation.end()).toMatchObject({ type: 'QuotaExceeded' });
    expect(operation.calls.filter((id) => id.endsWith('.undo'))).toHaveLength(5);
  });
});
