/** Control characters in DNS records end at the API, before the registrar hears of them. Choice 24. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registrarAt } from '../support/vendors/registrar-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { describeApi } from '../support/api/describe-api.ts';

let sandbox: TestSandbox;
const { api, database } = describeApi(async () => {
  sandbox = await startTestSandbox({ pace: 0.01 });
  const namecom = registrarAt({ sandbox: () => sandbox }, 'namecom');
  await namecom.register('lines.com', 100_000, 'lines');
  return { context: { registrars: { namecom } } };
});
let token: string;
let path: string;

beforeAll(async () => {
  token = await api.jwt('ann');
  await api.call('GET', '/v1/account', { token });
  const domain = {
    user_id: 'ann',
    name: 'lines.com',
    provider: 'namecom',
    status: 'active',
  } as const;
  const { id } = await database.db
    .insertInto('domains')
    .values(domain)
    .returning('id')
    .executeTakeFirstOrThrow();
  path = `/v1/domains/${id}/dns`;
});
afterAll(async () => {
  await sandbox.remove();
});

const requests = async (): Promise<number> =>
  (await sandbox.control('GET', '/requests?vendor=namecom')).body.requests.length;

const fine = { type: 'TXT', name: 'proof', value: 'site=1' };

const odd: [string, object][] = [
  ['value', { value: 'site=1\r\nX-Injected: 1' }],
  ['value', { value: 'site=1\n' }],
  ['value', { value: '\tsite=1' }],
  ['value', { value: '"site"\r\n"=1"' }],
  ['value', { value: 'site=\u001b[31m1' }],
  ['value', { value: 'site=\u007f1' }],
  ['value', { value: 'site=\u00851' }],
  ['value', { value: 'site=\u20281' }],
  ['name', { name: 'proof\r\n' }],
  ['name', { name: 'pro\u0007of' }],
  ['name', { name: '\n' }],
];

describe('a DNS record', () => {
  it('reaches the registrar when it is one line, then changes there', async () => {
    const before = await requests();
    const added = await api.call('POST', path, { token, body: fine });
    expect([added.status, added.body.data]).toMatchObject([201, fine]);
    const body = { value: '  site=2 ' };
    const changed = await api.call('PATCH', `${path}/${added.body.data.id}`, { token, body });
    expect([changed.status, changed.body.data?.value]).toEqual([200, 'site=2']);
    expect(await requests()).toBeGreaterThan(before);
  });

  it.each(odd)('with a control character or line break in %s is 400: %j', async (field, part) => {
    const records = await api.call('GET', path, { token });
    const before = await requests();
    const [{ id }] = records.body.records;
    const answers = [
      await api.call('POST', path, { token, body: { ...fine, ...part } }),
      await api.call('PATCH', `${path}/${id}`, { token, body: part }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.details).toEqual([{ field, message: expect.stringContaining('one line') }]);
    }
    expect(await requests()).toBe(before);
  });
});
