/** Addresses at the domain of another account's cluster are connected by nobody else, by whichever way. Choice 156. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { noteUnproven } from '../../src/transactions/mailboxes/connections.ts';
import { beginRow } from '../../src/transactions/mailboxes/mailbox-imports.ts';

const OWN = {
  password: 'p',
  smtp: { host: 'mail.own.test', port: 465 },
  imap: { host: 'mail.own.test', port: 993 },
};

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;
let domains = 0;

beforeAll(async () => {
  users = await startCampaignUsers();
  [ann, bob] = [await users.newUser(), await users.newUser()];
});
afterAll(() => users?.close());

const db = () => users.database.db;

/** The domain of a cluster of Bob's. */
async function bobs(): Promise<string> {
  const domain = `bobs-${(domains += 1)}.test`;
  await addMailboxes(users.api.context, bob.userId, { count: 1, domain });
  return domain;
}

const connect = (user: CampaignUser, email: string) =>
  user.call('POST', '/v1/mailboxes/connect', { email, ...OWN });

it('not alone; its owner may, and others once the cluster is gone', async () => {
  const domain = await bobs();
  const { status, body } = await connect(ann, `ada@${domain}`);
  expect([status, body.code]).toEqual([400, 'MAILBOX_EXISTS']);
  expect(JSON.stringify(body)).toContain(`${domain} is on a cluster of another account`);
  expect((await connect(bob, `ada@${domain}`)).status).toBe(201);
  await db()
    .updateTable('clusters')
    .set({ status: 'deleted' })
    .where('name', '=', domain)
    .execute();
  expect((await connect(ann, `eve@${domain}`)).status).toBe(201);
});

it('not by a file: the row says why', async () => {
  const email = `ada@${await bobs()}`;
  const csv = `email,password,smtpHost,imapHost\n${email},p,mail.own.test,mail.own.test`;
  const { id: importId } = await ann.ok('POST', '/v1/mailboxes/import', { csv });
  const of = { cipher: users.api.context.cipher, operationId: 1, userId: ann.userId };
  const begun = await db()
    .transaction()
    .execute((trx) => beginRow(trx, of, { importId, row: 2 }));
  expect(begun).toBeUndefined();
  const [row] = await ann.ok('GET', `/v1/mailboxes/import/${importId}/rows`);
  expect(row).toMatchObject({ state: 'failed', error: { code: 'MAILBOX_EXISTS' } });
  expect(row.error.message).toContain('another account');
});

it('not by another try of one that failed before the cluster was there', async () => {
  const domain = `bobs-${(domains += 1)}.test`;
  const { id } = (await connect(ann, `ada@${domain}`)).body.data;
  await db()
    .transaction()
    .execute(async (trx) => {
      await noteUnproven(trx, id, { code: 'LOGIN_REFUSED', message: 'no' });
      const finished = { state: 'failed' as const, finished_at: new Date() };
      await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
    });
  await addMailboxes(users.api.context, bob.userId, { count: 1, domain });
  const again = await ann.call('PATCH', `/v1/mailboxes/${id}/connection`, { password: 'right' });
  expect([again.status, again.body.code]).toEqual([400, 'MAILBOX_EXISTS']);
});
