/** The flow of a tracking domain: look after look. What a look does: test/activities/tracking-domains.test.ts. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cancelJobSignal } from '../../workflows/contracts/job.ts';
import { lookNowSignal } from '../../workflows/contracts/tend-tracking-domain.ts';
import { fail } from '../support/workflows/fake-activities.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const start = (script: Parameters<Stage['start']>[1]) =>
  stage.start('tendTrackingDomain', script, { trackingDomainId: 3, name: 'links.acme.test' });
const look = (waitMs: number, state = 'active') => ({
  state,
  isDone: false,
  progress: 'links.acme.test: CNAME_MISSING: There is no CNAME record yet',
  waitMs,
});
const DAY_MS = 86_400_000;

describe('tendTrackingDomain', () => {
  it('looks when it is due, shows what it waits for, and ends when the name is deleted', async () => {
    const run = await start({
      tracking_domain: (call) => look(50, call === 4 ? 'over' : 'active'),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toEqual(Array(4).fill('tracking_domain'));
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
    expect(await currentDetails(run.handle)).toContain('CNAME_MISSING');
  });

  it('tells each look since when the order stands', async () => {
    const orderedAt = '2026-03-01T00:00:00.000Z';
    const inputs: unknown[] = [];
    const run = await start({
      tracking_domain: (call, input) => {
        inputs.push((input as { orderedAt?: string }).orderedAt);
        return { ...look(50, call === 3 ? 'over' : 'active'), ...(call === 1 && { orderedAt }) };
      },
    });
    expect(await run.end()).toBeUndefined();
    expect(inputs).toEqual([undefined, orderedAt, undefined]);
  });

  it('looks at once when its owner asks', async () => {
    const run = await start({
      tracking_domain: (call) => look(DAY_MS, call === 2 ? 'over' : 'active'),
    });
    await run.untilCalled('tracking_domain');
    await run.handle.signal(lookNowSignal);
    // Time is skipped only while an end is awaited: the next look is not due for a day.
    await vi.waitFor(() => expect(run.calls).toHaveLength(2), { timeout: 30_000 });
    expect(await run.end()).toBeUndefined();
  });

  it('goes on when its worker dies, or its database is away', async () => {
    const run = await start({
      tracking_domain: (call) => (call < 10 ? fail('unavailable') : look(0, 'over')),
    });
    expect(await run.end()).toBeUndefined();
    expect(run.calls).toHaveLength(10);
  });

  it('ends while it rests when it is cancelled', async () => {
    const run = await start({ tracking_domain: () => look(DAY_MS) });
    await run.untilResting();
    await run.handle.signal(cancelJobSignal, { actor: 'user:ann', reason: 'deleted' });
    expect(await run.end()).toBeUndefined();
    expect(run.finish()).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } });
  });
});
