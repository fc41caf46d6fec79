/** A sealed secret of an account's mailboxes is in use, or gone: whatever a mailbox, a file or a consent ends by. */
import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertGrant } from '../../src/db/mailboxes/oauth-grants.ts';
import { settleNewMailbox } from '../../src/db/mailboxes/mailboxes.ts';
import { noteProven, noteUnproven } from '../../src/transactions/mailboxes/connections.ts';
import { beginRow, endRow } from '../../src/transactions/mailboxes/mailbox-imports.ts';
import { SEALED_COLUMNS } from '../../src/transactions/sealed-columns.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

const SERVERS = {
  smtp: { host: 'mail.own.test', port: 465 },
  imap: { host: 'mail.own.test', port: 993 },
};
const FAILED = { code: 'HOST_UNREACHABLE', message: 'no answer' };

let users: CampaignUsers;
let ann: CampaignUser;
let email: string;

beforeAll(async () => {
  users = await startCampaignUsers();
});
afterAll(() => users?.close());
beforeEach(async () => {
  ann = await users.newUser();
  email = `${ann.userId}@own.test`;
});

const db = () => users.database.db;
const inTrx = <T>(work: Parameters<ReturnType<typeof trxOf>['execute']>[0]) =>
  trxOf().execute(work) as Promise<T>;
const trxOf = () => db().transaction();

const GRANTS_OF_NO_LOGIN = (userId: string) => sql`
  select g.id from oauth_grants g join mailboxes m on m.id = g.mailbox_id
    join connected_mailboxes c on c.mailbox_id = m.id
  where m.user_id = ${userId} and (m.status = 'deleted'
    or g.id::text <> all(array[c.servers -> 'oauth' ->> 'grantId', c.next_servers -> 'oauth' ->> 'grantId']))`;

/** What holds a secret that nothing uses, by sealed column; a string: why it is no matter of mailboxes that end. */
const UNUSED: Record<string, string | ((userId: string) => RawBuilder<unknown>)> = {
  'mailboxes.password': (userId) => sql`
    select id from mailboxes where user_id = ${userId} and password is not null
      and status not in ('pending', 'active', 'deleting')`,
  'mailboxes.next_password': (userId) => sql`
    select id from mailboxes m where user_id = ${userId} and next_password is not null and not exists (
      select from connected_mailboxes c where c.mailbox_id = m.id and c.proof_id is not null)`,
  'mailbox_import_rows.password': (userId) => sql`
    select row_number from mailbox_import_rows r join mailbox_imports i on i.id = r.import_id
    where i.user_id = ${userId} and r.password is not null
      and (r.state <> 'waiting' or i.status <> 'processing')`,
  'oauth_grants.refresh_token': GRANTS_OF_NO_LOGIN,
  'oauth_grants.access_token': GRANTS_OF_NO_LOGIN,
  'oauth_consents.secret':
    'a consent has no mailbox yet, and is forgotten with its answer or its time',
  'placement_seeds.password': 'a seed is deleted with its row',
  'role_mailboxes.password': 'of a cluster, as long as it is there',
  'domains.dkim_private_key': 'of a domain',
  'domains.next_dkim_private_key': 'of a domain',
  'servers.client_private_key': 'of a server',
  'servers.next_client_private_key': 'of a server',
  'servers.host_private_key': 'of a server',
  'tracking_domains.certificate_key': 'of a tracking domain',
  'tracking_domains.order_key': 'of a tracking domain',
  'acme_accounts.private_key': 'of the installation',
  'webhooks.secret': 'of a webhook',
  'webhooks.previous_secret': 'of a webhook',
  'idempotency_keys.sealed_answer': 'for a day',
  'idempotency_keys.sealed_effect': 'for a day',
};

/** Of all accounts alike: rows of others are not looked at. */
async function unused(): Promise<string[]> {
  const found: string[] = [];
  for (const [column, query] of Object.entries(UNUSED)) {
    if (typeof query === 'string') continue;
    const { rows } = await query(ann.userId).execute(db());
    if (rows.length > 0) found.push(column);
  }
  return found;
}

const connect = async (password = 'p'): Promise<number> =>
  (await ann.ok('POST', '/v1/mailboxes/connect', { email, password, ...SERVERS })).id;

const settle = (id: number, error?: typeof FAILED) =>
  inTrx(async (trx) => {
    if (error) await noteUnproven(trx, id, error);
    else await noteProven(trx, id);
    const finished = { state: 'succeeded' as const, finished_at: new Date() };
    await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
  });

const patch = (id: number, body: object) =>
  ann.call('PATCH', `/v1/mailboxes/${id}/connection`, body);
const statusOf = async (id: number) => {
  const query = db().selectFrom('mailboxes').select('status').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).status;
};

/** A file of two rows, the first of which is being proven. */
async function halfImported(): Promise<{ importId: number; mailboxId: number }> {
  const csv = [
    'email,password,smtpHost,imapHost',
    `${email},p,mail.own.test,mail.own.test`,
    `two-${email},p,mail.own.test,mail.own.test`,
  ].join('\n');
  const { id: importId } = await ann.ok('POST', '/v1/mailboxes/import', { csv });
  const operation = users.started.at(-1)!;
  const { cipher } = users.api.context;
  const begun = await trxOf().execute((trx) =>
    beginRow(trx, { cipher, operationId: operation.id, userId: ann.userId }, { importId, row: 2 }),
  );
  return { importId, mailboxId: begun!.mailboxId };
}

it('is asked of every sealed column', () => {
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(Object.keys(UNUSED).toSorted()).toEqual(listed.toSorted());
});

it('goes with a proof that failed; the mailbox is tried again by a password', async () => {
  const id = await connect();
  expect(await unused()).toEqual([]);
  await settle(id, FAILED);
  expect(await unused()).toEqual([]);
  const { status, body } = await patch(id, {});
  expect([status, body.details]).toMatchObject([400, [{ field: 'password' }]]);
  expect((await patch(id, { password: 'right' })).status).toBe(200);
  await settle(id);
  expect([await statusOf(id), await unused()]).toEqual(['active', []]);
});

it('goes with a change that failed; the login of before stays', async () => {
  const id = await connect();
  await settle(id);
  await patch(id, { password: 'wrong' });
  await settle(id, FAILED);
  expect(await unused()).toEqual([]);
  const row = await db()
    .selectFrom('mailboxes')
    .select(['password', 'next_password'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect([row.password !== null, row.next_password]).toEqual([true, null]);
});

it('goes with an import that is cancelled while it proves a mailbox', async () => {
  const { importId, mailboxId } = await halfImported();
  expect(await unused()).toEqual([]);
  await ann.ok('POST', `/v1/mailboxes/import/${importId}/cancel`);
  expect([await statusOf(mailboxId), await unused()]).toEqual(['failed', []]);
  expect((await patch(mailboxId, { password: 'again' })).status).toBe(200);
});

it('goes with a row that failed', async () => {
  const { importId, mailboxId } = await halfImported();
  await inTrx((trx) => endRow(trx, { importId, row: 2 }, FAILED));
  expect([await statusOf(mailboxId), await unused()]).toEqual(['failed', []]);
});

it('goes with the attempts of before, and their consents, once the address is proven', async () => {
  const first = await connect();
  await settle(first, FAILED);
  const oauth = { provider: 'google' as const, grantId: randomUUID() };
  await sql`update connected_mailboxes set servers = servers || ${JSON.stringify({ oauth })}::jsonb
    where mailbox_id = ${first}`.execute(db());
  const tokens = { value: 'access', usableUntil: new Date() };
  await inTrx((trx) =>
    insertGrant(trx, { cipher: users.api.context.cipher, mailboxId: first }, oauth, {
      refreshToken: 'refresh',
      subject: 's',
      access: tokens,
    }),
  );
  const bob = await users.newUser();
  const foreign = await bob.ok('POST', '/v1/mailboxes/connect', {
    email,
    password: 'p',
    ...SERVERS,
  });
  await settle(foreign.id, FAILED);
  const second = await connect();
  expect(await unused()).toEqual([]);
  await settle(second);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['deleted', 'active']);
  expect(await statusOf(foreign.id)).toBe('failed');
  expect(await unused()).toEqual([]);
  const left = await db().selectFrom('oauth_grants').selectAll().execute();
  expect(left).toEqual([]);
});

it('goes with a mailbox that is deleted, whatever it was', async () => {
  const failed = await connect();
  await settle(failed, FAILED);
  await ann.ok('DELETE', `/v1/mailboxes/${failed}`);
  const { mailboxId } = await halfImported();
  await inTrx((trx) => trx.deleteFrom('operations').where('resource_id', '=', mailboxId).execute());
  await ann.ok('DELETE', `/v1/mailboxes/${mailboxId}`);
  expect(await statusOf(mailboxId)).toBe('deleted');
  expect(await unused()).toEqual([]);
});

it('goes with a mailbox of a cluster that could not be made', async () => {
  const [id] = await ann.mailboxes(1);
  await db().updateTable('mailboxes').set({ status: 'pending' }).where('id', '=', id!).execute();
  await inTrx((trx) => settleNewMailbox(trx, id!, 'failed'));
  expect(await unused()).toEqual([]);
});
