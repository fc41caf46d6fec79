/** What tools show beside that which they are for: without it they answer the rest, and say why. */
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServing } from '../../src/mcp/index.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { httpCaller, serveTools, type Caller } from '../support/mcp/caller.ts';

const { api } = describeApi();

/** Between the tools and the API: what a proxy before it answers for one path, while the rest goes through. */
let proxy: Server;
let refused: { path: string; status: number } | undefined;
let serving: HttpServing;
let caller: Caller;
let token: string;

beforeAll(async () => {
  token = await api.jwt('beside');
  proxy = createServer((request, response) => {
    if (refused !== undefined && request.url === refused.path) {
      response.writeHead(refused.status, { 'retry-after': '60' }).end('busy');
      return;
    }
    const { method, url, headers } = request;
    const passed = httpRequest(api.url + url!, { method: method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  serving = await serveTools(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, []);
  caller = await httpCaller(serving.url, token);
  const people = [
    { firstName: 'Dee', lastName: 'Lee', email: 'dee@gone.test' },
    {
      firstName: 'Ann',
      lastName: 'Silent',
      social_profile_url: 'https://www.linkedin.com/in/ann-silent',
    },
  ];
  const body = { company_name: 'Gone', people };
  await api.call('POST', '/v1/leads', { token, body });
  await caller.call('suppress', { emails: ['dee@gone.test'] });
});
beforeEach(() => {
  refused = undefined;
});
afterAll(async () => {
  await caller?.close();
  await serving?.close();
  proxy?.close();
});

const idOf = async (search: string): Promise<number> =>
  (await caller.call('find_leads', { search })).items[0].id as number;

async function withScopes(...scopes: string[]): Promise<Caller> {
  const body = { name: scopes.join(), scopes };
  const made = await api.call('POST', '/api/keys', { token, body });
  return httpCaller(serving.url, made.body.data.key as string);
}

describe('whether an address is suppressed', () => {
  it('is shown with why, also to a key that only reads', async () => {
    const reader = await withScopes('leads:read', 'suppressions:read');
    const id = await idOf('dee@gone.test');
    for (const each of [caller, reader]) {
      const lead = await each.call('get_lead', { id });
      expect(lead.suppression).toEqual({ isSuppressed: true, reason: 'manual' });
      expect(lead).not.toHaveProperty('suppressionMissing');
    }
    await reader.close();
  });

  it('is missing for a lead without an address', async () => {
    const id = await idOf('Silent');
    const missing = { suppression: null, suppressionMissing: 'no_address' };
    expect(await caller.call('get_lead', { id })).toMatchObject({ id, ...missing });
  });

  it('is missing for a key that may not read it', async () => {
    const narrow = await withScopes('leads:read');
    const id = await idOf('dee@gone.test');
    const missing = { suppression: null, suppressionMissing: 'not_permitted' };
    expect(await narrow.call('get_lead', { id })).toMatchObject({ id, ...missing });
    await narrow.close();
  });

  it.each([429, 503])(
    'is missing where the API answers %i, and the lead is shown',
    async (status) => {
      const id = await idOf('dee@gone.test');
      refused = { path: '/v1/suppressions/check', status };
      const missing = { suppression: null, suppressionMissing: 'failed' };
      expect(await caller.call('get_lead', { id })).toMatchObject({ id, ...missing });
    },
  );
});

describe('custom fields', () => {
  it('are missing for a key that may not read them', async () => {
    const lists = await withScopes('lead-lists:read');
    const missing = { customFields: null, customFieldsMissing: 'not_permitted' };
    expect(await lists.call('list_lead_lists')).toMatchObject(missing);
    await lists.close();
  });

  it('are missing where the API fails, and the lists are shown', async () => {
    refused = { path: '/v1/custom-fields', status: 503 };
    const missing = { customFields: null, customFieldsMissing: 'failed' };
    expect(await caller.call('list_lead_lists')).toMatchObject({ items: [], ...missing });
  });
});

describe('a failure of what a tool is for', () => {
  it('is one of the tool', async () => {
    refused = { path: `/v1/leads/${await idOf('dee@gone.test')}`, status: 503 };
    const id = Number(refused.path.split('/').at(-1));
    expect(await caller.refusal('get_lead', { id })).toMatchObject({ code: 'HTTP_503' });
  });
});
