/** The four prices of a cluster over HTTP, and mail between two domains on one server. */
import { expect, test } from 'vitest';
import { eventually, newDomain, openAccount, type Account, type Cluster } from './account.ts';
import { booksOf } from './books.ts';
import { createMailbox, readSubjects, sendMessage } from './mail.ts';
import type { SharedWorld } from './shared-world.ts';

/** Spec: Limits. */
const BOTH_CENTS = 4_100;
const SERVER_CENTS = 2_500;
const DOMAIN_CENTS = 1_600;

/** Records of the client's own that a provisioning must leave alone. */
const OWN_RECORDS = [
  { type: 'TXT', name: '@', value: 'some-site-verification=abc123' },
  { type: 'A', name: 'www', value: '192.0.2.7' },
  { type: 'CNAME', name: 'shop', value: 'shops.example.net' },
];

export function priceTests(world: () => SharedWorld): void {
  test(
    'each of the four forms costs what the specification says, to the cent',
    { timeout: 480_000 },
    async () => {
      const account = await openAccount(world(), 'prices');
      await expectRefused(account, { domain: newDomain('unpaid') }, '$41.00');
      expect((await account.api.domains.list()).items).toEqual([]);
      await account.fund(BOTH_CENTS + SERVER_CENTS + DOMAIN_CENTS);

      const first = await activeAfter(account, account.order(newDomain('price-41')));
      expect(await paidFor(account, first)).toBe(BOTH_CENTS);
      const { serverId } = first;
      const existing = { useExistingVps: true, serverId: serverId! };
      const path = 'create-with-existing-domain' as const;
      const [owned, free] = [await buyWithRecords(account), await buy(account, 'price-0')];
      const [onOwned, onServer, onBoth] = await Promise.all([
        activeAfter(account, account.order(owned, { path })),
        activeAfter(account, account.order(newDomain('price-16'), existing)),
        activeAfter(account, account.order(free, { path, ...existing })),
      ]);
      expect(await paidFor(account, onOwned)).toBe(SERVER_CENTS);
      expect(await paidFor(account, onServer)).toBe(DOMAIN_CENTS);
      expect(await paidFor(account, onBoth)).toBe(0);
      expect([onServer.serverId, onBoth.serverId]).toEqual([serverId, serverId]);
      expect((await booksOf(world(), owned)).records).toEqual(
        expect.arrayContaining(OWN_RECORDS.map((record) => expect.objectContaining(record))),
      );
      expect(await account.wallet()).toMatchObject({ balanceCents: 0, heldCents: 0 });
      await expectEmptyWalletRefusals(account);
      await expectMailFlows(world(), account, first, onServer);
    },
  );

  test('without a server there is none to use: NO_EXISTING_VPS', async () => {
    const account = await openAccount(world(), 'no-vps');
    const order = { domain: newDomain('no-vps'), useExistingVps: true };
    const { status, body } = await account.call('POST', '/v1/clusters/create', order);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'NO_EXISTING_VPS' });
  });
}

async function activeAfter(account: Account, ordered: Promise<Cluster>) {
  const cluster = await account.settled((await ordered).id);
  expect(cluster).toMatchObject({ status: 'active', provisioning: { error: null } });
  return cluster;
}

/** What the wallet's transactions say was captured for a cluster. */
async function paidFor(account: Account, { id }: Cluster): Promise<number> {
  const asked = { type: 'capture', limit: 100 } as const;
  const { items: captures } = await account.api.wallet.listTransactions(asked);
  return captures
    .filter((one) => one.referenceType === 'cluster' && one.referenceId === String(id))
    .reduce((sum, { amountCents }) => sum - amountCents, 0);
}

/** Spec: Errors. 402 names what is required and what is there. */
async function expectRefused(
  account: Account,
  order: { domain: string; useExistingVps?: boolean; path?: string },
  required: string,
): Promise<void> {
  const { path = 'create', ...body } = order;
  const answer = await account.call('POST', `/v1/clusters/${path}`, body);
  expect(answer.status).toBe(402);
  expect(answer.body.code).toBe('INSUFFICIENT_BALANCE');
  expect(answer.body.error).toContain(`Required: ${required}, Available: $0.00`);
}

async function expectEmptyWalletRefusals(account: Account): Promise<void> {
  const domain = newDomain('unpaid');
  await expectRefused(account, { domain, useExistingVps: true }, '$16.00');
  const path = 'create-with-existing-domain';
  await expectRefused(account, { domain: await buy(account, 'unpaid'), path }, '$25.00');
}

async function buy(account: Account, prefix: string): Promise<string> {
  const domain = newDomain(prefix);
  await account.api.domains.buy({ body: { domain } });
  return domain;
}

async function buyWithRecords(account: Account): Promise<string> {
  const domain = newDomain('price-25');
  const { id } = await account.api.domains.buy({ body: { domain } });
  for (const record of OWN_RECORDS) {
    await account.api.dnsRecords.create({ id, body: record });
  }
  return domain;
}

async function expectMailFlows(
  world: SharedWorld,
  account: Account,
  first: Cluster,
  second: Cluster,
): Promise<void> {
  const [ada, ben] = await Promise.all([
    createMailbox(world, account, first, 'ada'),
    createMailbox(world, account, second, 'ben'),
  ]);
  await sendMessage(world, { from: ada!, to: ben!, subject: 'There' });
  await sendMessage(world, { from: ben!, to: ada!, subject: 'And back' });
  for (const [mailbox, subject] of [
    [ben!, 'There'],
    [ada!, 'And back'],
  ] as const) {
    await eventually(`"${subject}" in ${mailbox.email}`, async () =>
      (await readSubjects(world, mailbox)).includes(subject) ? true : undefined,
    );
  }
}
