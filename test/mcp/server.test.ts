/** The server against the API itself: both transports, confirmations, errors, what it does not tell. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServing } from '../../src/mcp/index.ts';
import type { Context } from '../../src/context.ts';
import { credit } from '../../src/db/wallet/ledger.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { httpCaller, serveTools, stdioCaller, type Caller } from '../support/mcp/caller.ts';
import { movement } from '../support/wallet/wallet.ts';

let isFree = true;
const quote = async () => ({ available: isFree, premium: false, priceCents: 1_200, termYears: 1 });
const registrar = {
  name: 'namecom',
  recordTypes: ['TXT'],
  quote,
  quoteAll: (domains: string[]) =>
    Promise.all(domains.map(async (domain) => ({ domain, ...(await quote()) }))),
  find: async () => null,
};

// Nothing runs behind the API: rows are written, and workflows would be started later.
const { api, database } = describeApi(() => {
  const context = { startOperation: async () => false, registrars: { namecom: registrar } };
  return { context: context as unknown as Partial<Context> };
});

const logged: string[] = [];
let serving: HttpServing;
let caller: Caller;
let token: string;

const serve = (allowed: ('spend' | 'send')[], baseUrl = api.url) =>
  serveTools(baseUrl, allowed, (line) => void logged.push(line));

beforeAll(async () => {
  token = await api.jwt('mcp');
  await api.call('GET', '/v1/account', { token });
  await database.db.transaction().execute((trx) => credit(trx, movement('mcp', 10_000)));
  serving = await serve(['spend', 'send']);
  caller = await httpCaller(serving.url, token);
});

afterAll(async () => {
  await caller?.close();
  await serving?.close();
});

describe('outreach mcp on stdin and stdout', () => {
  it('offers what was granted, calls the API with the key of its environment, and ends', async () => {
    const own = await stdioCaller({ url: api.url, token }, '--allow', 'spend');
    const noise: string[] = [];
    // A line that is not of the protocol.
    own.client.onerror = ({ message }) => void noise.push(message);
    const { tools } = await own.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('create_cluster');
    expect(names).not.toContain('start_campaign');
    expect(own.client.getInstructions()).toContain('quote');
    expect(await own.call('get_account')).toMatchObject({ email: 'mcp@example.test' });
    await own.refusal('get_lead', { id: 4_711 });
    await own.close();
    expect(noise).toEqual([]);
  });

  it('offers nothing that spends or sends unless that was granted', async () => {
    const own = await stdioCaller({ url: api.url, token });
    const { tools } = await own.client.listTools();
    expect(tools.filter(({ inputSchema }) => 'confirm' in inputSchema.properties!)).toEqual([]);
    expect(await own.refusal('create_cluster', { domain: 'a.com' })).toContain('not found');
    await own.close();
  });
});

describe('outreach mcp on streamable HTTP', () => {
  /** The status of a request with these headers; `fetch` does not let the host be set. */
  const status = (headers: Record<string, string>, method = 'POST', path = '/mcp') =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(serving.url);
      const sent = request({ hostname, port, path, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sent.once('error', reject);
      sent.end();
    });

  it('passes the token of each caller on, and needs one', async () => {
    const other = await httpCaller(serving.url, await api.jwt('somebody-else'));
    expect(await other.call('get_account')).toMatchObject({ email: 'somebody-else@example.test' });
    await other.close();
    expect(await status({})).toBe(401);
    expect(await status({ authorization: 'Basic abc' })).toBe(401);
  });

  it.each([
    ['a host of a stranger', { host: 'evil.example' }, 403],
    ['a page of a stranger', { origin: 'https://evil.example' }, 403],
    ['a page without an origin of its own', { origin: 'null' }, 403],
    ['a page of this machine', { origin: 'http://localhost:6274' }, 401],
    ['a host of this machine', { host: 'localhost' }, 401],
  ])('answers %s as it should', async (_, headers: Record<string, string>, expected) => {
    expect(await status(headers)).toBe(expected);
  });

  it('has no sessions to listen to, and nothing elsewhere', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect(await status(headers, 'GET')).toBe(405);
    expect(await status(headers, 'DELETE')).toBe(405);
    expect(await status(headers, 'POST', '/')).toBe(404);
  });

  it('listens at the loopback', () => {
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });
});

describe('a tool that spends', () => {
  const wallet = () => caller.call('get_wallet');
  const clusters = async () => (await caller.call('list_clusters')).total as number;

  it('says what it costs and does nothing, then acts once, however often it is confirmed', async () => {
    const args = { domain: 'confirmed.com' };
    const before = await clusters();
    const first = await caller.call('create_cluster', args);
    expect(first).toMatchObject({ status: 'needs_confirmation', quote: { amountCents: 4_100 } });
    expect(first.quote.summary).toContain('$41.00 of the $100.00');
    expect(first).not.toHaveProperty('result');
    expect(await clusters()).toBe(before);

    const confirmed = { ...args, confirm: first.quote.confirm };
    const done = await caller.call('create_cluster', confirmed);
    expect(done).toMatchObject({ status: 'done', result: { domain: 'confirmed.com' } });
    // Of a repeat the registrar would say that the domain is taken.
    isFree = false;
    expect(await caller.call('create_cluster', confirmed)).toEqual(done);
    isFree = true;
    expect(await clusters()).toBe(before + 1);
    expect(await wallet()).toMatchObject({ heldCents: 4_100, availableCents: 5_900 });
  });

  it('does nothing with a confirmation of something else', async () => {
    const { quote: given } = await caller.call('create_cluster', { domain: 'cheap.com' });
    const other = { domain: 'dear.com', confirm: given.confirm };
    expect(await caller.refusal('create_cluster', other)).toMatchObject({
      code: 'CONFIRMATION_MISMATCH',
      next: expect.stringContaining('without `confirm`'),
    });
    const stranger = await httpCaller(serving.url, await api.jwt('eve'));
    const same = { domain: 'cheap.com', confirm: given.confirm };
    expect(await stranger.refusal('create_cluster', same)).toMatchObject({
      code: 'CONFIRMATION_MISMATCH',
    });
    await stranger.close();
  });

  it('says so before there is a price to agree to, where the domain is taken', async () => {
    isFree = false;
    const refused = await caller.refusal('create_cluster', { domain: 'taken.com' });
    isFree = true;
    expect(refused).toMatchObject({ code: 'DOMAIN_UNAVAILABLE' });
    expect(refused.next).toContain('quote_cluster');
  });

  it('says what is missing where the wallet is short of money', async () => {
    const refused = await (
      await httpCaller(serving.url, await api.jwt('poor'))
    ).refusal('create_cluster', { domain: 'poor.com' });
    expect(refused).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: [{ neededCents: 4_100, availableCents: 0 }],
    });
    expect(refused.next).toContain('fund_wallet');
  });
});

describe('a webhook', () => {
  it('is made once the user has agreed, and its secret is not shown', async () => {
    const hook = { url: 'https://hooks.acme.test/outreach', events: ['email.replied'] };
    const made = await caller.agree('create_webhook', hook, ({ summary, amountCents }) => {
      expect(summary).toContain('hooks.acme.test is told of email.replied');
      expect(amountCents).toBe(0);
    });
    // No name has an address here.
    expect(made).toMatchObject({ ...hook, testDelivered: false, testError: expect.any(String) });
    expect(JSON.stringify(made)).not.toContain('whsec_');
  });
});

describe('an error', () => {
  it('of the API has its code, its fields and what to do, and no stack', async () => {
    const refused = await caller.refusal('fund_wallet', { amountCents: 100 });
    expect(Object.keys(refused)).toEqual(expect.arrayContaining(['code', 'message', 'next']));
    expect(JSON.stringify(refused)).not.toMatch(/ at .*\.ts:/);
    const missing = await caller.refusal('get_lead', { id: 4_711 });
    expect(missing).toMatchObject({
      code: 'LEAD_NOT_FOUND',
      message: 'Lead not found',
      next: 'List them first: there is none with this id.',
      requestId: expect.any(String),
    });
  });

  it('names the field that is wrong', async () => {
    const refused = await caller.refusal('update_account', { timezone: 'Mars/Olympus' });
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', field: 'timezone' });
    const people = [{ personEmail: 'dee@fields.test' }];
    const nowhere = await caller.refusal('import_leads', { people, leadListId: 4_711 });
    expect(nowhere).toMatchObject({
      code: 'LEAD_LIST_NOT_FOUND',
      field: 'leadListId',
      details: [{ field: 'leadListId', message: expect.stringContaining('4711') }],
    });
  });

  it('of an argument comes before the API is asked', async () => {
    expect(await caller.refusal('get_lead', { id: 'one' })).toContain('Input validation error');
    expect(await caller.refusal('get_lead', { id: 1, leadId: 2 })).toContain('leadId');
  });

  it('tells a token that is wrong as what it is, without the token', async () => {
    const wrong = `svc_${'0'.repeat(64)}`;
    const stranger = await httpCaller(serving.url, wrong);
    const refused = await stranger.refusal('get_wallet');
    expect(refused).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(JSON.stringify(refused) + logged.join('\n')).not.toContain(wrong);
    await stranger.close();
  });
});

describe('an API that is not there', () => {
  it('is told as what it is, and the log has no token', async () => {
    const elsewhere = await serve([], 'http://127.0.0.1:9');
    const odd = 'svc_with"odd';
    const lost = await httpCaller(elsewhere.url, odd);
    expect(await lost.refusal('get_wallet')).toEqual({
      code: 'NOT_REACHED',
      message: 'The API did not answer',
      next: expect.stringContaining('again'),
    });
    expect(logged.at(-1)).toMatch(/^get_wallet: GET .* was not answered/);
    expect(logged.join('\n')).not.toContain(odd);
    await lost.close();
    await elsewhere.close();
  });
});

describe('leads', () => {
  it('are imported as a file, into a new list, and the end of it is waited for', async () => {
    const people = Array.from({ length: 5 }, (_, at) => ({
      personFirstName: `Ada "${at}"`,
      personLastName: 'Lee, jr.',
      personEmail: `ada-${at}@pages.test`,
      companyName: 'Pages',
    }));
    const importing = caller.call('import_leads', { people, newListName: 'Fair' });
    // No workflow reads the file here: it ends as if one had.
    const end = database.db.updateTable('lead_imports').set({ status: 'completed' });
    await expect.poll(async () => Number((await end.executeTakeFirst()).numUpdatedRows)).toBe(1);
    const { leadListId, ...first } = await importing;
    expect(first).toMatchObject({ status: 'completed', importId: expect.any(Number) });
    expect(await caller.call('list_lead_lists')).toMatchObject({
      items: [{ id: leadListId, name: 'Fair' }],
      nextCursor: null,
    });
  });
});

describe('custom fields', () => {
  it('are listed, imported as columns, shown, and narrow a search', async () => {
    for (const [field, type] of [
      ['industry', 'text'],
      ['size', 'number'],
    ]) {
      await api.call('POST', '/v1/custom-fields', { token, body: { name: field, type } });
    }
    expect(await caller.call('list_lead_lists')).toMatchObject({
      customFields: [
        { name: 'industry', type: 'text' },
        { name: 'size', type: 'number' },
      ],
    });
    const people = [
      { personEmail: 'bea@custom.test', custom: { industry: 'Bakery, "old"', size: 7 } },
      { personEmail: 'cid@custom.test', custom: { size: 9 } },
    ];
    const importing = caller.call('import_leads', { people, newListName: 'Custom' });
    const open = () =>
      database.db
        .selectFrom('lead_imports')
        .select(['id'])
        .where('status', '=', 'processing')
        .execute();
    await expect.poll(async () => (await open()).length).toBe(1);
    await runLeadImport(database, (await open())[0]!.id);
    expect(await importing).toMatchObject({ importedLeads: 2, failedRows: 0 });
    const custom = { industry: 'Bakery, "old"', 'size.max': '8' };
    const found = await caller.call('find_leads', { custom });
    expect(found.items).toMatchObject([
      { personEmail: 'bea@custom.test', custom: { industry: 'Bakery, "old"', size: 7 } },
    ]);
    const { id } = found.items[0];
    const told = { custom: { size: 7 }, suppression: { isSuppressed: false, reason: null } };
    expect(await caller.call('get_lead', { id })).toMatchObject(told);
    const texts = {
      subjectTemplate: 'For {{custom.industry}}',
      bodyTemplate: 'Hi {{custom.size}}',
    };
    const draft = await api.call('POST', '/v1/campaigns', { token, body: { name: 'C', ...texts } });
    const { items } = await caller.call('find_leads', { search: '@custom.test' });
    const leadIds = items.map((lead: { id: number }) => lead.id);
    const path = `/v1/campaigns/${draft.body.data.id}`;
    await api.call('POST', `${path}/leads`, { token, body: { leadIds } });
    const shown = await caller.call('preview_campaign', { id: draft.body.data.id, leadId: id });
    expect(shown).toMatchObject({
      missingValues: [{ variable: 'custom.industry', leads: 1, fields: ['subjectTemplate'] }],
      messages: [{ subject: 'For Bakery, "old"', missing: [] }],
    });
    await api.call('DELETE', path, { token });
  });
});

describe('a list', () => {
  it('is small, and goes on by its cursor', async () => {
    for (let at = 0; at < 3; at += 1) {
      const body = { name: `Campaign ${at}`, subjectTemplate: 'Hi', bodyTemplate: 'Hello' };
      await api.call('POST', '/v1/campaigns', { token, body });
    }
    const first = await caller.call('list_campaigns', { limit: 2 });
    expect(first).toMatchObject({ nextCursor: '2', total: 3 });
    const second = await caller.call('list_campaigns', { limit: 2, cursor: first.nextCursor });
    expect(second.nextCursor).toBeNull();
    const names = [...first.items, ...second.items].map(({ name }) => name as string);
    expect(names).toEqual(['Campaign 2', 'Campaign 1', 'Campaign 0']);
  });

  it('has a cluster alone by its id, with its health where that is asked for', async () => {
    const { id, domain } = (await caller.call('list_clusters')).items[0];
    const { items, ...page } = await caller.call('list_clusters', { id });
    expect(page).toEqual({ nextCursor: null, total: 1 });
    expect(items).toEqual([expect.objectContaining({ id, domain })]);
    expect(items[0]).not.toHaveProperty('health');
    const checked = await caller.call('list_clusters', { id, health: true });
    const part = { name: expect.any(String), state: 'unknown', message: expect.any(String) };
    expect(checked.items[0].health).toContainEqual(part);
  });

  it('has a campaign alone by its id, with its results', async () => {
    const { items } = await caller.call('list_campaigns', { limit: 1 });
    const { id } = items[0];
    expect(items[0]).not.toHaveProperty('results');
    const one = await caller.call('list_campaigns', { id });
    expect(one).toMatchObject({ items: [{ id, name: 'Campaign 2' }], nextCursor: null, total: 1 });
    expect(one.items[0].results).toMatchObject({
      windowOpen: expect.any(Boolean),
      waiting: 0,
      counts: { sent: 0 },
      rates: { replyRate: 0 },
      mailboxes: [],
    });
    const missing = await caller.refusal('list_campaigns', { id: 4_711 });
    expect(missing).toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
  });

  it.each([
    ['list_clusters', { health: true }, ['health']],
    ['list_clusters', { id: 1, cursor: '2' }, ['cursor']],
    ['list_campaigns', { id: 1, status: 'active' }, ['status']],
    ['list_campaigns', { id: 1, search: 'Ann', cursor: '2' }, ['search', 'cursor']],
  ])('%s refuses %j, which says nothing there', async (name, args, fields) => {
    expect(await caller.refusal(name, args)).toEqual({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(fields.join(', ')),
      field: fields[0],
      details: fields.map((field) => ({ field, message: expect.any(String) })),
      next: expect.any(String),
    });
  });
});

describe('a discovery that is paused', () => {
  it('goes on once the user has agreed, and by no tool without the grant', async () => {
    const made = await caller.agree('discover_leads', { searchTerm: 'bakery', leadCount: 30 });
    const { id } = made;
    const other = { resumeId: id };
    expect(await caller.refusal('discover_leads', other)).toMatchObject({ code: 'INVALID_STATE' });
    const job = { kind: 'discovery', id };
    await caller.call('control_job', { ...job, action: 'pause' });
    const refused = await caller.refusal('control_job', { ...job, action: 'resume' });
    expect(refused).toContain('Input validation error');
    const { quote } = await caller.call('discover_leads', other);
    expect(quote.summary).toContain('search for "bakery" and looks up contacts until 30 people');
    expect(quote.summary).toContain('contacts at a finder (Hunter or Apollo)');
    const state = async () =>
      (await api.call('GET', `/v1/leads/process/${id}`, { token })).body.data.status as string;
    expect(await state()).toBe('paused');
    const confirmed = { ...other, confirm: quote.confirm };
    const done = await caller.call('discover_leads', confirmed);
    expect(done).toMatchObject({ status: 'done', result: { id, status: 'processing' } });
    expect(await state()).toBe('processing');
    expect(await caller.call('discover_leads', confirmed)).toEqual(done);
  });

  it.each([{}, { searchTerm: 'bakery', resumeId: 1 }])(
    'is told from a new one: %j',
    async (args) => {
      const refused = await caller.refusal('discover_leads', args);
      expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );
});

describe('waiting', () => {
  it('tells how far it is, and ends with the state so far', async () => {
    const { items } = await caller.call('list_clusters');
    const seen: (string | undefined)[] = [];
    const answer = await caller.call(
      'wait_for',
      { jobs: [{ kind: 'cluster', id: items[0].id }], seconds: 2 },
      ({ message, total }) => {
        seen.push(message);
        expect(total).toBe(100);
      },
    );
    expect(answer).toMatchObject({
      isOver: false,
      jobs: [{ kind: 'cluster', state: 'provisioning', isDone: false, isStuck: false }],
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen[0]).toContain('cluster');
  });

  it('is over at once where nothing goes on by itself', async () => {
    const { items } = await caller.call('list_campaigns');
    const jobs = [{ kind: 'campaign', id: items[0].id }];
    expect(await caller.call('wait_for', { jobs })).toMatchObject({
      isOver: true,
      jobs: [{ state: 'draft', isStuck: true }],
    });
  });
});
