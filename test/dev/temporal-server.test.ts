import { describe, expect, it } from 'vitest';
import { firstOf } from '../../src/dev/temporal-server.ts';
import { startTemporal, startTimeSkipping } from '../support/temporal.ts';

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
