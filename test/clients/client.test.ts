/** The TypeScript client against the API itself: operations, lists, files, errors. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createOutreach,
  isOutreachError,
  OutreachError,
  type Outreach,
} from '../../clients/typescript/src/index.ts';
import { describeApi } from '../support/api/describe-api.ts';

// Nothing runs behind the API: rows are written, and workflows would be started later.
const { api } = describeApi(() => ({ context: { startOperation: async () => false } }));
let outreach: Outreach;

beforeAll(async () => {
  outreach = createOutreach({ baseUrl: `${api.url}/`, apiKey: await api.jwt('client') });
});

const caught = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an operation', () => {
  it('takes parameters and a body, and gives its data', async () => {
    const list = await outreach.leadLists.create({ body: { name: 'Spring' } });
    const changed = await outreach.leadLists.update({ id: list.id, body: { name: 'Fair & co' } });
    expect(changed.name).toBe('Fair & co');
    expect(await outreach.leadLists.read({ id: list.id })).toEqual(changed);
    const { items } = await outreach.leadLists.list({ limit: 5 });
    expect(items.map(({ id }) => id)).toEqual([list.id]);
    expect(await outreach.leadLists.delete({ id: list.id })).toMatchObject({
      lead_list_id: list.id,
    });
  });

  it('works with an API key that it made itself', async () => {
    const made = await outreach.apiKeys.create({ body: { name: 'program' } });
    const program = createOutreach({ baseUrl: api.url, apiKey: made.key });
    expect((await program.account.read()).userId).toBe('client');
  });

  it('gives the whole of an answer that has its own form', async () => {
    expect(await outreach.health.read()).toMatchObject({ version: expect.any(String) });
  });

  it('takes filters of custom fields as an object', async () => {
    await outreach.customFields.create({ body: { name: 'size', type: 'number' } });
    const people = [3, 7].map((size) => ({
      firstName: 'Ada',
      lastName: `No ${size}`,
      email: `a${size}@sized.test`,
      custom: { size },
    }));
    await outreach.leads.create({ body: { company_name: 'Sized', people } });
    const found = await outreach.leads.list({ custom: { 'size.min': '5' }, limit: 5 });
    expect(found.items.map(({ custom }) => custom)).toEqual([{ size: 7 }]);
  });

  it('gives files as text, and takes them as they are', async () => {
    const csv = 'email,first name,company\nada@acme.test,Ada,Acme\n';
    const imported = await outreach.leadImports.create({
      body: csv,
      contentType: 'text/csv',
      fileName: 'leads.csv',
    });
    expect(imported).toMatchObject({ fileName: 'leads.csv', totalRows: 1 });
    expect(await outreach.leads.export()).toContain('personEmail');
  });
});

describe('an error', () => {
  it('has the code, the words and the id of the request', async () => {
    const error = await caught(outreach.leadLists.read({ id: 999_999 }));
    expect(error).toBeInstanceOf(OutreachError);
    expect(error).toMatchObject({
      status: 404,
      code: 'LEAD_LIST_NOT_FOUND',
      message: 'Lead list not found',
      requestId: expect.any(String),
    });
    expect(isOutreachError(error)).toBe(true);
    expect(isOutreachError(error, 'LEAD_LIST_NOT_FOUND')).toBe(true);
    expect(isOutreachError(error, 'LEAD_NOT_FOUND')).toBe(false);
    expect(isOutreachError(new Error('other'))).toBe(false);
  });

  it('names the fields that are wrong', async () => {
    const error = await caught(outreach.leadLists.create({ body: { name: '' } }));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'name' }] });
  });

  it('comes for a token that is wrong, of lists too', async () => {
    const stranger = createOutreach({ baseUrl: api.url, apiKey: `svc_${'0'.repeat(64)}` });
    expect(await caught(stranger.leadLists.list())).toMatchObject({ code: 'UNAUTHORIZED' });
    const loop = async () => {
      for await (const each of stranger.leadLists.list()) throw new Error(each.name);
    };
    await expect(loop()).rejects.toMatchObject({ status: 401 });
  });
});

describe('a list', () => {
  const total = 23;

  beforeAll(async () => {
    outreach = createOutreach({ baseUrl: api.url, apiKey: await api.jwt('pages') });
    for (let at = 0; at < total; at += 1) {
      await outreach.leadLists.create({ body: { name: `Page ${at}` } });
    }
    const people = Array.from({ length: total }, (_, at) => ({
      firstName: `Ada ${at}`,
      lastName: 'Lee',
      email: `ada-${at}@pages.test`,
    }));
    await outreach.leads.create({ body: { company_name: 'Pages', people } });
  });

  it('is one page where it is awaited', async () => {
    const { items, pagination } = await outreach.leadLists.list({ limit: 5 });
    expect(items).toHaveLength(5);
    expect(pagination).toMatchObject({ page: 1, limit: 5, total, hasNext: true });
  });

  it('is all that is in it where it is looped over, by numbers', async () => {
    const names = new Set<string>();
    for await (const { name } of outreach.leadLists.list({ limit: 5 })) {
      names.add(name);
    }
    expect(names.size).toBe(total);
  });

  it('is all that is in it, by cursor', async () => {
    const sizes: number[] = [];
    const emails = new Set<string | null>();
    const pages = outreach.leads.list({ search: 'pages.test', limit: 10 }).pages();
    for await (const { items } of pages) {
      sizes.push(items.length);
      for (const { personEmail } of items) emails.add(personEmail);
    }
    expect(sizes).toEqual([10, 10, 3]);
    expect(emails.size).toBe(total);
  });

  it('ends where it is left early, without asking further', async () => {
    const asked: string[] = [];
    const counting = createOutreach({
      baseUrl: api.url,
      apiKey: await api.jwt('pages'),
      fetch: (url, init) => {
        asked.push(url as string);
        return fetch(url, init);
      },
    });
    for await (const each of counting.leadLists.list({ limit: 5 })) {
      if (each.id > 0) break;
    }
    expect(asked).toHaveLength(1);
  });

  it('of messages has its rows beside its pages', async () => {
    const { items, pagination } = await outreach.inbox.list({ limit: 5 });
    expect(items).toEqual([]);
    expect(pagination).toMatchObject({ limit: 5, hasNext: false });
    const seen = [];
    for await (const message of outreach.inbox.list()) seen.push(message);
    expect(seen).toEqual([]);
  });

  it('of events goes on behind the last one that was read, and ends with the newest', async () => {
    const { id } = await outreach.apiKeys.create({ body: { name: 'rotated' } });
    for (let at = 0; at < 3; at += 1) await outreach.apiKeys.rotate({ id });
    const read = async () => {
      const events = [];
      for await (const event of outreach.events.list({ limit: 2 })) events.push(event);
      return events;
    };
    // They are shown once no older transaction is open, of other databases of the server either.
    await expect.poll(async () => (await read()).length).toBe(3);
    const events = await read();
    expect(events.map(({ type }) => type)).toEqual(Array(3).fill('api_key.rotated'));
    const last = events.at(-1)!.id;
    const { items, pagination } = await outreach.events.list({ after: last });
    expect(items).toEqual([]);
    expect(pagination.nextCursor).toBe(last);
  });
});
