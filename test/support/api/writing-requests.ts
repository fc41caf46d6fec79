/** A request of every operation that changes something, after what it needs was made. */
import { ofMessages, ofPeople } from './writing-requests-of-people.ts';
import { CONSENT, type AuditedWorld } from './audited-world.ts';
import {
  HOOK,
  campaign,
  name,
  connectedMailbox,
  mailbox,
  made,
  clusterOf,
  ordered,
  domain,
  warmup,
  webhook,
  delivery,
  type Requests,
} from './writing-subjects.ts';

const mailboxFile = () =>
  `email,password,preset\n${name()}@elsewhere.test,canary-password-5,google\n`;

const seed = () => ({
  address: `${name()}@seeds.test`,
  provider: 'google',
  password: 'canary-password-7',
});

const linkName = () => `links.${name().toLowerCase()}.test`;

const trackingDomain = async (world: AuditedWorld) =>
  `/v1/tracking-domains/${await made(world, '/v1/tracking-domains', { name: linkName() })}`;

/** What a test is ordered with, when there is a seed. */
const placementTest = async (world: AuditedWorld) => {
  const { id: campaignId } = await campaign(world);
  const seedId = await made(world, '/v1/placement/seeds', seed());
  return { campaignId, seedIds: [seedId] };
};

const ofAccount: Requests = {
  'apiKeys.create': async () => ['/api/keys', { name: 'k' }],
  'apiKeys.update': async (world) => [
    `/api/keys/${await made(world, '/api/keys', { name: 'k' })}`,
    { name: 'other' },
  ],
  'apiKeys.delete': async (world) => [`/api/keys/${await made(world, '/api/keys', { name: 'k' })}`],
  'apiKeys.rotate': async (world) => [
    `/api/keys/${await made(world, '/api/keys', { name: 'k' })}/rotate`,
    {},
  ],
  'account.update': async () => ['/v1/account', { senderName: name() }],
  'wallet.fund': async () => ['/wallet/fund', { amountCents: 5_000 }],
  'wallet.verify': async (world) => {
    const { sessionId } = await world.ok('POST', '/wallet/fund', { amountCents: 5_000 });
    return ['/wallet/verify', { sessionId }];
  },
  'wallet.receiveEvent': async (world) => {
    await world.ok('POST', '/wallet/fund', { amountCents: 5_000 });
    return ['/wallet/webhook', {}];
  },
  'wallet.updateSettings': async () => ['/wallet/settings', { lowBalanceThresholdCents: 500 }],
  'wallet.deletePaymentMethod': async ({ db, userId }) => {
    const values = {
      user_id: userId,
      customer_id: 'c',
      payment_method_id: 'p',
      saved_at: new Date(),
    };
    await db.insertInto('payment_methods').values(values).execute();
    return ['/wallet/payment-method'];
  },
  'webhooks.create': async () => ['/v1/webhooks', HOOK],
  'webhookDeliveries.redeliver': async (world) => [
    `/v1/webhooks/deliveries/${(await delivery(world)).id}/redeliver`,
  ],
  'webhooks.redeliver': async (world) => {
    const { webhookId, id } = await delivery(world);
    return [`/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`];
  },
  'webhooks.update': async (world) => [
    `/v1/webhooks/${await webhook(world)}`,
    { description: name() },
  ],
  'webhooks.delete': async (world) => [`/v1/webhooks/${await made(world, '/v1/webhooks', HOOK)}`],
  'webhooks.test': async (world) => [`/v1/webhooks/${await webhook(world)}/test`],
  'webhooks.rotateSecret': async (world) => [`/v1/webhooks/${await webhook(world)}/rotate-secret`],
  'operations.retryMany': async (world) => [
    '/v1/operations/retry',
    { ids: [(await ordered(world, 'blocked')).operationId] },
  ],
  'operations.cancelMany': async (world) => [
    '/v1/operations/cancel',
    { ids: [(await ordered(world, 'running')).operationId] },
  ],
  'operations.retry': async (world) => [
    `/v1/operations/${(await ordered(world, 'blocked')).operationId}/retry`,
  ],
  'operations.cancel': async (world) => [
    `/v1/operations/${(await ordered(world, 'running')).operationId}/cancel`,
  ],
};

const ofHosts: Requests = {
  'domains.buy': async () => ['/v1/domains', { domain: `${name()}.com` }],
  'domains.update': async (world) => [`/v1/domains/${await domain(world)}`, { autoRenew: true }],
  'domains.import': async () => ['/v1/domains/import', { domain: `${name()}.com` }],
  'domains.verify': async (world) => [`/v1/domains/${await domain(world)}/verify`],
  'domains.renew': async (world) => [`/v1/domains/${await domain(world)}/renew`],
  'dnsRecords.create': async (world) => [
    `/v1/domains/${await domain(world)}/dns`,
    { type: 'TXT', name: '@', value: 'x' },
  ],
  'dnsRecords.update': async (world) => [
    `/v1/domains/${await domain(world)}/dns/r1`,
    { value: 'new' },
  ],
  'dnsRecords.delete': async (world) => [`/v1/domains/${await domain(world)}/dns/r1`],
  'clusters.create': async () => ['/v1/clusters/create', { domain: `${name()}.com` }],
  'clusters.createWithExistingDomain': async (world) => {
    const id = await domain(world);
    const found = await world.ok('GET', `/v1/domains/${id}`);
    return ['/v1/clusters/create-with-existing-domain', { domain: found.domain ?? found.name }];
  },
  'clusters.delete': async (world) => [`/v1/clusters/${(await clusterOf(world)).id}`],
  'clusters.rename': async (world) => [
    `/clusters/${(await clusterOf(world)).id}/rename`,
    { name: 'other' },
  ],
  'clusters.retry': async (world) => [`/v1/clusters/${(await ordered(world, 'failed')).id}/retry`],
  'clusters.cancel': async (world) => [
    `/v1/clusters/${(await ordered(world, 'running')).id}/cancel`,
  ],
  'mailboxes.create': async (world) => {
    const { id, domain: at } = await clusterOf(world);
    return [`/v1/mailboxes/cluster/${id}`, { email: `ada@${at}`, password: 'canary-password-1' }];
  },
  'mailboxes.createMany': async (world) => {
    const { id, domain: at } = await clusterOf(world);
    const mailboxes = [{ email: `a@${at}` }, { email: `b@${at}` }];
    return [`/v1/mailboxes/cluster/${id}/bulk`, { mailboxes }];
  },
  'mailboxes.connect': async () => [
    '/v1/mailboxes/connect',
    { email: 'own@elsewhere.test', password: 'canary-password-3', preset: 'google' },
  ],
  'mailboxes.connectByOauth': async () => [
    '/v1/mailboxes/connect/oauth',
    { provider: 'google', email: 'oauth@elsewhere.test' },
  ],
  'mailboxes.takeConsent': async (world) => {
    const body = { provider: 'google', email: CONSENT.username };
    const asked = await world.ok('POST', '/v1/mailboxes/connect/oauth', body);
    return [`/oauth/callback${new URL(asked.authorizationUrl).search}&code=c`];
  },
  'mailboxImports.create': async () => ['/v1/mailboxes/import', { csv: mailboxFile() }],
  'mailboxImports.cancel': async (world) => {
    const id = await made(world, '/v1/mailboxes/import', { csv: mailboxFile() });
    return [`/v1/mailboxes/import/${id}/cancel`];
  },
  'mailboxes.updateConnection': async (world) => [
    `/v1/mailboxes/${await connectedMailbox(world)}/connection`,
    { password: 'canary-password-4' },
  ],
  'mailboxes.rotatePassword': async (world) => [
    `/v1/mailboxes/${await mailbox(world)}/rotate-password`,
    { password: 'canary-password-2' },
  ],
  'mailboxes.updateLimits': async (world) => [
    `/v1/mailboxes/${await mailbox(world)}/limits`,
    { dailyLimit: 5 },
  ],
  'mailboxes.update': async (world) => [
    `/v1/mailboxes/${await mailbox(world)}`,
    { senderName: 'Bob' },
  ],
  'mailboxes.delete': async (world) => [`/v1/mailboxes/${await mailbox(world)}`],
  'warmup.actOnMany': async (world) => {
    const mailboxIds = [await mailbox(world), await mailbox(world)];
    return ['/v1/warmup/bulk', { mailboxIds, action: 'start' }];
  },
  'placementSeeds.create': async () => ['/v1/placement/seeds', seed()],
  'placementSeeds.update': async (world) => [
    `/v1/placement/seeds/${await made(world, '/v1/placement/seeds', seed())}`,
    { password: 'canary-password-8' },
  ],
  'placementSeeds.delete': async (world) => [
    `/v1/placement/seeds/${await made(world, '/v1/placement/seeds', seed())}`,
  ],
  'trackingDomains.create': async () => ['/v1/tracking-domains', { name: linkName() }],
  'trackingDomains.check': async (world) => [`${await trackingDomain(world)}/check`],
  'trackingDomains.delete': async (world) => [await trackingDomain(world)],
  'placementTests.create': async (world) => ['/v1/placement/tests', await placementTest(world)],
  'placementTests.cancel': async (world) => {
    const id = await made(world, '/v1/placement/tests', await placementTest(world));
    return [`/v1/placement/tests/${id}/cancel`];
  },
  'warmup.update': async (world) => [await warmup(world), { maxVolume: 30 }],
  'warmup.start': async (world) => [`${await warmup(world)}/start`],
  'warmup.pause': async (world) => [`${await warmup(world, 'start')}/pause`],
  'warmup.resume': async (world) => [`${await warmup(world, 'start', 'pause')}/resume`],
  'warmup.stop': async (world) => [`${await warmup(world, 'start')}/stop`],
};

/** By `operationId`. */
export const WRITING_REQUESTS: Requests = { ...ofAccount, ...ofHosts, ...ofPeople, ...ofMessages };
