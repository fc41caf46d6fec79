/** What surrounds each activity: heartbeats while it works, and one form of errors. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, type RetryPolicy } from '@temporalio/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { guardAll } from '../../activities/engine/guard.ts';
import { createLoginGates } from '../../activities/mailboxes/login-gates.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { beginWait } from '../../src/tracing/waits.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const TIMEOUT_MS = 600;

describe('a guarded activity', () => {
  afterEach(() => vi.useRealTimers());
  /** Time that passes for heartbeats alone, as often as they are due in it. */
  const pass = (ms: number) => void vi.advanceTimersByTime(ms);

  it('heartbeats several times within its time-out, and no more once it has ended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const environment = activityEnvironment(TIMEOUT_MS);
    let beats = 0;
    environment.on('heartbeat', () => (beats += 1));
    const { work } = guardAll({
      work: async () => {
        pass(TIMEOUT_MS);
        return 'done';
      },
    });
    expect(await environment.run(work)).toBe('done');
    expect(beats).toBe(4);
    pass(10 * TIMEOUT_MS);
    expect(beats).toBe(4);
  });

  it('stops its heartbeats when it fails, and throws what workflows can read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const environment = activityEnvironment(TIMEOUT_MS);
    let beats = 0;
    environment.on('heartbeat', () => (beats += 1));
    const { work } = guardAll({
      work: async (): Promise<never> => {
        pass(TIMEOUT_MS / 4);
        throw new ProviderError('quota', 'full', { provider: 'p' });
      },
    });
    await expect(environment.run(work)).rejects.toMatchObject({ type: 'QuotaExceeded' });
    expect(beats).toBe(1);
    pass(10 * TIMEOUT_MS);
    expect(beats).toBe(1);
  });

  it('asked to wait by a vendor waits at least as long as its policy says', async () => {
    const waitOf = async (attempt: number, retryPolicy?: RetryPolicy) => {
      const environment = activityEnvironment(0, attempt);
      Object.assign(environment.context.info, { retryPolicy });
      const { work } = guardAll({
        work: async (): Promise<never> => {
          throw new ProviderError('rate_limited', 'slowly', { provider: 'p', retryAfterMs: 1_000 });
        },
      });
      const failure = await environment.run(work).catch((error: unknown) => error);
      return (failure as ApplicationFailure).nextRetryDelay;
    };
    const policy = { initialInterval: 1_000, maximumInterval: 60_000 } as const;
    expect(await waitOf(1, policy)).toBe(1_000);
    expect(await waitOf(5, policy)).toBe(16_000);
    expect(await waitOf(15, policy)).toBe(60_000);
    expect(await waitOf(15, { initialInterval: 2_000, backoffCoefficient: 1 })).toBe(2_000);
    expect(await waitOf(15)).toBe(1_000);
  });

  it('tells with its heartbeats what it waits for, and for how long it has', async () => {
    const environment = activityEnvironment(TIMEOUT_MS);
    const next = async () => (await once(environment, 'heartbeat'))[0];
    const gates = createLoginGates(1);
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const { work } = guardAll({
      work: async () => {
        seen.push(await next());
        const gate = new AbortController();
        const opened = once(gate.signal, 'abort');
        const through = (host: string) => gates.through([host], signal, () => opened);
        const all = [through('mail.one.test'), through('mail.one.test'), through('mail.one.test')];
        seen.push(await next());
        gate.abort();
        await Promise.all(all);
        const end = beginWait('a turn at zerobounce');
        seen.push(await next());
        end();
        seen.push(await next());
      },
    });
    await environment.run(work);
    const since = /, since \d{4}-.+Z$/;
    expect(seen).toEqual([
      undefined,
      { waitsFor: [expect.stringMatching(/^a login at mail\.one\.test \(2 of them\), since /)] },
      { waitsFor: [expect.stringMatching(new RegExp(`^a turn at zerobounce${since.source}`))] },
      undefined,
    ]);
  });

  it('does not heartbeat where nobody waits for it', async () => {
    const environment = activityEnvironment();
    environment.on('heartbeat', () => expect.unreachable());
    const { work } = guardAll({ work: () => sleep(30, 'done') });
    expect(await environment.run(work)).toBe('done');
  });

  it('hands on input, answer and failures that are decided already', async () => {
    const environment = activityEnvironment();
    const { double, fail } = guardAll({
      double: async (n: number) => n * 2,
      fail: () => Promise.reject(ApplicationFailure.nonRetryable('no', 'NotFound')),
    });
    expect(await environment.run(double, 21)).toBe(42);
    await expect(environment.run(fail)).rejects.toMatchObject({ type: 'NotFound' });
  });
});
