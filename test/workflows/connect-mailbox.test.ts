/** Connecting mailboxes that live elsewhere, at a mail host that is not theirs. Choice 105. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import { createClusterOnDomain } from '../../src/services/clusters/clusters.ts';
import { createMailbox } from '../../src/services/mailboxes/mailboxes.ts';
import { deleteMailbox } from '../../src/services/mailboxes/mailbox-changes.ts';
import {
  connectMailbox,
  getConnection,
  reconnectMailbox,
} from '../../src/services/mailboxes/mailbox-connections.ts';
import {
  ownDomain,
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

const DOMAIN = 'elsewhere-mail.com';
const HOST = `mail.${DOMAIN}`;
const PASSWORD = 'canary-of-a-mailbox-7Qx';
const WRONG = 'canary-that-is-wrong-9Zy';
const TIME_LIMIT = 240_000;

let world: ProvisioningWorld;
let userId: string;

beforeAll(async () => {
  world = await startProvisioningWorld({
    environment: { CRAWLER_ALLOW_BENCHMARK_RANGE: 'true', MAILBOX_PROOF_SECONDS: '20' },
  });
  userId = await world.fundedUser(1);
  const { context } = world;
  const landlord = await world.fundedUser(100_000);
  await ownDomain(context, landlord, DOMAIN);
  const order = { domain: DOMAIN, useExistingVps: false };
  const { id: clusterId } = await createClusterOnDomain(context, landlord, order);
  const { operation_id } = await getCluster(context.db, clusterId);
  await ended(operation_id!);
  for (const name of ['ann', 'bea', 'cy', 'dan']) {
    const email = `${name}@${DOMAIN}`;
    await createMailbox(context, landlord, { clusterId, email, password: PASSWORD });
  }
  // From here on the host is a stranger's: it has the mailboxes, and the product knows nothing of them.
  await context.db.updateTable('mailboxes').set({ status: 'deleted', password: null }).execute();
  await context.db.updateTable('clusters').set({ status: 'deleted' }).execute();
}, TIME_LIMIT);

afterAll(() => world.close());

async function ended(operationId: number) {
  const row = await world.context.db
    .selectFrom('operations')
    .select(['workflow_id', 'run_key'])
    .where('id', '=', operationId)
    .executeTakeFirstOrThrow();
  const handle = world.context.temporal.workflow.getHandle(workflowIdOf(row));
  await handle.result().catch(() => undefined);
  return handle;
}

const server = (port: number) => ({ host: HOST, port, tls: 'tls' as const });

async function connect(name: string, { password = PASSWORD, host = HOST } = {}) {
  const email = `${name}@${DOMAIN}`;
  const servers = {
    username: email,
    smtp: { ...server(465), host },
    imap: { ...server(993), host },
  };
  const own = { preset: 'google', senderName: null, dailyLimit: 12 };
  const order = { email, password, servers, ...own };
  const { view } = await connectMailbox(world.context, userId, order);
  return { id: view.mailbox.id, ...(await proven(view.mailbox.id)) };
}

/** After its latest proof. */
async function proven(id: number) {
  const latest = await findLatestOperation(world.context.db, 'mailbox', id);
  const handle = await ended(latest!.id);
  return { handle, view: await getConnection(world.context, { userId, id }) };
}

describe('a mailbox that lives elsewhere', { timeout: TIME_LIMIT }, () => {
  it('is active once a message to itself was read, which is then gone', async () => {
    const { context } = world;
    const { id, view } = await connect('ann');
    expect(view.error).toBeNull();
    expect(view.mailbox).toMatchObject({ status: 'active', cluster_id: null, daily_limit: 12 });
    expect(view.provenAt).toBeInstanceOf(Date);
    const access = (await findMailboxAccess(context, id))!;
    const imap = await context.mailTransport.openImap(access);
    const left = await imap.search('INBOX', { name: 'Subject', value: 'Connecting this mailbox' });
    await imap.close();
    expect(left).toEqual([]);
    const told = await context.db
      .selectFrom('events')
      .select('type')
      .where('user_id', '=', userId)
      .where('type', '!=', 'wallet.credited')
      .execute();
    expect(told.map(({ type }) => type)).toEqual(['mailbox.connected']);
  });

  it('is read by the sync of the inbox of its account', async () => {
    const { db } = world.context;
    const inbox = await db
      .selectFrom('connected_inboxes')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    const sync = await db
      .selectFrom('operations')
      .select('user_id')
      .where('resource_type', '=', 'inbox_sync')
      .where('resource_id', '=', inbox.id)
      .execute();
    expect(sync).toEqual([{ user_id: userId }]);
    const { mailboxes } = await readSyncSnapshot(db, inbox.id);
    expect(mailboxes).toMatchObject([
      { email: `ann@${DOMAIN}`, servers: { imap: { host: HOST } } },
    ]);
  });

  it('fails with the vendor’s words and guidance where the password is wrong, and can be tried again', async () => {
    const { id, view, handle } = await connect('bea', { password: WRONG });
    expect(view.mailbox.status).toBe('failed');
    expect(view.error).toMatchObject({ code: 'LOGIN_REFUSED' });
    expect(view.error!.message).toContain('5.7.8');
    expect(view.error!.message).toContain('https://myaccount.google.com/apppasswords');
    const history = JSON.stringify(await handle.fetchHistory());
    expect(history).toContain('mailbox_login');
    for (const text of [history, JSON.stringify(view.error)]) {
      for (const form of [WRONG, Buffer.from(WRONG).toString('base64')]) {
        expect(text).not.toContain(form);
      }
    }
    await reconnectMailbox(world.context, { userId, id }, { password: PASSWORD });
    const again = await proven(id);
    expect(again.view).toMatchObject({ error: null, mailbox: { status: 'active' } });
  });

  it('goes on by its login of before where a new one is not proven', async () => {
    const { context } = world;
    const { id } = await connect('cy');
    await reconnectMailbox(context, { userId, id }, { password: WRONG });
    const { view } = await proven(id);
    expect(view.error).toMatchObject({ code: 'LOGIN_REFUSED' });
    expect(view.mailbox).toMatchObject({ status: 'active', next_password: null });
    await context.mailTransport.checkSubmission((await findMailboxAccess(context, id))!);
  });

  it('is not looked for inside: 400 for hosts that are not public', async () => {
    const { view } = await connect('dan', { host: '10.0.0.70' });
    expect(view.error).toMatchObject({ code: 'HOST_FORBIDDEN' });
  });

  it('leaves no password in any table', async () => {
    const { db } = world.context;
    const tables = await db.introspection.getTables();
    for (const { name } of tables) {
      const rows = JSON.stringify(
        await db
          .selectFrom(name as 'users')
          .selectAll()
          .execute(),
      );
      for (const secret of [PASSWORD, WRONG]) {
        expect(rows.includes(secret), `${name} has a password`).toBe(false);
        const bytes = JSON.stringify([...Buffer.from(secret)]).slice(1, -1);
        expect(rows.includes(bytes), `${name} has the bytes of a password`).toBe(false);
      }
    }
  });

  it('is forgotten when it is deleted, and may be connected again', async () => {
    const { context } = world;
    const { id } = await connect('dan');
    const { mailbox } = await deleteMailbox(context, { userId, id });
    expect(mailbox).toMatchObject({ status: 'deleted', password: null });
    const { view } = await connect('dan');
    expect(view.mailbox.status).toBe('active');
  });
});
