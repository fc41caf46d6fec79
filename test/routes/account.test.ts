/** The account: made by the first JWT, changed by its user. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signTestJwt, startTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

describe('GET /v1/account', () => {
  it('makes a user at first sight, the sender named as in the JWT', async () => {
    const token = await signTestJwt({ userId: 'new', email: 'new@example.test', name: 'Ada' });
    const { status, body } = await api.call('GET', '/v1/account', { token });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ userId: 'new', senderName: 'Ada', postalAddress: null });
  });

  it('makes one user when twenty first requests meet', async () => {
    const token = await api.jwt('crowd');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('GET', '/v1/account', { token })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  });

  it('follows a changed e-mail address, and keeps the sender that was chosen', async () => {
    const first = await signTestJwt({ userId: 'mover', email: 'a@example.test', name: 'A' });
    await api.call('PATCH', '/v1/account', { token: first, body: { senderName: 'Chosen' } });
    const second = await signTestJwt({ userId: 'mover', email: 'b@example.test', name: 'B' });
    const { body } = await api.call('GET', '/v1/account', { token: second });
    expect(body.data).toMatchObject({ email: 'b@example.test', senderName: 'Chosen' });
  });
});

describe('PATCH /v1/account', () => {
  it('changes what is given, in the canonical spelling, and empties with null', async () => {
    const token = await api.jwt('patcher');
    const body = { postalAddress: '1 Main St', timezone: 'europe/berlin' };
    const changed = await api.call('PATCH', '/v1/account', { token, body });
    expect(changed.body.data).toMatchObject({
      senderName: 'Test User',
      postalAddress: '1 Main St',
      timezone: 'Europe/Berlin',
    });
    const emptied = await api.call('PATCH', '/v1/account', {
      token,
      body: { postalAddress: null },
    });
    expect(emptied.body.data).toMatchObject({ postalAddress: null, timezone: 'Europe/Berlin' });
  });

  it.each([
    { timezone: 'Mars/Olympus' },
    { timezone: '+02:00' },
    { timezone: 7 },
    { senderName: '' },
    { senderName: 'nul \u0000' },
    { postalAddress: 'x'.repeat(1_001) },
  ])('400 for %j', async (body) => {
    const { status } = await api.call('PATCH', '/v1/account', { token: await api.jwt(), body });
    expect(status).toBe(400);
  });
});
