/** Health and readiness, and the version they tell. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/domain/version.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi();

describe('GET /health', () => {
  it('answers without a token, with the state of the parts', async () => {
    const { status, body, headers } = await api.call('GET', '/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      status: 'ok',
      data: { status: 'ok', version, checks: { database: 'up', temporal: 'down' } },
    });
    expect(headers.get('api-version')).toBe('1');
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('tells the version of package.json', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(version).toBe(manifest.version);
  });
});

describe('GET /health/ready', () => {
  it('is 502 and names the part that is down', async () => {
    const { status, body } = await api.call('GET', '/health/ready');
    expect(status).toBe(502);
    expect(body).toMatchObject({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
    expect(body.error).toContain('temporal');
  });

  it('is 200 when all parts answer', async () => {
    const connection = {
      withDeadline: async (_deadline: number, ask: () => Promise<unknown>) => ask(),
      workflowService: { getSystemInfo: async () => ({}) },
    };
    const temporal = { connection } as unknown as TestApi['context']['temporal'];
    const whole = await startTestApi({ database, context: { temporal } });
    const { status, body } = await whole.call('GET', '/health/ready');
    await whole.close();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'ready', checks: { database: 'up' } });
  });
});
