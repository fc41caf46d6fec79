/** What the TypeScript client repeats, how long it waits, and what it never repeats. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutreach, OutreachConnectionError } from '../../clients/typescript/src/index.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { startJsonServer, type JsonServer } from '../support/tools/json-server.ts';

describe('a lost answer', () => {
  const { api } = describeApi();

  it('of a POST is asked for again by the same key: one thing is made', async () => {
    const keys: unknown[] = [];
    let lost = 2;
    const outreach = createOutreach({
      baseUrl: api.url,
      apiKey: await api.jwt('lossy'),
      // The request arrives; its answer does not.
      fetch: async (url, init) => {
        keys.push((init!.headers as Record<string, string>)['idempotency-key']);
        const response = await fetch(url, init);
        if (lost === 0) return response;
        lost -= 1;
        throw new TypeError('the connection was lost');
      },
    });
    const { id } = await outreach.leadLists.create({ body: { name: 'Once' } });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    const { items } = await outreach.leadLists.list();
    expect(items.map((each) => each.id)).toEqual([id]);
    await outreach.leadLists.create({ body: { name: 'Twice' } });
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  it('is an error in the end, with its reason', async () => {
    const outreach = createOutreach({ baseUrl: 'http://127.0.0.1:1', apiKey: 'none', retries: 1 });
    const error = await outreach.wallet.read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutreachConnectionError);
    expect((error as Error).cause).toBeInstanceOf(TypeError);
  });
});

describe('a refusal', () => {
  let server: JsonServer;
  const limited = { success: false, error: 'Too many', code: 'RATE_LIMITED', requestId: 'r' };

  beforeAll(async () => {
    server = await startJsonServer();
  });
  beforeEach(() => {
    server.calls.length = 0;
  });
  afterAll(() => server.close());

  const outreachOf = (settings = {}) =>
    createOutreach({ baseUrl: server.url, apiKey: 'key', ...settings });

  /** Refuses the first requests in this way, then answers. */
  function refuse(times: number, status: number, headers: Record<string, string>, code?: string) {
    server.answer = () =>
      server.calls.length <= times
        ? { status, headers, body: { ...limited, ...(code && { code }) } }
        : { status: 200, body: { success: true, data: { balanceCents: 7 } } };
  }

  it.each([429, 503, 502])('of %i is waited for as long as Retry-After says', async (status) => {
    refuse(1, status, { 'retry-after': '1' });
    const begun = performance.now();
    expect((await outreachOf().wallet.read()).balanceCents).toBe(7);
    expect(performance.now() - begun).toBeGreaterThan(990);
    expect(server.calls).toHaveLength(2);
  });

  it('with a date is waited for until then', async () => {
    const until = new Date(Date.now() + 2_500).toUTCString();
    const at: number[] = [];
    server.answer = () => {
      at.push(Date.now());
      return at.length === 1
        ? { status: 503, headers: { 'retry-after': until }, body: limited }
        : { status: 200, body: { success: true, data: { balanceCents: 7 } } };
    };
    await outreachOf().wallet.read();
    expect(at).toHaveLength(2);
    // A timer may be a little early.
    expect(at[1]).toBeGreaterThan(Date.parse(until) - 10);
  });

  it('that would last too long is an error at once', async () => {
    refuse(9, 429, { 'retry-after': '3000' });
    await expect(outreachOf().wallet.read()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(server.calls).toHaveLength(1);
  });

  it('that a minute does not cure is an error at once', async () => {
    refuse(9, 429, { 'retry-after': '1' }, 'DOMAIN_SPENDING_LIMIT');
    const order = outreachOf().domains.buy({ body: { domain: 'acme.com' } });
    await expect(order).rejects.toMatchObject({ code: 'DOMAIN_SPENDING_LIMIT' });
    expect(server.calls).toHaveLength(1);
  });

  it.each([400, 401, 402, 404, 500])('of %i is an error at once', async (status) => {
    refuse(9, status, {}, 'INVALID_STATE');
    await expect(outreachOf().wallet.read()).rejects.toMatchObject({ status });
    expect(server.calls).toHaveLength(1);
  });

  it('of a deletion that may have been done is not repeated', async () => {
    refuse(9, 502, {});
    await expect(outreachOf().clusters.delete({ id: 1 })).rejects.toMatchObject({ status: 502 });
    expect(server.calls).toEqual(['DELETE /v1/clusters/1']);
  });

  it('is repeated as often as is set', async () => {
    refuse(9, 503, {});
    await expect(outreachOf({ retries: 1 }).wallet.read()).rejects.toMatchObject({ status: 503 });
    expect(server.calls).toHaveLength(2);
  });

  it('by something before the API is an error as well', async () => {
    server.answer = () => ({ status: 413, body: 'no JSON of ours' });
    await expect(outreachOf().wallet.read()).rejects.toMatchObject({ code: 'HTTP_413' });
  });

  it('is waited for no longer than the caller wants', async () => {
    refuse(9, 503, { 'retry-after': '30' });
    const stop = new AbortController();
    const call = outreachOf().wallet.read({}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
  });
});
