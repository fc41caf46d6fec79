/** What a proof shows of an address: a login at the host that takes its mail, alone and of a file. Choice 156. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loginToProve, seenBy } from '../../activities/mailboxes/connection-proof.ts';
import { connectionActivities } from '../../activities/mailboxes/connections.ts';
import { mailboxImportActivities } from '../../activities/mailboxes/mailbox-imports.ts';
import { findConnection, updateConnection } from '../../src/db/mailboxes/connected-mailboxes.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import type { Context } from '../../src/context.ts';
import {
  connectMailbox,
  getConnection,
  reconnectMailbox,
} from '../../src/services/mailboxes/mailbox-connections.ts';
import { importMailboxes } from '../../src/services/mailboxes/mailbox-imports.ts';
import { noteProven } from '../../src/transactions/mailboxes/connections.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const PASSWORD = 'of-an-address-3Lp';
const OWN = 'own-address.test';
const HOST = `mail.${OWN}`;
/** Whose mail goes to the host of another domain, which takes what a stranger's host is asked to take. */
const FOREIGN = 'bigcorp-address.test';

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, '127.0.0.1:9', {
    environment: { CRAWLER_ALLOW_BENCHMARK_RANGE: 'true', MAILBOX_PROOF_SECONDS: '20' },
  });
  context.startOperation = async () => true;
  await context.db.insertInto('users').values({ user_id: 'u', email: 'u@x.test' }).execute();
  const mailboxes = ['a', 'b', 'c', 'd'].map((name) => ({
    address: `${name}@${OWN}`,
    password: PASSWORD,
  }));
  await sandbox.control('PUT', `/mail/elsewhere/${HOST}`, { domain: OWN, mailboxes });
});
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

/** Proves it, while its domain has these exchangers. */
type Prove = (email: string, exchange: string | Error) => Promise<number>;

const dnsWith = (exchange: string | Error): Context['dns'] => ({
  ...context.dns,
  async resolveMx() {
    if (exchange instanceof Error) throw exchange;
    return [{ exchange, priority: 10 }];
  },
});

const IMAP = { host: HOST, port: 993, tls: 'tls' as const };
const serversOf = (username: string) => ({ username, smtp: { ...IMAP, port: 465 }, imap: IMAP });
const orderOf = (email: string) => ({
  email,
  password: PASSWORD,
  servers: serversOf(email),
  preset: null,
  senderName: null,
  dailyLimit: null,
});

const alone: Prove = async (email, exchange) => {
  const { view } = await connectMailbox(context, 'u', orderOf(email));
  await proveAlone(view.mailbox.id, exchange);
  return view.mailbox.id;
};

async function proveAlone(mailboxId: number, exchange: string | Error): Promise<void> {
  const { id: operationId } = (await findLatestOperation(context.db, 'mailbox', mailboxId))!;
  const input = { operationId, mailboxId };
  const activities = connectionActivities({ ...context, dns: dnsWith(exchange) });
  await activityEnvironment().run((of: typeof input) => activities.sendConnectionProof(of), input);
  await expect
    .poll(() =>
      activityEnvironment()
        .run((of: typeof input) => activities.readConnectionProof(of), input)
        .then(
          () => 'read',
          () => 'not yet',
        ),
    )
    .toBe('read');
}

const ofFile: Prove = async (email, exchange) => {
  const orders = [{ row: 2, ...orderOf(email) }];
  const { view } = await importMailboxes(context, 'u', { orders, refused: [] });
  const { id: operationId } = (await findLatestOperation(
    context.db,
    'mailbox_import',
    view.row.id,
  ))!;
  const input = { importId: view.row.id, operationId, retryPace: 0.01 };
  const activities = mailboxImportActivities({ ...context, dns: dnsWith(exchange) });
  await activityEnvironment().run((of: typeof input) => activities.connectMailboxRows(of), input);
  const { id } = await context.db
    .selectFrom('mailboxes')
    .select('id')
    .where('email', '=', email)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return id;
};

const provenAt = async (id: number) => (await findConnection(context.db, id))!.address_proven_at;

it.each([
  ['connected alone', alone, ['a', 'b']],
  ['of a file', ofFile, ['c', 'd']],
] as const)(
  'is shown for a mailbox %s at an exchanger of its domain alone',
  async (_, prove, names) => {
    const [one, other] = names.map((name) => `${name}@${OWN}`);
    expect(await provenAt(await prove(one!, HOST))).toBeInstanceOf(Date);
    expect(await provenAt(await prove(other!, `mx.${FOREIGN}`))).toBeNull();
  },
);

it('is not shown, and fails nothing, while the name servers do not answer', async () => {
  const address = `e@${OWN}`;
  const mailboxes = [{ address, password: PASSWORD }];
  await sandbox.control('PUT', `/mail/elsewhere/${HOST}`, { domain: OWN, mailboxes });
  expect(await provenAt(await alone(address, new Error('SERVFAIL')))).toBeNull();
});

/** What its proof has seen, before it ends. */
const see = async (id: number, exchange: string | Error) =>
  seenBy({ ...context, dns: dnsWith(exchange) }, id, await loginToProve(context, id))();

it.each([
  ['stays by the same login', 'g', {}, true],
  ['is gone by another user name', 'h', { username: `x@${OWN}` }, false],
  ['is gone by another IMAP host', 'i', { imap: { ...IMAP, host: 'imap.far.test' } }, false],
])('%s while the name servers do not answer', async (_, name, change, stays) => {
  const { view } = await connectMailbox(context, 'u', orderOf(`${name}@${OWN}`));
  const { id } = view.mailbox;
  await see(id, HOST);
  await context.db.transaction().execute(async (trx) => {
    await noteProven(trx, id);
    const finished = { state: 'succeeded' as const, finished_at: new Date() };
    await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
  });
  const before = await provenAt(id);
  expect(before).toBeInstanceOf(Date);
  await reconnectMailbox(context, { userId: 'u', id }, { password: PASSWORD, ...change });
  await see(id, new Error('SERVFAIL'));
  expect(await provenAt(id)).toEqual(stays ? before : null);
  const { addressProvenAt } = await getConnection(context, { userId: 'u', id });
  expect(addressProvenAt).toEqual(stays ? before : null);
  // Name servers that answer decide anew.
  await see(id, `mx.${FOREIGN}`);
  expect(await provenAt(id)).toBeNull();
});

it('is noted of a proof that still runs alone: another one may have begun since', async () => {
  const address = `f@${OWN}`;
  const { view } = await connectMailbox(context, 'u', orderOf(address));
  const { id } = view.mailbox;
  const login = await loginToProve(context, id);
  await updateConnection(context.db, id, { proof_id: randomUUID() });
  const late = seenBy({ ...context, dns: dnsWith(HOST) }, id, login);
  await expect(late()).rejects.toMatchObject({ code: 'MAILBOX_NOT_FOUND' });
  expect(await findConnection(context.db, id)).toMatchObject({
    proof_seen_at: null,
    address_proven_at: null,
  });
});
