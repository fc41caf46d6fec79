/** Clusters: a domain with a mail server for it. */
import { z } from 'zod';
import type {
  Cluster,
  DomainAvailability,
  Outreach,
} from '../../../clients/typescript/src/index.ts';
import { clusterPrice } from '../../domain/wallet/prices.ts';
import { byNumber, listOf, onlyRow, pageOf, paging } from '../lists.ts';
import { ToolRefusal } from '../refusal.ts';
import { READS, tool } from '../tool.ts';
import { dollars, twoStep } from '../two-step.ts';

const clusterSchema = z.object({
  id: z.int(),
  domain: z.string(),
  status: z.string(),
  ipAddress: z.string().nullable(),
  mailHost: z.string().nullable(),
  mailboxesCount: z.int(),
  sendingHold: z.string().nullable().describe('What keeps its campaigns from sending'),
  step: z.string().nullable(),
  message: z.string().describe('What its provisioning does, or waits for'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

const clusterOf = ({ health, ...cluster }: Cluster): z.input<typeof clusterSchema> => ({
  ...cluster,
  mailHost: cluster.mailServer?.host ?? null,
  sendingHold: health.sendingHold,
  ...cluster.provisioning,
});

const partSchema = z.object({ name: z.string(), state: z.string(), message: z.string() });

const listClusters = tool({
  name: 'list_clusters',
  title: 'List clusters, or read one and its health',
  description:
    'Lists the domains with a mail server, and how far each is; with `id` that one alone. With `health` its ports, certificate, DNS and blocklists, too.',
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    id: z.int().optional(),
    health: z.boolean().default(false).describe('Only with `id`: checks all of it'),
    ...paging,
  }),
  output: listOf(clusterSchema.extend({ health: z.array(partSchema).optional() })),
  async run({ id, health, ...input }, { outreach }) {
    if (id === undefined) return pageOf(await outreach.clusters.list(byNumber(input)), clusterOf);
    const cluster = clusterOf(await outreach.clusters.read({ id }));
    return onlyRow({ ...cluster, ...(health && { health: await healthOf(outreach, id) }) });
  },
});

async function healthOf({ clusters }: Outreach, id: number) {
  return Object.entries(await clusters.readHealth({ id })).flatMap(([name, part]) =>
    typeof part === 'object' ? [{ name, ...part }] : [],
  );
}

const order = {
  domain: z.string().describe('Such as my-company.com'),
  domainIsOwned: z
    .boolean()
    .default(false)
    .describe('The account has the domain already: none is bought'),
  useExistingServer: z
    .boolean()
    .default(false)
    .describe('Puts it on a server of the account: none is rented'),
  serverId: z.int().optional().describe('Which one, with useExistingServer'),
};

const availabilitySchema = z.object({
  domain: z.string(),
  available: z.boolean(),
  restricted: z.boolean().optional().describe('It cannot be bought here'),
});

const quoteCluster = tool({
  name: 'quote_cluster',
  title: 'Say what a cluster costs',
  description:
    'Says whether a domain can be bought, or suggests some for a keyword, and what a cluster on it costs. Buys nothing.',
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    domains: z.array(z.string()).max(20).default([]),
    keyword: z.string().min(2).optional().describe('Suggests names that can be bought'),
    domainIsOwned: order.domainIsOwned,
    useExistingServer: order.useExistingServer,
  }),
  output: z.object({
    domains: z.array(availabilitySchema),
    domainCents: z.int(),
    serverCents: z.int(),
    totalCents: z.int(),
    availableCents: z.int().describe('What the wallet has'),
    isAffordable: z.boolean(),
  }),
  async run({ domains, keyword, ...order }, { outreach }) {
    const found: DomainAvailability[] = [];
    if (domains.length > 0) found.push(...(await outreach.domains.check({ body: { domains } })));
    if (keyword !== undefined) {
      found.push(...(await outreach.domains.suggest({ body: { keyword, limit: 10 } })));
    }
    const { availableCents } = await outreach.wallet.read();
    const price = priceOf(order);
    const isAffordable = availableCents >= price.totalCents;
    return { domains: found, ...price, availableCents, isAffordable };
  },
});

const priceOf = (order: { domainIsOwned: boolean; useExistingServer: boolean }) =>
  clusterPrice({ domain: !order.domainIsOwned, server: !order.useExistingServer });

const createCluster = twoStep({
  name: 'create_cluster',
  title: 'Buy a domain and rent its mail server',
  description:
    'Buys the domain, rents a server and makes a mail host of it; takes minutes: wait_for the cluster. Paid from the wallet; a part that fails is given back.',
  needs: 'spend',
  input: z.strictObject(order),
  result: clusterSchema,
  async quote(input, { outreach }) {
    const { domain, domainIsOwned } = input;
    const { domainCents, serverCents, totalCents } = priceOf(input);
    if (!domainIsOwned) await checkAvailable(outreach, domain);
    const { availableCents } = await outreach.wallet.read();
    if (availableCents < totalCents) throw tooPoor(totalCents, availableCents);
    const parts = [
      domainIsOwned ? `uses ${domain}` : `buys ${domain} for ${dollars(domainCents)}`,
      input.useExistingServer ? 'uses a server' : `rents a server for ${dollars(serverCents)}`,
    ].join(' and ');
    const summary = `This ${parts}: ${dollars(totalCents)} of the ${dollars(availableCents)} that the wallet has. A domain that was bought is not given back.`;
    return { summary, amountCents: totalCents, recipients: 0 };
  },
  async act(input, { outreach }, { idempotencyKey }) {
    const { domain, domainIsOwned, useExistingServer: useExistingVps, serverId } = input;
    const { clusters } = outreach;
    const body = { domain, useExistingVps, serverId };
    const made = domainIsOwned
      ? await clusters.createWithExistingDomain({ body }, { idempotencyKey })
      : await clusters.create({ body }, { idempotencyKey });
    return clusterOf(made);
  },
});

async function checkAvailable(outreach: Outreach, domain: string): Promise<void> {
  const [found] = await outreach.domains.check({ body: { domains: [domain] } });
  if (found?.available === true && found.restricted !== true) return;
  if (found?.unknown === true) {
    const next = 'Call this again in a minute.';
    throw new ToolRefusal('The registrar does not say whether it can be bought', {
      code: 'UPSTREAM_UNAVAILABLE',
      next,
    });
  }
  throw new ToolRefusal(`${domain} cannot be bought`, {
    code: 'DOMAIN_UNAVAILABLE',
    next: 'quote_cluster with a keyword suggests names. If it is the account’s, say domainIsOwned.',
  });
}

const tooPoor = (neededCents: number, availableCents: number): ToolRefusal =>
  new ToolRefusal(`It costs ${dollars(neededCents)}, the wallet has ${dollars(availableCents)}`, {
    code: 'INSUFFICIENT_BALANCE',
    next: 'fund_wallet opens a checkout page for what is missing; wait_for it, then quote again.',
    details: [{ neededCents, availableCents }],
  });

export const clusterTools = [listClusters, quoteCluster, createCluster];
