/** The routes of mailboxes that are connected by OAuth, without the workflow behind them. Choice 132. */
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { accessTokenBinding, refreshTokenBinding } from '../../src/db/mailboxes/oauth-grants.ts';
import { mailboxOauth } from '../../src/providers/mailbox-oauth/index.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { noteUnproven } from '../../src/transactions/mailboxes/connections.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { comeBack, oauthAccounts } from '../support/vendors/oauth.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
/** Lines of the log, and what may be in none of them. */
const logged: string[] = [];
const canaries = new Set(['google-sandbox-secret']);
const { api, database } = describeApi(async () => {
  sandbox = await startTestSandbox();
  const state = mailboxOauth.google.configure(oauthAccounts(sandbox.url));
  if (state.state !== 'on') throw new Error('google is not configured');
  const google = state.create({ timeoutMs: 5_000, outboundProxy: undefined });
  return {
    routes: createRoutes,
    context: {
      startOperation: async () => false,
      mailboxOauth: { google },
      logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    },
  };
});
afterAll(() => sandbox?.remove());

const RETURN = 'https://app.acme.test/mailboxes?tab=1';

const ask = async (body: object, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/mailboxes/connect/oauth', { token: await api.jwt('ann'), body, headers });

async function asked(own: object = {}): Promise<string> {
  const { status, body } = await ask({ provider: 'google', ...own });
  expect(status).toBe(201);
  return body.data.authorizationUrl as string;
}

/** As the workflow ends a proof that did not succeed. */
const failProof = (id: number) =>
  database.db.transaction().execute(async (trx) => {
    await noteUnproven(trx, id, { code: 'LOGIN_REFUSED', message: 'no' });
    const ended = { state: 'failed' as const, finished_at: new Date() };
    await trx.updateTable('operations').set(ended).where('resource_id', '=', id).execute();
  });

/** As a browser that follows no redirect. */
const callback = (query: URLSearchParams | Record<string, string>, method = 'GET') => {
  const sent = new URLSearchParams(query);
  for (const name of ['code', 'state']) if (sent.has(name)) canaries.add(sent.get(name)!);
  return fetch(`${api.url}/oauth/callback?${sent}`, { method, redirect: 'manual' });
};

const connected = async (email: string) => {
  const { body } = await api.call('GET', '/v1/mailboxes', { token: await api.jwt('ann') });
  return body.data.find((one: { email: string }) => one.email === email);
};

describe('POST /v1/mailboxes/connect/oauth', () => {
  it('answers an address with PKCE, state and nonce, and asks for a refresh token', async () => {
    const email = 'ann@workspace.test';
    const { status, body } = await ask({ provider: 'google', email });
    expect(status).toBe(201);
    expect(Date.parse(body.data.expiresAt)).toBeGreaterThan(Date.now());
    const { searchParams } = new URL(body.data.authorizationUrl);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'google-sandbox-client',
      redirect_uri: expect.stringMatching(/\/oauth\/callback$/),
      scope: 'https://mail.google.com/ openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      login_hint: email,
      access_type: 'offline',
      prompt: 'consent',
    });
    expect(JSON.stringify(body)).not.toContain('sandbox-secret');
  });

  it('answers a repeat under its key with the same address', async () => {
    const key = { 'idempotency-key': 'oauth-1' };
    const [first, again] = [
      await ask({ provider: 'google' }, key),
      await ask({ provider: 'google' }, key),
    ];
    expect(again.body.data).toEqual(first.body.data);
  });

  it('is 400 OAUTH_NOT_CONFIGURED for a vendor at which the operator has registered nothing', async () => {
    const { status, body } = await ask({ provider: 'microsoft' });
    expect([status, body.code]).toEqual([400, 'OAUTH_NOT_CONFIGURED']);
  });

  it.each([
    ['plain http', 'http://app.acme.test/'],
    ['no address', 'app.acme.test'],
    ['a script', 'javascript:alert(1)'],
    ['a name in it', 'https://acme.test@evil.test/'],
    ['a host that only looks like the own machine', 'http://localhost.evil.test/'],
  ])('refuses to go on to %s', async (_what, returnUrl) => {
    const { status, body } = await ask({ provider: 'google', returnUrl });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details[0].field).toBe('returnUrl');
  });

  it('is 502 while the vendor is away', async () => {
    const { google } = mailboxOauth;
    const state = google.configure({
      ...oauthAccounts(sandbox.url),
      GOOGLE_OAUTH_ISSUER: 'http://127.0.0.1:9',
    });
    if (state.state !== 'on') throw new Error('google is not configured');
    const away = state.create({ timeoutMs: 1_000, outboundProxy: undefined });
    await expect(
      away.consentUrl({
        redirectUri: 'https://x.test/oauth/callback',
        state: 's',
        nonce: 'n',
        codeChallenge: 'c',
        loginHint: undefined,
      }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('GET /oauth/callback', () => {
  it('makes the mailbox of the one who consented, and shows a page', async () => {
    const email = 'bea@workspace.test';
    const back = await comeBack(await asked({ email, senderName: 'Bea', dailyLimit: 9 }));
    const answer = await callback(back);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('is being connected');
    const mailbox = await connected(email);
    expect(mailbox).toMatchObject({ email, clusterId: 0 });
    const path = `/v1/mailboxes/${mailbox.id}/connection`;
    const { body } = await api.call('GET', path, { token: await api.jwt('ann') });
    expect(body.data).toMatchObject({
      state: 'proving',
      preset: 'google',
      oauth: 'google',
      username: email,
      imap: { host: 'imap.gmail.com', port: 993 },
    });
    expect(body.data.guidance).toContain('/v1/mailboxes/connect/oauth');
  });

  it('has an entry in the audit log, for a new mailbox and for another login of one', async () => {
    const email = 'hal@workspace.test';
    await callback(await comeBack(await asked({ email })));
    const { id } = await connected(email);
    await failProof(id);
    await callback(await comeBack(await asked({ email })));
    const entry = {
      action: 'mailboxes.takeConsent',
      actor: { kind: 'system', id: null, name: 'mailbox owner' },
      requestId: expect.any(String),
      after: { email, username: email, oauth: 'google', leftOut: ['tokens'] },
    };
    const log = `/v1/audit-log?resourceType=mailbox&resourceId=${id}`;
    const { body } = await api.call('GET', log, { token: await api.jwt('ann') });
    expect(body.data).toMatchObject([entry, entry]);
  });

  it('is tried again by the consent that failed, not by the password of before', async () => {
    const token = await api.jwt('ann');
    const email = 'ida@workspace.test';
    const own = { preset: 'yahoo', password: 'old' };
    const made = await api.call('POST', '/v1/mailboxes/connect', {
      token,
      body: { email, ...own },
    });
    const { id } = made.body.data as { id: number };
    await failProof(id);
    await callback(await comeBack(await asked({ email })));
    await failProof(id);
    const path = `/v1/mailboxes/${id}/connection`;
    const again = await api.call('PATCH', path, { token, body: {} });
    expect(again.body.data).toMatchObject({ oauth: 'google', imap: { host: 'imap.gmail.com' } });
  });

  it('takes the address of whoever consents where none was wanted', async () => {
    await callback(await comeBack(await asked()));
    expect(await connected('somebody@workspace.test')).toBeDefined();
  });

  it('goes on to the address that was given, with the result', async () => {
    const back = await comeBack(await asked({ email: 'cy@workspace.test', returnUrl: RETURN }));
    const answer = await callback(back);
    expect(answer.status).toBe(302);
    const { origin, searchParams } = new URL(answer.headers.get('location')!);
    const { id } = await connected('cy@workspace.test');
    expect(origin).toBe('https://app.acme.test');
    expect(Object.fromEntries(searchParams)).toEqual({
      tab: '1',
      result: 'proving',
      mailboxId: String(id),
    });
    const again = new URL((await callback(back)).headers.get('location')!);
    expect(again.searchParams.get('error')).toBe('STATE_USED');
  });

  it.each([
    ['refuses-dan', 'CONSENT_REFUSED'],
    ['narrow-dan', 'CONSENT_INCOMPLETE'],
    ['other-dan', 'ADDRESS_MISMATCH'],
  ])('says what is wrong: %s', async (name, error) => {
    const email = `${name}@workspace.test`;
    const answer = await callback(await comeBack(await asked({ email, returnUrl: RETURN })));
    const { searchParams } = new URL(answer.headers.get('location')!);
    expect(searchParams.get('result')).toBe('failed');
    expect(searchParams.get('error')).toBe(error);
    const page = await callback(await comeBack(await asked({ email })));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('not connected'),
    ]);
    expect(await connected(email)).toBeUndefined();
  });

  it('is a page with 404 for a state of nobody’s', async () => {
    const code = 'canary-of-a-code';
    for (const query of [{ state: 'x'.repeat(43), code }, { code }]) {
      const answer = await callback(query);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('text/html');
    }
  });

  it('does not use up the answer for a program that only looks', async () => {
    const back = await comeBack(await asked({ email: 'eve@workspace.test' }));
    expect((await callback(back, 'HEAD')).status).toBe(200);
    await callback(back);
    expect(await connected('eve@workspace.test')).toBeDefined();
  });

  it('refuses a mailbox of another account in its own words', async () => {
    const email = 'fay@workspace.test';
    await callback(await comeBack(await asked({ email })));
    const body = { provider: 'google', email, returnUrl: RETURN };
    const token = await api.jwt('stranger');
    const other = await api.call('POST', '/v1/mailboxes/connect/oauth', { token, body });
    const answer = await callback(await comeBack(other.body.data.authorizationUrl));
    const { searchParams } = new URL(answer.headers.get('location')!);
    expect(searchParams.get('error')).toBe('MAILBOX_EXISTS');
    const waiting = await callback(await comeBack(await asked({ email, returnUrl: RETURN })));
    expect(waiting.headers.get('location')).toContain('error=INVALID_STATE');
  });

  it('keeps what the answer is held against until it has come, sealed', async () => {
    const url = await asked();
    const rows = await database.db.selectFrom('oauth_consents').selectAll().execute();
    const { searchParams } = new URL(url);
    for (const name of ['state', 'nonce']) {
      expect(JSON.stringify(rows)).not.toContain(searchParams.get(name));
    }
    await callback(await comeBack(url));
    const used = await database.db
      .selectFrom('oauth_consents')
      .selectAll()
      .where('used_at', 'is not', null)
      .execute();
    expect(used.filter(({ secret }) => secret !== null)).toEqual([]);
  });
});

describe('PATCH /v1/mailboxes/:id/connection', () => {
  it('sends no token to other servers, and gives the consent up for a password', async () => {
    const email = 'guy@workspace.test';
    await callback(await comeBack(await asked({ email })));
    const { id } = await connected(email);
    await database.db.transaction().execute(async (trx) => {
      const ended = { state: 'succeeded' as const, finished_at: new Date() };
      await trx.updateTable('operations').set(ended).where('resource_id', '=', id).execute();
      await trx.updateTable('mailboxes').set({ status: 'active' }).where('id', '=', id).execute();
    });
    const token = await api.jwt('ann');
    const path = `/v1/mailboxes/${id}/connection`;
    const imap = { host: 'imap.evil.test', port: 993 };
    const refused = await api.call('PATCH', path, { token, body: { imap } });
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_STATE']);
    const { body } = await api.call('PATCH', path, { token, body: { imap, password: 'own' } });
    expect(body.data).toMatchObject({ oauth: null, imap, state: 'proving' });
  });
});

it('writes no code, state, token or secret into the log', async () => {
  const url = new URL(await asked());
  const state = url.searchParams.get('state')!;
  // What the vendor refuses is told, without what was refused.
  await callback({ state, code: 'canary-of-a-forged-code' });
  expect(logged.join('')).toContain('CODE_REFUSED');
  const grants = await database.db.selectFrom('oauth_grants').selectAll().execute();
  for (const { id, refresh_token: refresh, access_token: access } of grants) {
    canaries.add(api.context.cipher.open(refresh, refreshTokenBinding(id)));
    canaries.add(api.context.cipher.open(access!, accessTokenBinding(id)));
  }
  expect(canaries.size).toBeGreaterThan(15);
  expect([...canaries].filter((one) => logged.join('').includes(one))).toEqual([]);
});
