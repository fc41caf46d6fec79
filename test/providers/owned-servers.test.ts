/** The lists of all servers of ours: every page, only ours, with the labels of their orders. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { vpsProviders } from '../../src/providers/vps/index.ts';
import type { VpsProvider } from '../../src/providers/vps/port.ts';
import { startJsonServer, type JsonServer } from '../support/tools/json-server.ts';

let server: JsonServer;
beforeEach(async () => {
  server = await startJsonServer();
});
afterEach(() => server.close());

const adapter = (name: keyof typeof vpsProviders, environment: object): VpsProvider => {
  const state = vpsProviders[name].configure({ ...environment });
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs: 5_000, outboundProxy: undefined });
};

const ours = (domain: string) => ({ cluster: '7', 'managed-by': 'outreach', domain });

describe('Hetzner', () => {
  it('shows every page of what carries our label, without what is being deleted', async () => {
    const shown = (id: number, status = 'running') => ({
      id,
      name: `outreach-${id}-1`,
      status,
      created: '2026-11-21T10:00:00+01:00',
      labels: ours(`d${id}.com`),
    });
    server.answer = (call) => ({
      status: 200,
      body: call.includes('page=2')
        ? { servers: [shown(3)], meta: { pagination: { next_page: null } } }
        : { servers: [shown(1), shown(2, 'deleting')], meta: { pagination: { next_page: 2 } } },
    });
    const vps = adapter('hetzner', { HETZNER_TOKEN: 't', HETZNER_URL: server.url });
    const createdAt = '2026-11-21T09:00:00.000Z';
    expect(await vps.listOurs!()).toEqual([
      { id: '1', name: 'outreach-1-1', labels: ours('d1.com'), createdAt },
      { id: '3', name: 'outreach-3-1', labels: ours('d3.com'), createdAt },
    ]);
    expect(server.calls[0]).toContain('label_selector=managed-by%3Doutreach');
  });
});

describe('Vultr', () => {
  it('shows every page of what carries our tag, whatever a person made of the label', async () => {
    const shown = (id: string, tags: string[]) => ({
      id,
      label: 'renamed by hand',
      date_created: '2026-11-21T10:00:00+00:00',
      tags,
    });
    const tags = ['outreach-9-1', 'cluster=7', 'managed-by=outreach', 'domain=d9.com'];
    server.answer = (call) => ({
      status: 200,
      body: call.includes('cursor=next')
        ? { instances: [shown('b', tags)], meta: { links: { next: '' } } }
        : { instances: [shown('a', ['theirs'])], meta: { links: { next: 'next' } } },
    });
    const vps = adapter('vultr', { VULTR_API_KEY: 'k', VULTR_BASE_URL: server.url });
    expect(await vps.listOurs!()).toEqual([
      {
        id: 'b',
        name: 'outreach-9-1',
        labels: ours('d9.com'),
        createdAt: '2026-11-21T10:00:00.000Z',
      },
    ]);
    expect(server.calls).toHaveLength(2);
  });
});
