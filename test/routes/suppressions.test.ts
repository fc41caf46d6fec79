/** Suppressions: who must not be written to, and the leads that this concerns. */
import { beforeEach, describe, expect, it } from 'vitest';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi();
let token: string;
let userId: string;
let users = 0;

beforeEach(async () => {
  userId = `user-${(users += 1)}`;
  token = await api.jwt(userId);
});

const call = async (method: string, path: string, body?: object) => {
  const answer = await api.call(method, path, { token, body });
  return { status: answer.status, code: answer.body.code, ...answer.body };
};
const suppress = (body: object) => call('POST', '/v1/suppressions', body);

const addLeads = (...emails: string[]) =>
  call('POST', '/v1/leads', {
    company_name: 'Acme',
    people: emails.map((email, at) => ({ firstName: `P${at}`, lastName: 'X', email })),
  });

/** Statuses by address. */
const statuses = async (): Promise<Record<string, string>> => {
  const rows = await database.db
    .selectFrom('leads')
    .select(['email', 'status'])
    .where('user_id', '=', userId)
    .execute();
  return Object.fromEntries(rows.map(({ email, status }) => [email, status]));
};

describe('POST /v1/suppressions', () => {
  it('suppresses an address and the lead that has it, however it is written', async () => {
    await addLeads('ann@müller.de', 'bob@müller.de');
    const { status, data } = await suppress({ email: ' Ann@MÜLLER.de ', note: 'asked by phone' });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      kind: 'email',
      value: 'ann@xn--mller-kva.de',
      reason: 'manual',
      note: 'asked by phone',
      suppressedLeads: 1,
    });
    expect(await statuses()).toMatchObject({
      'ann@müller.de': 'suppressed',
      'bob@müller.de': 'pending',
    });
  });

  it('suppresses a domain with those below it', async () => {
    await addLeads('a@acme.com', 'b@mail.acme.com', 'c@notacme.com', 'd@acme.com.br');
    expect(await suppress({ domain: '@ACME.com' })).toMatchObject({
      data: { kind: 'domain', value: 'acme.com', suppressedLeads: 2 },
    });
    expect(await statuses()).toEqual({
      'a@acme.com': 'suppressed',
      'b@mail.acme.com': 'suppressed',
      'c@notacme.com': 'pending',
      'd@acme.com.br': 'pending',
    });
  });

  it('counts for leads that come later', async () => {
    await suppress({ domain: 'acme.com' });
    await addLeads('a@mail.acme.com');
    expect(await statuses()).toEqual({ 'a@mail.acme.com': 'suppressed' });
  });

  it('answers the entry that is there when it is repeated', async () => {
    const first = await suppress({ email: 'a@acme.com', reason: 'complaint' });
    const again = await suppress({ email: 'A@acme.com', reason: 'manual' });
    expect(again).toMatchObject({ status: 201, message: 'Suppressed already' });
    expect(again.data).toEqual({ ...first.data, suppressedLeads: 0 });
  });

  it('takes many at once', async () => {
    await addLeads('a@acme.com', 'b@other.com');
    await suppress({ email: 'a@acme.com' });
    const entries = [
      { email: 'a@acme.com' },
      { email: 'b@other.com', reason: 'bounce' },
      { domain: 'third.com' },
      { domain: 'third.com' },
    ];
    const { data } = await suppress({ entries });
    expect(data).toMatchObject({ created: 2, erased: 0, suppressedLeads: 1 });
    expect(data.suppressions.map(({ value }: { value: string }) => value)).toEqual([
      'a@acme.com',
      'b@other.com',
      'third.com',
      'third.com',
    ]);
  });

  it('leaves who has bounced or unsubscribed as he is', async () => {
    await addLeads('a@acme.com', 'b@acme.com');
    const leads = database.db.updateTable('leads').where('user_id', '=', userId);
    await leads.set({ status: 'unsubscribed' }).where('email', '=', 'a@acme.com').execute();
    await suppress({ domain: 'acme.com' });
    expect(await statuses()).toEqual({ 'a@acme.com': 'unsubscribed', 'b@acme.com': 'suppressed' });
  });

  it.each([
    [{}, 'body must have either email or domain'],
    [{ email: 'a@b.de', domain: 'b.de' }, 'body must have either email or domain'],
    [{ email: 'nobody' }, 'email must be an e-mail address'],
    [{ domain: 'https://acme.com/x' }, 'domain must be a domain name'],
    [{ email: 'a@b.de', reason: 'erasure' }, 'reason must be one of'],
    [{ entries: [{ email: 'a@b.de' }, {}] }, 'entries[1] must have either email or domain'],
    [{ entries: [] }, 'entries must have at least 1 item'],
    [
      { entries: Array.from({ length: 1_001 }, () => ({ email: 'a@b.de' })) },
      'entries must have at most 1000 items',
    ],
  ])('refuses %j', async (body, words) => {
    const { status, code, error } = await suppress(body);
    expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(error).toContain(words);
  });

  it('misses no lead that is stored at the same moment', async () => {
    const emails = Array.from({ length: 8 }, (_, at) => `p${at}@acme.com`);
    await Promise.all([
      ...emails.map((email) => addLeads(email)),
      ...emails.map((email) => suppress({ email })),
    ]);
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(['suppressed']));
    expect(Object.keys(await statuses())).toHaveLength(8);
  });
});

describe('GET /v1/suppressions/lifted', () => {
  it('tells what was removed, when, and who asked for it; to nobody else', async () => {
    const one = await suppress({ email: 'ann@acme.com', reason: 'unsubscribe' });
    const two = await suppress({ domain: 'acme.com', note: 'a customer' });
    await call('DELETE', `/v1/suppressions/${one.data.id}?note=Ann+called+on+Monday`);
    await call('DELETE', `/v1/suppressions/${two.data.id}`);
    const path = '/v1/suppressions/lifted';
    const { status, data, meta } = await call('GET', path);
    expect([status, meta.pagination.total]).toEqual([200, 2]);
    expect(data).toMatchObject([
      { suppressionId: two.data.id, kind: 'domain', value: 'acme.com', note: null },
      {
        suppressionId: one.data.id,
        kind: 'email',
        value: 'ann@acme.com',
        reason: 'unsubscribe',
        note: 'Ann called on Monday',
        liftedLeads: 0,
        liftedAt: expect.stringMatching(/^20\d\d-/),
      },
    ]);
    expect((await call('GET', `${path}?reason=unsubscribe&search=ANN`)).data).toHaveLength(1);
    const page = await call('GET', `${path}?limit=1&page=2`);
    expect(page.data).toMatchObject([{ suppressionId: one.data.id }]);
    expect((await call('GET', `${path}?kind=person`)).code).toBe('VALIDATION_ERROR');
    token = await api.jwt(`user-${(users += 1)}`);
    expect((await call('GET', path)).data).toEqual([]);
  });
});

describe('DELETE /v1/suppressions/:id', () => {
  it('lifts leads back to pending where nothing else suppresses them', async () => {
    await addLeads('a@acme.com', 'b@acme.com');
    const { data } = await suppress({ domain: 'acme.com' });
    const email = await suppress({ email: 'a@acme.com' });
    const removed = await call('DELETE', `/v1/suppressions/${data.id}`);
    expect(removed).toMatchObject({ status: 200, data: { id: data.id, liftedLeads: 1 } });
    expect(await statuses()).toEqual({ 'a@acme.com': 'suppressed', 'b@acme.com': 'pending' });
    await call('DELETE', `/v1/suppressions/${email.data.id}`);
    expect(await statuses()).toEqual({ 'a@acme.com': 'pending', 'b@acme.com': 'pending' });
  });

  it('refuses what an erasure has left', async () => {
    const { data } = await suppress({ email: 'a@acme.com' });
    await database.db
      .updateTable('suppressions')
      .set({ reason: 'erasure' })
      .where('id', '=', data.id)
      .execute();
    const { status, code } = await call('DELETE', `/v1/suppressions/${data.id}`);
    expect({ status, code }).toEqual({ status: 400, code: 'INVALID_STATE' });
  });

  it.each(['GET', 'DELETE'])('answers 404 to %s of somebody else’s', async (method) => {
    const { data } = await suppress({ email: 'a@acme.com' });
    token = await api.jwt(`user-${(users += 1)}`);
    for (const id of [data.id, 999_999]) {
      const { status, code } = await call(method, `/v1/suppressions/${id}`);
      expect({ status, code }).toEqual({ status: 404, code: 'SUPPRESSION_NOT_FOUND' });
    }
  });
});

describe('GET /v1/suppressions', () => {
  it('pages by number and by cursor, newest first, with filters', async () => {
    const entries = Array.from({ length: 5 }, (_, at) => ({ email: `p${at}@acme.com` }));
    await suppress({ entries });
    await suppress({ domain: 'acme_1.com'.replace('_', '-'), reason: 'bounce' });
    const values = (answer: { data: { value: string }[] }) => answer.data.map((row) => row.value);
    const first = await call('GET', '/v1/suppressions?limit=2');
    expect(values(await call('GET', '/v1/suppressions?limit=2&page=3'))).toHaveLength(2);
    expect(first.meta.pagination).toMatchObject({ total: 6, totalPages: 3, hasNext: true });
    const seen = values(first);
    let cursor = first.meta.pagination.nextCursor;
    while (cursor !== null) {
      const page = await call('GET', `/v1/suppressions?limit=2&cursor=${cursor}`);
      seen.push(...values(page));
      cursor = page.meta.pagination.nextCursor;
    }
    expect(seen[0]).toBe('acme-1.com');
    expect(new Set(seen).size).toBe(6);
    expect(values(await call('GET', '/v1/suppressions?kind=domain'))).toEqual(['acme-1.com']);
    expect(values(await call('GET', '/v1/suppressions?reason=manual'))).toHaveLength(5);
    expect(values(await call('GET', '/v1/suppressions?search=P3%40'))).toEqual(['p3@acme.com']);
    expect(values(await call('GET', '/v1/suppressions?search=p_'))).toEqual([]);
    expect(await call('GET', '/v1/suppressions?cursor=x')).toMatchObject({ status: 400 });
  });

  it('reads one', async () => {
    const { data } = await suppress({ email: 'a@acme.com' });
    const { suppressedLeads: _count, ...entry } = data;
    expect((await call('GET', `/v1/suppressions/${data.id}`)).data).toEqual(entry);
  });
});

describe('POST /v1/suppressions/check', () => {
  it('tells for each address whether it may be written to, and why not', async () => {
    const email = await suppress({ email: 'a@acme.com', reason: 'complaint' });
    const domain = await suppress({ domain: 'other.com' });
    const emails = ['A@acme.com', 'b@acme.com', 'x@mail.other.com', 'nonsense'];
    const { data } = await call('POST', '/v1/suppressions/check', { emails });
    const free = { isSuppressed: false, reason: null, suppressionId: null };
    expect(data).toEqual([
      {
        email: 'A@acme.com',
        isSuppressed: true,
        reason: 'complaint',
        suppressionId: email.data.id,
      },
      { email: 'b@acme.com', ...free },
      {
        email: 'x@mail.other.com',
        isSuppressed: true,
        reason: 'manual',
        suppressionId: domain.data.id,
      },
      { email: 'nonsense', ...free },
    ]);
  });
});
