/** Mailboxes at Google and Microsoft that are used by OAuth, at the world's stand-ins of both. Choice 132. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { holdMailbox } from '../../activities/inbox/watch-mailbox.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { findConnection } from '../../src/db/mailboxes/connected-mailboxes.ts';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import { findGrant, refreshTokenBinding } from '../../src/db/mailboxes/oauth-grants.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import type { OauthProvider } from '../../src/domain/mailboxes/oauth.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { createAccessTokens } from '../../src/services/mailboxes/access-tokens.ts';
import { deleteMailbox } from '../../src/services/mailboxes/mailbox-changes.ts';
import {
  getConnection,
  reconnectMailbox,
} from '../../src/services/mailboxes/mailbox-connections.ts';
import { askConsent, takeAnswer } from '../../src/services/mailboxes/mailbox-oauth.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { comeBack, consentTo } from '../support/vendors/oauth.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

const TIME_LIMIT = 240_000;

let world: ProvisioningWorld;
let userId: string;
/** Whatever the vendors gave. */
const secrets = new Set<string>();

beforeAll(async () => {
  world = await startProvisioningWorld({
    environment: { CRAWLER_ALLOW_BENCHMARK_RANGE: 'true', MAILBOX_PROOF_SECONDS: '20' },
  });
  userId = await world.fundedUser(1);
}, TIME_LIMIT);

afterAll(() => world?.close());

beforeEach(async () => {
  await world.sandbox.control('DELETE', '/faults');
  for (const vendor of ['google', 'microsoft']) await lifetime(vendor, 3_600);
});

const lifetime = (vendor: string, seconds: number) =>
  world.sandbox.control('PUT', `/oauth/${vendor}/lifetime`, { seconds });
const revoke = (vendor: string, address: string) =>
  world.sandbox.control('POST', `/oauth/${vendor}/revoke`, { address });

async function consent(provider: OauthProvider, address: string, own = {}) {
  const given = await consentTo(world.context, userId, { provider, address, own });
  if (given.answer.code) secrets.add(given.answer.code);
  return given;
}

async function proven(id: number) {
  const { temporal, db } = world.context;
  const latest = await findLatestOperation(db, 'mailbox', id);
  const handle = temporal.workflow.getHandle(workflowIdOf(latest!));
  await handle.result().catch(() => undefined);
  const view = await getConnection(world.context, { userId, id });
  return { view, history: JSON.stringify(await handle.fetchHistory()) };
}

async function connect(provider: OauthProvider, address: string, own = {}) {
  const { outcome } = await consent(provider, address, own);
  const { mailboxId: id } = outcome!.done as { mailboxId: number };
  await noteSecrets(id);
  return { id, ...(await proven(id)) };
}

const grantOf = async (id: number) => {
  const { servers } = (await findConnection(world.context.db, id))!;
  return (await findGrant(world.context.db, servers.oauth!.grantId))!;
};

async function noteSecrets(id: number): Promise<string> {
  const rows = await world.context.db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('mailbox_id', '=', id)
    .execute();
  let last = '';
  for (const row of rows) {
    last = world.context.cipher.open(row.refresh_token, refreshTokenBinding(row.id));
    secrets.add(last);
    if (row.access_token === null) continue;
    secrets.add(world.context.cipher.open(row.access_token, `oauth-grant:${row.id}:access`));
  }
  return last;
}

/** As if its time had passed. */
const expire = (id: number) =>
  world.context.db
    .updateTable('oauth_grants')
    .set({ usable_until: new Date(0) })
    .where('mailbox_id', '=', id)
    .execute();

const given = async (vendor: string, address: string): Promise<number> => {
  const { body } = await world.sandbox.control('GET', '/books');
  return body.oauth[vendor].accessTokens[address] ?? 0;
};

const access = async (id: number) => (await findMailboxAccess(world.context, id))!;

describe.each([
  ['google', 'imap.gmail.com'],
  ['microsoft', 'outlook.office365.com'],
] as const)('a mailbox at %s', (provider, host) => {
  const at = (name: string) => `${name}@${provider}-users.test`;

  it(
    'is active once it was proven by tokens, and sends and is read by them',
    { timeout: TIME_LIMIT },
    async () => {
      const { id, view, history } = await connect(provider, at('ann'), {
        senderName: 'Ann King',
        dailyLimit: 12,
      });
      expect(view.error).toBeNull();
      expect(view.servers).toMatchObject({ imap: { host }, oauth: { provider } });
      expect(view.mailbox).toMatchObject({
        status: 'active',
        password: null,
        sender_name: 'Ann King',
        daily_limit: 12,
      });
      const { mailTransport } = world.context;
      const message = { to: at('ann'), subject: 'Once', text: 'Hello', messageId: '<once@x.test>' };
      await mailTransport.submit(await access(id), message);
      const imap = await mailTransport.openImap(await access(id));
      await expect
        .poll(() => imap.search('INBOX', { name: 'Subject', value: 'Once' }))
        .toHaveLength(1);
      await imap.close();
      for (const secret of secrets) expect(history).not.toContain(secret);
      const logins = (await world.sandbox.control('GET', '/mail/logins')).body.logins;
      const own = logins.filter(({ user }: { user: string }) => user === at('ann'));
      expect(own.length).toBeGreaterThan(3);
      expect(own.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    },
  );

  it(
    'gets one access token, whoever needs it at a time, once the last one has ended',
    { timeout: TIME_LIMIT },
    async () => {
      const { id } = await connect(provider, at('bea'));
      const before = await noteSecrets(id);
      const first = await given(provider, at('bea'));
      await expire(id);
      const login = await access(id);
      const { mailTransport } = world.context;
      await Promise.all([
        mailTransport.checkImap(login),
        mailTransport.checkImap(login),
        mailTransport.checkSubmission(login),
        mailTransport.checkSubmission(login),
      ]);
      expect(await given(provider, at('bea'))).toBe(first + 1);
      const after = await noteSecrets(id);
      expect(after === before).toBe(provider === 'google');
      // The one that came is the one that is used next.
      await expire(id);
      await mailTransport.checkImap(login);
    },
  );

  it(
    'is used by another process when one has died while it got a token',
    { timeout: TIME_LIMIT },
    async () => {
      const { id } = await connect(provider, at('cy'));
      await expire(id);
      const claimed = (ms: number) =>
        sql`update oauth_grants set refreshing_until = now() + ${ms} * interval '1 millisecond'
        where mailbox_id = ${id}`.execute(world.context.db);
      const begun = performance.now();
      await claimed(1_500);
      await world.context.mailTransport.checkImap(await access(id));
      expect(performance.now() - begun).toBeGreaterThan(1_450);
    },
  );

  it(
    'waits out a vendor that is down, and keeps its consent',
    { timeout: TIME_LIMIT },
    async () => {
      const { id } = await connect(provider, at('dan'));
      await expire(id);
      await world.sandbox.control('POST', '/faults', {
        vendor: provider,
        kind: 'error_500',
        times: 1,
      });
      const { mailTransport } = world.context;
      const login = await access(id);
      await expect(mailTransport.checkImap(login)).rejects.toMatchObject({ kind: 'unavailable' });
      await mailTransport.checkImap(login);
    },
  );

  it(
    'is refused where its consent was withdrawn, says so, and is connected again',
    { timeout: TIME_LIMIT },
    async () => {
      const { id } = await connect(provider, at('eve'));
      await revoke(provider, at('eve'));
      const { mailTransport } = world.context;
      await expect(mailTransport.checkImap(await access(id))).rejects.toMatchObject({
        kind: 'rejected',
        message: expect.stringContaining('connect the mailbox again'),
        facts: { providerCode: 'AUTHENTICATIONFAILED' },
      });
      await expect(mailTransport.checkSubmission(await access(id))).rejects.toMatchObject({
        kind: 'rejected',
        facts: { providerCode: '535' },
      });
      await reconnectMailbox(world.context, { userId, id }, {});
      const { view } = await proven(id);
      expect(view.error).toMatchObject({ code: 'ACCESS_REFUSED' });
      expect(view.error!.message).toMatch(/withdrawn, or has expired.*Connect it again/);
      const again = await connect(provider, at('eve'));
      expect(again.id).toBe(id);
      expect(again.view).toMatchObject({ error: null, mailbox: { status: 'active' } });
      await mailTransport.checkImap(await access(id));
      const grants = await world.context.db
        .selectFrom('oauth_grants')
        .select('id')
        .where('mailbox_id', '=', id)
        .execute();
      expect(grants).toHaveLength(1);
    },
  );

  it('leaves a session before its token ends', { timeout: TIME_LIMIT }, async () => {
    const { id } = await connect(provider, at('fay'));
    await lifetime(provider, 600);
    await expire(id);
    const { mailTransport } = world.context;
    const imap = await mailTransport.openImap(await access(id));
    const session = await mailTransport.openSubmission(await access(id));
    const areUsable = () => [imap.isUsable(), session.isUsable()];
    expect(areUsable()).toEqual([true, true]);
    const endsAt = imap.endsAt!.getTime();
    expect(endsAt).toBeLessThan(Date.now() + 600_000);
    const clock = takeClock();
    clock.pass(600_000);
    expect(areUsable()).toEqual([false, false]);
    clock.giveBack();
    await expire(id);
    await imap.close();
    session.close();
    await mailTransport.checkImap(await access(id));
  });

  it(
    'is read on when its token has ended, without having failed',
    { timeout: TIME_LIMIT },
    async () => {
      const { db } = world.context;
      const { id } = await connect(provider, at('jay'));
      await lifetime(provider, 3);
      await expire(id);
      const inbox = await db
        .selectFrom('connected_inboxes')
        .select('id')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      const { mailboxes } = await readSyncSnapshot(db, inbox.id);
      const stop = new AbortController();
      const alarm = { reset: () => undefined, signal: () => new AbortController().signal };
      const before = await given(provider, at('jay'));
      const held = holdMailbox(
        world.context,
        mailboxes.find((one) => one.id === id)!,
        {
          ownAddresses: new Set(),
          signal: stop.signal,
          alarm,
          quietFor: () => undefined,
        },
      );
      await expect
        .poll(() => given(provider, at('jay')), { timeout: 60_000 })
        .toBeGreaterThan(before + 2);
      stop.abort();
      await held;
      const sync = await db
        .selectFrom('mailbox_syncs')
        .select(['failing_since', 'error'])
        .where('mailbox_id', '=', id)
        .executeTakeFirst();
      expect(sync).toEqual({ failing_since: null, error: null });
    },
  );

  it.each([
    ['refuses-ann', 'CONSENT_REFUSED'],
    ['narrow-ann', 'CONSENT_INCOMPLETE'],
    ['other-ann', 'ADDRESS_MISMATCH'],
  ])('is not made where the owner of %s does otherwise', async (name, error) => {
    const { outcome } = await consent(provider, at(name));
    expect(outcome!.done).toEqual({ error });
    const made = await world.context.db
      .selectFrom('mailboxes')
      .select('id')
      .where('email', 'like', `%${name}%`)
      .execute();
    expect(made).toEqual([]);
  });

  it('takes an answer once, and in time', { timeout: TIME_LIMIT }, async () => {
    const { answer, outcome } = await consent(provider, at('guy'));
    expect(outcome!.done).toHaveProperty('mailboxId');
    expect((await takeAnswer(world.context, answer))!.done).toEqual({ error: 'STATE_USED' });
    const late = { ...world.context, clock: { now: () => new Date(Date.now() + 16 * 60_000) } };
    const wanted = { address: null, returnUrl: null, senderName: null, dailyLimit: null };
    const asked = await askConsent(world.context, userId, { provider, wanted });
    const back = await comeBack(asked.authorizationUrl);
    const old = { state: back.get('state')!, code: back.get('code')!, error: undefined };
    expect((await takeAnswer(late, old))!.done).toEqual({ error: 'STATE_EXPIRED' });
    expect(await takeAnswer(world.context, { ...old, state: 'nobody' })).toBeUndefined();
  });

  it('makes nothing of a code that the vendor does not take', async () => {
    const wanted = { address: at('hal'), returnUrl: null, senderName: null, dailyLimit: null };
    const asked = await askConsent(world.context, userId, { provider, wanted });
    const { searchParams } = new URL(asked.authorizationUrl);
    const forged = { state: searchParams.get('state')!, code: 'forged', error: undefined };
    expect((await takeAnswer(world.context, forged))!.done).toEqual({ error: 'CODE_REFUSED' });
  });

  it('is forgotten with its tokens when it is deleted', { timeout: TIME_LIMIT }, async () => {
    const { id } = await connect(provider, at('ida'));
    const { id: grantId } = await grantOf(id);
    await deleteMailbox(world.context, { userId, id });
    await expect
      .poll(() => findGrant(world.context.db, grantId), { timeout: 60_000 })
      .toBeUndefined();
    const tokens = createAccessTokens({ ...world.context, timeoutMs: 1_000 });
    await expect(tokens.tokenOf({ provider, grantId })).rejects.toMatchObject({ kind: 'rejected' });
  });
});

it('leaves no code, token or secret in any table', async () => {
  const { db } = world.context;
  expect(secrets.size).toBeGreaterThan(10);
  for (const { name } of await db.introspection.getTables()) {
    const rows = JSON.stringify(
      await db
        .selectFrom(name as 'users')
        .selectAll()
        .execute(),
    );
    for (const secret of [...secrets, 'sandbox-secret']) {
      expect(rows.includes(secret), `${name} has a secret`).toBe(false);
      const bytes = JSON.stringify([...Buffer.from(secret)]).slice(1, -1);
      expect(rows.includes(bytes), `${name} has the bytes of a secret`).toBe(false);
    }
  }
});
