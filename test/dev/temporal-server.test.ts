import { describe, expect, it } from 'vitest';
import { firstOf } from '../../src/dev/temporal/temporal-server.ts';
import { startPatiently, startTemporal, startTimeSkipping } from '../support/workflows/temporal.ts';

describe('firstOf', () => {
  it('takes the first place that works and says which ones did not', async () => {
    const said: string[] = [];
    const places = [
      { title: 'empty', find: async () => undefined },
      { title: 'broken', find: () => Promise.reject(new Error('no network')) },
      { title: 'good', find: async () => '/bin/temporal' },
      { title: 'never asked', find: () => Promise.reject(new Error('asked too much')) },
    ];
    expect(await firstOf('a server', places, (line) => said.push(line))).toBe('/bin/temporal');
    expect(said).toEqual(['broken did not work; trying the next place']);
  });

  it('names every place when none works, without the addresses of mirrors', async () => {
    const refused = new Error('cannot reach https://user:secret@mirror.example/simple');
    const places = [
      { title: 'one', find: async () => undefined },
      { title: 'two', find: () => Promise.reject(refused) },
    ];
    const failing = firstOf('a server', places, () => undefined);
    await expect(failing).rejects.toThrow(
      'Could not find or fetch a server. Tried:\n- one: not there\n- two: cannot reach <address>',
    );
  });
});

describe('the start of a server for tests', () => {
  /** What the SDK says of a machine that was too busy. */
  const late = new Error('ephemeral server at 127.0.0.1:39987 did not start within 5s');
  const failing = (error: Error, times: number) => {
    let starts = 0;
    return async () => {
      starts += 1;
      if (starts <= times) throw error;
      return starts;
    };
  };

  it('is repeated when it took too long, and not for ever', async () => {
    expect(await startPatiently(failing(late, 2))).toBe(3);
    await expect(startPatiently(failing(late, Infinity))).rejects.toBe(late);
  });

  it('is not repeated when something is wrong', async () => {
    const error = new Error('no such file');
    await expect(startPatiently(failing(error, 1))).rejects.toBe(error);
  });
});

describe.concurrent('servers for tests', () => {
  it('a real one knows the search attributes', async () => {
    const environment = await startTemporal();
    try {
      const { customAttributes } =
        await environment.connection.operatorService.listSearchAttributes({ namespace: 'default' });
      expect(Object.keys(customAttributes)).toEqual(
        expect.arrayContaining(['OpsState', 'OpsStep', 'TenantId', 'ResourceId']),
      );
    } finally {
      await environment.teardown();
    }
  });

  it('a time-skipping one sleeps a day in no time', async () => {
    const environment = await startTimeSkipping();
    try {
      const before = await environment.currentTimeMs();
      await environment.sleep('1 day');
      expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(86_400_000);
    } finally {
      await environment.teardown();
    }
  });
});
