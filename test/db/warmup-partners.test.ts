/** Whom warm-up lets write to whom: accounts meet only at addresses that are known to be theirs. Choice 156. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPartners } from '../../src/db/warmup/warmup-plans.ts';
import { noteProven } from '../../src/transactions/mailboxes/connections.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let [ann, bob]: CampaignUser[] = [];

beforeAll(async () => {
  users = await startCampaignUsers();
});
afterAll(() => users?.close());
beforeEach(async () => {
  [ann, bob] = [await users.newUser(), await users.newUser()];
  await users.database.db.deleteFrom('warmups').execute();
});

const db = () => users.database.db;

async function enrolled(user: CampaignUser, id: number): Promise<number> {
  await user.ok('POST', `/v1/warmup/mailboxes/${id}/start`);
  return id;
}

const onCluster = async (user: CampaignUser) => enrolled(user, (await user.mailboxes(1))[0]!);

/** Its own servers have taken and shown a message to itself, which says nothing about its address. */
async function connected(user: CampaignUser, addressProven: Date | null): Promise<number> {
  const { id } = await user.ok('POST', '/v1/mailboxes/connect', {
    email: `cfo-${randomUUID().slice(0, 8)}@bigcorp.test`,
    password: 'p',
    smtp: { host: 'mail.stranger.test', port: 465 },
    imap: { host: 'mail.stranger.test', port: 993 },
  });
  await db()
    .transaction()
    .execute((trx) => noteProven(trx, id));
  await db()
    .updateTable('connected_mailboxes')
    .set({ address_proven_at: addressProven })
    .where('mailbox_id', '=', id)
    .execute();
  return enrolled(user, id);
}

const partnersOf = async (user: CampaignUser, mailboxId: number) => {
  const me = { mailboxId, userId: user.userId };
  const found = await findPartners(db(), me, { limit: 10, chance: 0 });
  return found.map((partner) => partner.mailboxId);
};

describe('a connected mailbox whose address is its owner’s word', () => {
  it('is written to by nobody else, and writes to nobody else, who would answer', async () => {
    const [hers, his] = [await onCluster(ann!), await connected(bob!, null)];
    expect(await partnersOf(ann!, hers)).toEqual([]);
    expect(await partnersOf(bob!, his)).toEqual([]);
  });

  it('warms up with its own account', async () => {
    const [one, two] = [await connected(bob!, null), await onCluster(bob!)];
    await onCluster(ann!);
    expect(await partnersOf(bob!, one)).toEqual([two]);
  });

  it('leaves its account’s other mailboxes to those of other accounts', async () => {
    const hers = await onCluster(ann!);
    await connected(bob!, null);
    const his = await onCluster(bob!);
    expect(await partnersOf(bob!, his)).toEqual([hers]);
    expect(await partnersOf(ann!, hers)).toEqual([his]);
  });
});

it('accounts meet at connected mailboxes whose address is proven', async () => {
  const [hers, his] = [await onCluster(ann!), await connected(bob!, new Date())];
  expect(await partnersOf(ann!, hers)).toEqual([his]);
  expect(await partnersOf(bob!, his)).toEqual([hers]);
});
