/**
 * Vultr API v2 (https://www.vultr.com/api/; OpenAPI of December 2023).
 *
 * Only ids are unique there, and there are no idempotency keys: a server carries the order's name as
 * label and as a tag, and is searched by both before it is ordered. Two orders at once would make two
 * servers, so a repeat waits until the first has certainly ended (`namesAreUnique`). The answer's
 * `default_password` is never read: we log in with a key only.
 */
import { z } from 'zod';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { tooSlow, type RentedServer, type ServerOrder, type VpsProvider } from './port.ts';
import { hourPrice, vultrQuestions } from './vultr-account.ts';
import { vultrRefusal } from './vultr-failures.ts';
import { orderProblems } from './vultr-catalogue.ts';
import { absent, debianId, deleteAt, deleteSshKeys, ensureSshKey, listAll } from './vultr-lists.ts';
import { listOurs } from './vultr-ours.ts';
import { reinstall, viewReinstalls } from './vultr-reinstall.ts';

const PROVIDER = 'vultr';

/** The order itself begins within this many time-outs of `create`, or not at all. */
const TIMEOUTS_BEFORE_ORDER = 2;

const settings = z.object({
  VULTR_API_KEY: z.string().min(1),
  VULTR_BASE_URL: z.url().default('https://api.vultr.com/v2'),
  VULTR_REGION: z.string().min(1).default('fra'),
  VULTR_PLAN: z.string().min(1).default('vc2-1c-1gb'),
});
type Settings = z.infer<typeof settings>;

const instance = z.object({
  id: z.string().min(1),
  label: z.string(),
  status: z.string(),
  power_status: z.string(),
  server_status: z.string(),
  main_ip: z.string(),
  date_created: z.string(),
  tags: z.array(z.string()).nullish(),
});
type Instance = z.infer<typeof instance>;
const instanceAnswer = z.object({ instance });

export const vultr = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['VULTR_BASE_URL'],
  ownHosts: ['api.vultr.com'],
  // Counted by the caller's address; an order makes six requests, a check one.
  limit: { requestsPerSecond: 30, requestsPerActivity: 2 },
  create: createVultr,
});

function createVultr(config: Settings, tools: ProviderTools): VpsProvider {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.VULTR_BASE_URL,
    headers: { authorization: `Bearer ${config.VULTR_API_KEY}` },
    secrets: [config.VULTR_API_KEY],
    timeoutMs: tools.timeoutMs,
    refused: (refusal) => vultrRefusal(PROVIDER, refusal),
  });
  let debian: number | undefined;
  return {
    name: PROVIDER,
    namesAreUnique: false,
    hourPrice: () => hourPrice(client, config),
    async orderProblems() {
      const problems = await orderProblems(client, config);
      debian ??= await debianId(client);
      return problems;
    },
    async findByName(name) {
      const [first] = await instancesOf(client, name);
      return first ? rented(first, name) : null;
    },
    async create(order) {
      const latestStart = Date.now() + TIMEOUTS_BEFORE_ORDER * tools.timeoutMs;
      const [existing] = await instancesOf(client, order.name);
      if (existing) return rented(existing, order.name);
      debian ??= await debianId(client);
      const body = { ...bodyOf(config, order), os_id: debian };
      const keyId = await ensureSshKey(client, order);
      if (Date.now() > latestStart) throw tooSlow(PROVIDER);
      const made = await client.send({
        method: 'POST',
        path: '/instances',
        body: { ...body, sshkey_id: [keyId] },
        repeatable: false,
        answer: instanceAnswer,
      });
      return rented(made.instance, order.name);
    },
    async get(id) {
      const call = { method: 'GET', path: instancePath(id), repeatable: true } as const;
      const found = await client.send({ ...call, answer: instanceAnswer }).catch(absent);
      return found ? rented(found.instance, found.instance.label) : null;
    },
    reinstall: (id, order) => reinstall(client, id, order),
    viewReinstalls: (id) => viewReinstalls(client, id),
    async setReverseDns(id, ipv4, hostName) {
      await client.send({
        method: 'POST',
        path: `${instancePath(id)}/ipv4/reverse`,
        body: { ip: ipv4, reverse: hostName },
        repeatable: true,
        answer: z.unknown(),
      });
    },
    async destroy(name, only) {
      // Servers before keys, so that a repeat after a failure still finds both.
      for (const { id } of await instancesOf(client, name)) {
        if (id === (only ?? id)) await deleteAt(client, instancePath(id));
      }
      await deleteSshKeys(client, name);
    },
    listOurs: () => listOurs(client),
    accountQuestions: () => vultrQuestions(client, config),
  };
}

const instancePath = (id: string) => `/instances/${encodeURIComponent(id)}`;

/** Those that were ordered under this name, the oldest first; a person may have changed the label. */
async function instancesOf(client: JsonClient, name: string): Promise<Instance[]> {
  const list = { name: 'instances', item: instance };
  const labelled = await listAll(client, '/instances', { ...list, query: { label: name } });
  const exact = labelled.filter(({ label }) => label === name);
  const found = exact.length > 0 ? exact : await tagged(client, name);
  return found.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)));
}

async function tagged(client: JsonClient, name: string): Promise<Instance[]> {
  const query = { tag: name };
  const found = await listAll(client, '/instances', { name: 'instances', item: instance, query });
  return found.filter(({ tags }) => tags?.includes(name));
}

const orderOf = ({ date_created, id }: Instance) => `${date_created} ${id}`;

function bodyOf(config: Settings, order: ServerOrder) {
  return {
    region: config.VULTR_REGION,
    plan: config.VULTR_PLAN,
    label: order.name,
    hostname: order.name,
    tags: [order.name, ...Object.entries(order.labels).map(([key, value]) => `${key}=${value}`)],
    // Unlike Hetzner's, base64.
    user_data: Buffer.from(order.userData).toString('base64'),
    enable_ipv6: false,
    backups: 'disabled',
    activation_email: false,
  };
}

/** It runs when all three of its states say so; `0.0.0.0` means that it has no address yet. */
function rented(from: Instance, name: string): RentedServer {
  const isUp = from.status === 'active' && from.power_status === 'running';
  const isOff =
    from.status === 'suspended' || (from.status === 'active' && from.power_status === 'stopped');
  const isReady = isUp && from.server_status === 'ok';
  const ipv4 = from.main_ip === '' || from.main_ip === '0.0.0.0' ? null : from.main_ip;
  return { id: from.id, name, state: isReady ? 'running' : isOff ? 'off' : 'starting', ipv4 };
}
