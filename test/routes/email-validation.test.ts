/** /v1/email-validation against a verifier's stand-in. Choices 28, 29, 57-59. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { EmailChecker } from '../../src/domain/email-validation/email-check.ts';
import { validateEmail } from '../../src/services/email-validation/email-validation.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { startInRows } from '../support/workflows/start-in-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { runValidation, sandboxChecker } from '../support/mail/email-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

let sandbox: TestSandbox;
let database: TestDatabase;
let api: TestApi;
let emailChecker: EmailChecker;
let token: string;
let user = 0;
const signals: string[] = [];

const temporal = {
  withDeadline: (_deadline: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (id: string) => ({
      signal: async (signal: { name: string }) =>
        signals.push(`${signal.name} ${withoutRunKey(id)}`),
    }),
  },
};

beforeAll(async () => {
  [sandbox, database] = await Promise.all([startTestSandbox({ pace: 4 }), createTestDatabase()]);
  emailChecker = sandboxChecker(database, sandbox, ['reacher']);
  const made = { temporal, emailChecker, startOperation: startInRows(() => database) };
  api = await startTestApi({ database, context: made as unknown as Partial<Context> });
});
beforeEach(async () => {
  token = await api.jwt(`user-${(user += 1)}`);
});
afterAll(async () => {
  await api?.close();
  await Promise.all([database?.close(), sandbox?.remove()]);
});

const post = (path: string, body?: object) =>
  api.call('POST', `/v1/email-validation${path}`, { token, ...(body && { body }) });
const get = (path: string) => api.call('GET', `/v1/email-validation${path}`, { token });
const validate = async (email: string) => (await post('', { email })).body.data;
const run = (id: number) => runValidation({ db: database.db, emailChecker }, id);

/** A list with leads of these addresses. */
async function leadList(emails: readonly (string | null)[]): Promise<number> {
  const list = await api.call('POST', '/v1/lead-lists', { token, body: { name: 'A list' } });
  const people = emails.map((email, n) => ({
    firstName: `P${n}`,
    lastName: 'Test',
    ...(email && { email }),
    social_profile_url: `https://www.linkedin.com/in/u${user}-p${n}`,
  }));
  const leadListId = list.body.data.id;
  const body = { company_name: 'Acme', leadListId, source: 'test', people };
  const made = await api.call('POST', '/v1/leads', { token, body });
  expect(made).toMatchObject({ status: 201 });
  return leadListId;
}

const leads = async () =>
  (await api.call('GET', '/v1/leads', { token })).body.data.map(
    (lead: { personEmail: string; validationScore: number; emailValid: boolean }) => [
      lead.personEmail,
      lead.validationScore,
      lead.emailValid,
    ],
  );

describe('POST /v1/email-validation', () => {
  it('tells status, score, reason and every fact', async () => {
    const { status, body } = await post('', { email: ' Ann@Acme.test ' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      email: 'Ann@acme.test',
      status: 'valid',
      score: 95,
      isValid: true,
      reason: 'mailbox_exists',
      checks: {
        syntax: true,
        mx: true,
        disposable: false,
        role: false,
        free: false,
        catchAll: false,
        smtp: true,
        fullInbox: false,
        disabled: false,
      },
      suggestion: null,
    });
  });

  it.each([
    ['invalid-ann@acme.test', 'invalid', 0, 'mailbox_not_found'],
    ['ann@catchall-acme.test', 'risky', 60, 'catch_all'],
    ['unknown-ann@acme.test', 'unknown', 40, 'unreachable'],
    ['disposable-ann@acme.test', 'risky', 10, 'disposable'],
    ['ann@mailinator.com', 'invalid', 0, 'no_mx'],
    ['info@acme.test', 'valid', 80, 'mailbox_exists'],
    ['ann@null-mx.mxlab.test', 'invalid', 0, 'null_mx'],
    ['ann@no-mx.mxlab.test', 'invalid', 0, 'no_mx'],
    ['ann@a-only.mxlab.test', 'valid', 95, 'mailbox_exists'],
  ])('%s is %s (%i, %s)', async (email, status, score, reason) => {
    expect(await validate(email)).toMatchObject({ status, score, reason, isValid: score >= 70 });
  });

  it('suggests what was meant', async () => {
    expect(await validate('ann.lee@gnail.com')).toMatchObject({ suggestion: 'ann.lee@gmail.com' });
  });

  it('a text that is no address is answered: invalid, 0, syntax (choice 59)', async () => {
    for (const email of ['', 'nobody', 'a@b', 'two@@acme.test', '\u{1f600}']) {
      const { status, body } = await post('', { email });
      expect({ status, ...body.data }).toMatchObject({
        status: 'invalid',
        score: 0,
        reason: 'syntax',
        isValid: false,
      });
      expect(status).toBe(200);
    }
  });

  it.each([{}, { email: null }, { email: 7 }, { email: ['a@b.c'] }, { email: 'a'.repeat(1_001) }])(
    '400 VALIDATION_ERROR for %j',
    async (body) => {
      const answer = await post('', body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    },
  );

  it('401 without a token', async () => {
    const answer = await api.call('POST', '/v1/email-validation', { body: { email: 'a@b.test' } });
    expect(answer.status).toBe(401);
  });

  it('asks the verifier once for one address, however often it is asked', async () => {
    const before = (await sandbox.control('GET', '/books')).body.verifiers.reacher.requests;
    await Promise.all(Array.from({ length: 5 }, () => validate('once@acme.test')));
    await validate('ONCE@acme.test');
    const after = (await sandbox.control('GET', '/books')).body.verifiers.reacher.requests;
    expect(after - before).toBe(1);
  });

  it('a failure of the verifier is unknown, not an error', async () => {
    await sandbox.control('POST', '/faults', { vendor: 'reacher', kind: 'error_500' });
    const other = sandboxChecker(database, sandbox, ['reacher']);
    const check = (await other.check(['down@acme.test'])).get('down@acme.test');
    await sandbox.control('DELETE', '/faults');
    expect(check).toMatchObject({ status: 'unknown', reason: 'verifier_unavailable' });
  });

  it('does not hold the request: what takes too long is pending, and is answered later', async () => {
    const fault = { vendor: 'reacher', kind: 'slow', times: 1, delayMs: 400 };
    await sandbox.control('POST', '/faults', fault);
    const logger = api.context.logger;
    expect(await validateEmail({ emailChecker, logger }, 'late@acme.test', 50)).toBeUndefined();
    expect(await validate('late@acme.test')).toMatchObject({ status: 'valid' });
  });
});

describe('POST /v1/email-validation/bulk', () => {
  const emails = ['ann@acme.test', 'invalid-1@acme.test', 'nonsense', 'a@catchall-1.test'];

  it('starts a job (201), which tells its progress and then its counts', async () => {
    const started = await post('/bulk', { emails: [...emails, 'unknown-1@acme.test'] });
    expect(started.status).toBe(201);
    const { id } = started.body.data;
    expect(started.body.data).toMatchObject({
      status: 'processing',
      leadListId: null,
      total: 5,
      checked: 0,
      progressPercent: 0,
      counts: { valid: 0, risky: 0, invalid: 0, unknown: 0, pending: 5 },
      completedAt: null,
    });
    expect((await get(`/bulk/${id}/results?status=pending`)).body.meta.pagination.total).toBe(5);
    await run(id);
    expect((await get(`/bulk/${id}`)).body.data).toMatchObject({
      status: 'completed',
      checked: 5,
      progressPercent: 100,
      counts: { valid: 1, risky: 1, invalid: 2, unknown: 1, pending: 0 },
      completedAt: expect.any(String),
      error: null,
    });
    expect((await get('/bulk')).body.data).toMatchObject([{ id }]);
  });

  it('lists results in the order given, by page and by status', async () => {
    const { body } = await post('/bulk', { emails: [...emails, 'ann@acme.test'] });
    const { id } = body.data;
    await run(id);
    const all = await get(`/bulk/${id}/results`);
    expect(all.body.data).toMatchObject([
      { email: 'ann@acme.test', status: 'valid', score: 95, isValid: true, checks: { smtp: true } },
      { email: 'invalid-1@acme.test', status: 'invalid', score: 0 },
      { email: 'nonsense', status: 'invalid', reason: 'syntax' },
      { email: 'a@catchall-1.test', status: 'risky', score: 60 },
      { email: 'ann@acme.test', status: 'valid' },
    ]);
    const page = await get(`/bulk/${id}/results?limit=2&page=2`);
    expect(page.body.data.map(({ email }: { email: string }) => email)).toEqual([
      'nonsense',
      'a@catchall-1.test',
    ]);
    expect(page.body.meta.pagination).toMatchObject({ total: 5, totalPages: 3, hasNext: true });
    const invalid = await get(`/bulk/${id}/results?status=invalid`);
    expect(invalid.body.data).toHaveLength(2);
  });

  it('with a list updates those of its leads, and no others', async () => {
    const leadListId = await leadList(['ann@acme.test', 'invalid-2@acme.test', 'bob@acme.test']);
    const sent = ['ANN@acme.test', 'invalid-2@acme.test', 'nobody@acme.test'];
    const { body } = await post('/bulk', { emails: sent, leadListId });
    await run(body.data.id);
    expect((await leads()).toSorted()).toEqual([
      ['ann@acme.test', 95, true],
      ['bob@acme.test', null, null],
      ['invalid-2@acme.test', 0, false],
    ]);
    const { data } = (await get(`/bulk/${body.data.id}/results`)).body;
    expect(data.map(({ leadId }: { leadId: number | null }) => leadId !== null)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    {},
    { emails: [] },
    { emails: 'ann@acme.test' },
    { emails: [7] },
    { emails: Array.from({ length: 1_001 }, (_, n) => `u${n}@acme.test`) },
    { emails: ['ann@acme.test'], leadListId: 'one' },
  ])('400 VALIDATION_ERROR for a wrong body (case %#)', async (body) => {
    const answer = await post('/bulk', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('404 for a foreign or missing list, and nothing is kept', async () => {
    const leadListId = await leadList(['ann@acme.test']);
    token = await api.jwt('a-stranger');
    for (const id of [leadListId, 999_999]) {
      const answer = await post('/bulk', { emails: ['ann@acme.test'], leadListId: id });
      expect(answer).toMatchObject({ status: 404, body: { code: 'LEAD_LIST_NOT_FOUND' } });
      expect((await post(`/lists/${id}`)).status).toBe(404);
    }
    expect((await get('/bulk')).body.meta.pagination.total).toBe(0);
  });

  it('404 for a job of another user, in the words of a missing one', async () => {
    const { body } = await post('/bulk', { emails });
    token = await api.jwt('another-stranger');
    for (const path of [`/bulk/${body.data.id}`, `/bulk/${body.data.id}/results`]) {
      const foreign = await get(path);
      const missing = await get(path.replace(String(body.data.id), '999999'));
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect((await post(`/bulk/${body.data.id}/cancel`)).status).toBe(404);
    expect((await get('/bulk/one')).body.code).toBe('INVALID_INPUT');
  });
});

describe('POST /v1/email-validation/bulk/:id/cancel', () => {
  it('keeps the results that are there, checks nothing more, and may be repeated', async () => {
    const { body } = await post('/bulk', { emails: ['ann@acme.test', 'bob@acme.test'] });
    const { id } = body.data;
    const cancelled = await post(`/bulk/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    expect(signals).toContain(`cancel email-validation/${id}`);
    await run(id);
    expect((await get(`/bulk/${id}`)).body.data).toMatchObject({ status: 'cancelled', checked: 0 });
    expect((await post(`/bulk/${id}/cancel`)).status).toBe(200);
  });

  it('400 INVALID_STATE for one that has ended', async () => {
    const { body } = await post('/bulk', { emails: ['ann@acme.test'] });
    await run(body.data.id);
    const answer = await post(`/bulk/${body.data.id}/cancel`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
  });
});

describe('POST /v1/email-validation/lists/:leadListId', () => {
  it('validates every lead that has an address, and writes score and validity onto it', async () => {
    const addresses = ['ann@acme.test', 'bounce-1@acme.test', 'x@catchall-2.test', null];
    const id = await leadList(addresses);
    const { status, body } = await post(`/lists/${id}`);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ status: 'processing', leadListId: id, total: 3 });
    await run(body.data.id);
    expect((await leads()).toSorted()).toEqual([
      [null, null, null],
      ['ann@acme.test', 95, true],
      ['bounce-1@acme.test', 0, false],
      ['x@catchall-2.test', 60, false],
    ]);
    const { rows } = await sql<{ validation_status: string | null }>`
      select validation_status from leads where user_id = ${`user-${user}`} order by email`.execute(
      database.db,
    );
    expect(rows.map((row) => row.validation_status)).toEqual(['valid', 'invalid', 'risky', null]);
    const filtered = await get(`/bulk?leadListId=${id}&status=completed`);
    expect(filtered.body.data).toHaveLength(1);
  });

  it('of a list without addresses is done at once', async () => {
    const { body } = await post(`/lists/${await leadList([null])}`);
    expect(body.data).toMatchObject({ total: 0, progressPercent: 100 });
    await run(body.data.id);
    expect((await get(`/bulk/${body.data.id}`)).body.data.status).toBe('completed');
  });

  it('ends as cancelled when its list is deleted meanwhile', async () => {
    const listId = await leadList(['ann@acme.test']);
    const { body } = await post(`/lists/${listId}`);
    const path = `/v1/lead-lists/${listId}`;
    expect((await api.call('DELETE', path, { token })).status).toBe(200);
    await run(body.data.id);
    expect((await get(`/bulk/${body.data.id}`)).body.data).toMatchObject({
      status: 'cancelled',
      leadListId: null,
    });
  });
});
