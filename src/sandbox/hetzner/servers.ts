/** Servers: ordered, looked up, named in reverse DNS, deleted. */
import { randomBytes } from 'node:crypto';
import { Router, type Request } from 'express';
import { z } from 'zod';
import type { SandboxCore } from '../core.ts';
import { answerIsLost } from '../magic-names.ts';
import { accountOf } from '../accounts.ts';
import type { Store } from '../store.ts';
import type { Hosts } from '../servers/hosts.ts';
import { failsLater, loseAnswer } from '../vendor-router.ts';
import { newAction, shownAction, type Begun } from './actions.ts';
import { statusOf, type HetznerRecords, type RentedServer } from './vendor-records.ts';
import { findByIdOrName, IMAGES, LOCATIONS, serverTypes } from './catalogue.ts';
import { checked, labelsShape, matchesLabels } from './labels.ts';
import { applyFirewall } from './firewalls.ts';
import { shownServer } from './shown-server.ts';
import { idOf, invalidInput, notFound, paged, refuse } from './wire.ts';

/** Time until the order is placed on a machine, and until that machine's kernel is up. */
const INITIALIZING_MS = 300;
const STARTING_MS = 500;
const ACTION_MS = 200;
const USER_DATA_BYTES = 32 * 1024;
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

const createShape = z.object({
  name: z.string().regex(HOST_NAME, 'must be a valid hostname'),
  server_type: z.union([z.string(), z.int()]),
  image: z.union([z.string(), z.int()]),
  location: z.union([z.string(), z.int()]).optional(),
  ssh_keys: z.array(z.union([z.string(), z.int()])).default([]),
  labels: labelsShape.default({}),
  firewalls: z.array(z.object({ firewall: z.int() })).default([]),
  user_data: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= USER_DATA_BYTES, 'must be at most 32 KiB')
    .default(''),
});
const ptrShape = z.object({ ip: z.string(), dns_ptr: z.string().min(1).nullable() });

export interface Shop {
  core: SandboxCore;
  vendorRecords: HetznerRecords;
  hosts: Hosts;
}

export function serverRoutes(shop: Shop): Router {
  const { vendorRecords, hosts } = shop;
  const router = Router();
  const find = (request: Request): RentedServer => {
    const id = idOf(request, 'server');
    const server = vendorRecords.servers().find((each) => each.id === id);
    if (server === undefined) throw notFound('server', id);
    return server;
  };

  const shown = (server: RentedServer) => shownServer(vendorRecords, server);
  router.get('/servers', (request, response) => {
    const { name, status } = request.query;
    const wanted = status === undefined ? undefined : [status].flat();
    const found = vendorRecords
      .servers()
      .filter((server) => name === undefined || server.name === name)
      .filter((server) => wanted === undefined || wanted.includes(statusOf(server)))
      .filter((server) => matchesLabels(server.labels, request));
    response.json(paged('servers', found.map(shown), request));
  });

  router.post('/servers', (request, response) => {
    const answer = order(shop, checked(createShape, request.body), failsLater(request));
    const { domain } = answer.server.labels;
    if (domain !== undefined && answerIsLost(shop.core.store, 'hetzner', domain)) {
      loseAnswer(request);
    }
    response.status(201).json(answer);
  });

  router.get('/servers/:id', (request, response) => {
    response.json({ server: shown(find(request)) });
  });

  router.delete('/servers/:id', async (request, response) => {
    const server = find(request);
    const fails = failsLater(request);
    const begun = { command: 'delete_server', serverId: server.id, durationMs: ACTION_MS };
    const action = newAction(shop, { ...begun, ...(fails && { error: ACTION_FAILED }) });
    if (!fails) {
      await hosts.destroy(machineId(server.id));
      const deletedAt = new Date(action.finishesAtMs).toISOString();
      vendorRecords.putServer({ ...server, deletedAt });
    }
    response.json({ action: shownAction(action) });
  });

  router.post('/servers/:id/actions/change_dns_ptr', (request, response) => {
    const server = find(request);
    const { ip, dns_ptr } = checked(ptrShape, request.body);
    if (ip !== server.ipv4) throw invalidInput('ip', 'is not an address of this server');
    if (dns_ptr !== null && !HOST_NAME.test(dns_ptr)) {
      throw invalidInput('dns_ptr', 'must be a fully qualified domain name');
    }
    vendorRecords.putServer({ ...server, ptr: dns_ptr });
    const begun = { command: 'change_dns_ptr', serverId: server.id, durationMs: ACTION_MS };
    const action = newAction(shop, begun);
    response.status(201).json({ action: shownAction(action) });
  });
  return router;
}

/** What the order is about: its label `domain`, where magic names are, or its name. */
export const subjectOfOrder = (order: {
  name?: unknown;
  labels?: Record<string, unknown> | null;
}): string | undefined => {
  const subject = order.labels?.['domain'] ?? order.name;
  return typeof subject === 'string' ? subject.toLowerCase() : undefined;
};

export const machineId = (serverId: number): string => `hetzner-${serverId}`;

const ACTION_FAILED = { code: 'action_failed', message: 'Action failed' };
const UNAVAILABLE = { code: 'resource_unavailable', message: 'error during placement' };

function order(shop: Shop, wanted: z.infer<typeof createShape>, fails: boolean) {
  const { core, vendorRecords, hosts } = shop;
  const parts = catalogueParts(core.store, wanted);
  const walls = wanted.firewalls.map(({ firewall: id }) => {
    const wall = vendorRecords.firewalls().find((each) => each.id === id);
    if (wall === undefined) throw notFound('firewall', id);
    return wall;
  });
  const authorizedKeys = wanted.ssh_keys.map((each) => publicKeyOf(vendorRecords, each));
  if (vendorRecords.servers().some((server) => server.name === wanted.name)) {
    throw refuse(409, 'uniqueness_error', 'server name is already used');
  }
  if (accountOf(core.store, 'hetzner').limitReached) {
    throw refuse(403, 'resource_limit_exceeded', 'server limit reached');
  }
  if (!core.capacity.isAvailableFor(subjectOfOrder(wanted))) {
    throw refuse(412, 'resource_unavailable', 'error during placement');
  }
  const now = Date.now();
  const startingAtMs = now + INITIALIZING_MS / core.options.pace;
  const server: RentedServer = {
    id: vendorRecords.nextId('servers'),
    name: wanted.name,
    labels: wanted.labels,
    ...parts,
    ipv4: core.hosts.allocateAddress(),
    ptr: null,
    orderedAtMs: now,
    startingAtMs,
    runningAtMs: startingAtMs + STARTING_MS / core.options.pace,
    ...(fails && { hasFailed: true }),
    userData: wanted.user_data,
    authorizedKeys,
    deletedAt: null,
  };
  // The machine first: a server in the records without one would never answer.
  const { ipv4, runningAtMs } = server;
  const id = machineId(server.id);
  if (!fails) hosts.rent({ id, ipv4, authorizedKeys, userData: wanted.user_data, runningAtMs });
  vendorRecords.putServer(server);
  for (const wall of walls) {
    applyFirewall(vendorRecords, wall, [{ type: 'server', server: { id: server.id } }]);
  }
  const begin = (command: string, durationMs: number) => {
    const begun: Begun = { command, serverId: server.id, durationMs };
    return newAction(shop, { ...begun, ...(fails && { error: UNAVAILABLE }) });
  };
  const create = begin('create_server', INITIALIZING_MS);
  const start = begin('start_server', INITIALIZING_MS + STARTING_MS);
  return {
    server: shownServer(vendorRecords, server),
    action: shownAction(create),
    next_actions: [shownAction(start)],
    root_password: authorizedKeys.length === 0 ? randomBytes(12).toString('base64url') : null,
  };
}

function catalogueParts(store: Store, wanted: z.infer<typeof createShape>) {
  const type = findByIdOrName(serverTypes(store), wanted.server_type);
  if (type === undefined) throw invalidInput('server_type', 'server type does not exist');
  const image = findByIdOrName(IMAGES, wanted.image);
  if (image === undefined) throw invalidInput('image', 'image does not exist');
  const location = findByIdOrName(LOCATIONS, wanted.location ?? 'fsn1');
  if (location === undefined) throw invalidInput('location', 'location does not exist');
  const sold = type.locations.find(({ name }) => name === location.name);
  if (sold === undefined) throw unsupportedLocation();
  if (sold.deprecation && new Date(sold.deprecation.unavailable_after) <= new Date()) {
    throw refuse(422, 'invalid_input', `server type ${type.name} is deprecated`);
  }
  if (!sold.available) throw refuse(412, 'resource_unavailable', 'error during placement');
  return { typeId: type.id, imageId: image.id, locationId: location.id };
}

const unsupportedLocation = () =>
  refuse(422, 'invalid_input', 'unsupported location for server type');

function publicKeyOf(vendorRecords: HetznerRecords, wanted: string | number): string {
  const key = findByIdOrName(vendorRecords.sshKeys(), wanted);
  if (key === undefined) throw refuse(404, 'not_found', `SSH key '${wanted}' not found`);
  return key.public_key;
}
