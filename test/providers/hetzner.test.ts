/** What is odd about Hetzner: each trap with a test that fails without its handling. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hetzner } from '../../src/providers/vps/hetzner.ts';
import type { VpsProvider } from '../../src/providers/vps/port.ts';
import { startJsonServer, type JsonServer } from '../support/tools/json-server.ts';
import { providerError } from '../support/vendors/provider-error.ts';

let odd: JsonServer;
let vps: VpsProvider;
beforeAll(async () => {
  odd = await startJsonServer();
  const state = hetzner.configure({ HETZNER_TOKEN: 'token', HETZNER_URL: odd.url });
  if (state.state !== 'on') throw new Error('not configured');
  vps = state.create({ timeoutMs: 15_000, outboundProxy: undefined });
});
afterAll(() => odd?.close());

describe('too many calls', () => {
  it('waits for seconds, not until the bucket of an hour is full again', async () => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 3_600);
    const error = { code: 'rate_limit_exceeded', message: 'limit reached', details: null };
    odd.answer = () => ({ status: 429, body: { error }, headers: { 'RateLimit-Reset': reset } });
    const { kind, facts } = await providerError(vps.findByName('outreach-1-1'));
    expect(kind).toBe('rate_limited');
    expect(facts.retryAfterMs).toBeLessThan(15_000);
  });
});
