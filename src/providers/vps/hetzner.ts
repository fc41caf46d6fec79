/**
 * Hetzner Cloud API v1 (https://docs.hetzner.cloud).
 *
 * There is no idempotency key: the name of a server is unique in a project and is the key. A lost
 * answer to `POST /servers` is `outcome_unknown`; repeating `create` looks by name and adopts.
 * The reply's `root_password` is never read: we log in with a key only.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { hourPrice, hetznerQuestions } from './hetzner-account.ts';
import { hetznerRefusal } from './hetzner-failures.ts';
import { actionAnswer, failureOfOrder, untilEnded } from './hetzner-actions.ts';
import { orderProblems } from './hetzner-catalogue.ts';
import { firewallProblems } from './hetzner-firewalls.ts';
import { deleteSshKey, ensureSshKey } from './hetzner-ssh-keys.ts';
import { listOurs } from './hetzner-list.ts';
import { reinstall, viewReinstalls } from './hetzner-reinstall.ts';
import type { RentedServer, ServerOrder, VpsProvider } from './port.ts';

const PROVIDER = 'hetzner';

const settings = z.object({
  HETZNER_TOKEN: z.string().min(1),
  HETZNER_URL: z.url().default('https://api.hetzner.cloud/v1'),
  HETZNER_SERVER_TYPE: z.string().min(1).default('cx23'),
  HETZNER_LOCATION: z.string().min(1).default('nbg1'),
  HETZNER_IMAGE: z.string().min(1).default('debian-12'),
});
type Settings = z.infer<typeof settings>;

const server = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  public_net: z.object({ ipv4: z.object({ ip: z.string() }).nullable() }),
});
const serverAnswer = z.object({ server });
const serversAnswer = z.object({ servers: z.array(server) });

export const hetzner = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['HETZNER_URL'],
  ownHosts: ['api.hetzner.cloud'],
  // 3600 an hour for a project; one comes back each second.
  limit: { requestsPerSecond: 1, burst: 3_600, requestsPerActivity: 1 },
  create: createHetzner,
});

function createHetzner(config: Settings, tools: ProviderTools): VpsProvider {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.HETZNER_URL,
    headers: { authorization: `Bearer ${config.HETZNER_TOKEN}` },
    secrets: [config.HETZNER_TOKEN],
    timeoutMs: tools.timeoutMs,
    refused: (refusal) => hetznerRefusal(PROVIDER, refusal),
  });
  return {
    name: PROVIDER,
    namesAreUnique: true,
    hourPrice: () => hourPrice(client, config),
    orderProblems: async () => [
      ...(await orderProblems(client, config)),
      ...(await firewallProblems(client)),
    ],
    findByName: (name) => findByName(client, name),
    create: (order) => create(client, config, order),
    get: (id) => get(client, id),
    reinstall: (id, order) => reinstall(client, config.HETZNER_IMAGE, id, order),
    viewReinstalls: (id) => viewReinstalls(client, id),
    setReverseDns: async (id, ipv4, hostName) => {
      const { action } = await client.send({
        method: 'POST',
        path: `${serverPath(id)}/actions/change_dns_ptr`,
        body: { ip: ipv4, dns_ptr: hostName },
        repeatable: true,
        answer: actionAnswer,
      });
      await untilEnded(client, action, tools.timeoutMs);
    },
    destroy: (name, id) => destroy(client, { name, id, limitMs: tools.timeoutMs }),
    listOurs: () => listOurs(client),
    accountQuestions: () => hetznerQuestions(client, config),
  };
}

const serverPath = (id: string) => `/servers/${encodeURIComponent(id)}`;

/** The one server of this name, also while it is being deleted. */
async function serverNamed(client: JsonClient, name: string) {
  const { servers } = await client.send({
    method: 'GET',
    path: '/servers',
    query: { name },
    repeatable: true,
    answer: serversAnswer,
  });
  return servers.find((one) => one.name === name);
}

/** A server that is being deleted counts as gone; its name is free in a moment. */
async function findByName(client: JsonClient, name: string): Promise<RentedServer | null> {
  const found = await serverNamed(client, name);
  return found && found.status !== 'deleting' ? rented(found) : null;
}

async function get(client: JsonClient, id: string): Promise<RentedServer | null> {
  const call = { method: 'GET', path: serverPath(id), repeatable: true } as const;
  const found = await client.send({ ...call, answer: serverAnswer }).catch(absent);
  if (!found || found.server.status === 'deleting') return null;
  const shown = rented(found.server);
  if (shown.state === 'running') return shown;
  const failure = await failureOfOrder(client, id);
  return failure === undefined ? shown : { ...shown, failure };
}

async function create(
  client: JsonClient,
  config: Settings,
  order: ServerOrder,
): Promise<RentedServer> {
  const existing = await findByName(client, order.name);
  if (existing) return existing;
  const keyId = await ensureSshKey(client, order);
  const body = {
    name: order.name,
    server_type: config.HETZNER_SERVER_TYPE,
    // `datacenter` is gone since July 2026.
    location: config.HETZNER_LOCATION,
    image: config.HETZNER_IMAGE,
    ssh_keys: [String(keyId)],
    labels: order.labels,
    user_data: order.userData,
    start_after_create: true,
    public_net: { enable_ipv4: true, enable_ipv6: false },
  };
  try {
    const call = { method: 'POST', path: '/servers', body, repeatable: false } as const;
    const made = await client.send({ ...call, answer: serverAnswer });
    return rented(made.server);
  } catch (error) {
    if (codeOf(error) !== 'uniqueness_error') throw error;
    const adopted = await findByName(client, order.name);
    if (adopted) return adopted;
    // Its namesake is being deleted: nothing is wrong, the name will be free.
    throw stillDeleted(order.name, 'unavailable');
  }
}

/**
 * Deletes the server before its key, so that a repeat after a failure still finds both. It has ended when
 * the action has: one that failed has left a server that costs money.
 */
async function destroy(
  client: JsonClient,
  { name, id, limitMs }: { name: string; id?: string | undefined; limitMs: number },
): Promise<void> {
  const existing = await serverNamed(client, name);
  if (existing && String(existing.id) === (id ?? String(existing.id))) {
    if (existing.status === 'deleting') throw stillDeleted(name, 'not_ready');
    const call = {
      method: 'DELETE',
      path: serverPath(String(existing.id)),
      repeatable: true,
    } as const;
    const begun = await client.send({ ...call, answer: actionAnswer }).catch(absent);
    if (begun) await untilEnded(client, begun.action, limitMs);
  }
  await deleteSshKey(client, name);
}

const stillDeleted = (name: string, kind: 'not_ready' | 'unavailable') =>
  new ProviderError(kind, `${PROVIDER}: ${name} is still being deleted`, {
    provider: PROVIDER,
    providerCode: kind === 'unavailable' ? 'uniqueness_error' : 'deleting',
  });

/** Every other status is a transition to one of these two. */
function rented(from: z.infer<typeof server>): RentedServer {
  const stopped = from.status === 'off' || from.status === 'stopping';
  const state = from.status === 'running' ? 'running' : stopped ? 'off' : 'starting';
  const ipv4 = from.public_net.ipv4?.ip ?? null;
  return { id: String(from.id), name: from.name, state, ipv4 };
}

const codeOf = (error: unknown) =>
  error instanceof ProviderError ? error.facts.providerCode : undefined;

/** Turns the vendor's `not_found` into null; anything else stays an error. */
function absent(error: unknown): null {
  if (codeOf(error) === 'not_found') return null;
  throw error;
}
