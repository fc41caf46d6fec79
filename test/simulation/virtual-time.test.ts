/** Virtual time moves while all tasks sleep, and a standstill is reported. */
import { describe, expect, it } from 'vitest';
import { createVirtualTime } from './virtual-time.ts';

const start = new Date('2026-03-02T00:00:00Z');
const HOUR = 3_600_000;

function timeOf(settled: () => Promise<void>) {
  const errors: unknown[] = [];
  const failed = (error: unknown) => void errors.push(error);
  return { errors, time: createVirtualTime({ start, grainMs: 1, settled, failed }) };
}

describe('virtual time', () => {
  it('goes on when everybody sleeps, and tells who is awake', async () => {
    const { time } = timeOf(async () => undefined);
    const [one, other] = [time.enter('one'), time.enter('other')];
    const long = other.sleep(2 * HOUR);
    await one.sleep(HOUR);
    expect(time.describe()).toBe('2026-03-02T01:00:00.000Z, awake: one; 1 asleep');
    one.leave();
    await long;
    expect(time.clock.now().getTime()).toBe(start.getTime() + 2 * HOUR);
  });

  it('hands on what keeps it from moving', async () => {
    const error = new Error('no database');
    const { time, errors } = timeOf(() => Promise.reject(error));
    void time.enter('one').sleep(HOUR);
    await expect.poll(() => errors).toEqual([error]);
  });

  it('wakes nobody any more once it is stopped', async () => {
    const { time } = timeOf(async () => undefined);
    const task = time.enter('one');
    let isAwake = false;
    const other = time.enter('other');
    void task.sleep(HOUR).then(() => (isAwake = true));
    time.stop();
    void other.sleep(HOUR);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAwake).toBe(false);
  });
});
