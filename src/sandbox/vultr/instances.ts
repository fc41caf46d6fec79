/** Instances: ordered, looked up, named in reverse DNS, deleted. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import { z } from 'zod';
import type { SandboxCore } from '../core.ts';
import { answerIsLost } from '../magic-names.ts';
import type { Hosts } from '../servers/hosts.ts';
import { loseAnswer } from '../vendor-router.ts';
import type { Instance, VultrRecords } from './vendor-records.ts';
import { PLANS, REGIONS, SOLD_OUT, SYSTEMS } from './catalogue.ts';
import { shownInstance } from './shown-instance.ts';
import { paged, refuse } from './wire.ts';

/** Time until the order has a machine and an address, and until that machine's kernel is up. */
const PENDING_MS = 400;
const INSTALLING_MS = 600;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const createShape = z.object({
  region: z.string(),
  plan: z.string(),
  os_id: z.int(),
  label: z.string().default(''),
  hostname: z.string().default('vultr.guest'),
  tags: z.array(z.string()).default([]),
  sshkey_id: z.array(z.string()).default([]),
  user_data: z.string().default(''),
});
type Wanted = z.infer<typeof createShape>;
const changeShape = z.object({
  label: z.string().optional(),
  tags: z.array(z.string()).optional(),
  user_data: z.string().regex(BASE64).optional(),
});
const ptrShape = z.object({ ip: z.string(), reverse: z.string().regex(HOST_NAME) });

export interface Shop {
  core: SandboxCore;
  vendorRecords: VultrRecords;
  hosts: Hosts;
}

export function instanceRoutes(shop: Shop): Router {
  const { vendorRecords, hosts } = shop;
  const router = Router();
  const find = (request: Request): Instance => {
    const instance = vendorRecords.instances().find((each) => each.id === request.params['id']);
    if (instance === undefined) throw refuse(404, 'Invalid instance ID.');
    return instance;
  };

  router.get('/instances', (request, response) => {
    const { label, tag, main_ip, region } = request.query;
    const found = vendorRecords
      .instances()
      .filter((each) => label === undefined || each.label === label)
      .filter((each) => typeof tag !== 'string' || each.tags.includes(tag))
      .filter((each) => main_ip === undefined || each.ipv4 === main_ip)
      .filter((each) => region === undefined || each.region === region);
    response.json(paged('instances', found.map(shownInstance), request));
  });

  router.post('/instances', (request, response) => {
    const wanted = createShape.safeParse(request.body);
    if (!wanted.success) throw refuse(400, 'Missing or invalid parameters.');
    const instance = order(shop, wanted.data);
    const domain = domainOf(instance.tags);
    if (domain !== undefined && answerIsLost(shop.core.store, 'vultr', domain)) {
      loseAnswer(request);
    }
    // The password is in this answer and in no other.
    const default_password = randomBytes(12).toString('base64url');
    response.status(202).json({ instance: { ...shownInstance(instance), default_password } });
  });

  router.get('/instances/:id', (request, response) => {
    response.json({ instance: shownInstance(find(request)) });
  });

  router.patch('/instances/:id', (request, response) => {
    const wanted = changeShape.safeParse(request.body);
    if (!wanted.success) throw refuse(400, 'Missing or invalid parameters.');
    const { label, tags, user_data } = wanted.data;
    const instance = find(request);
    const changed = {
      ...instance,
      label: label ?? instance.label,
      tags: tags ?? instance.tags,
      ...(user_data !== undefined && { userData: Buffer.from(user_data, 'base64').toString() }),
    };
    vendorRecords.putInstance(changed);
    response.status(202).json({ instance: shownInstance(changed) });
  });

  router.delete('/instances/:id', async (request, response) => {
    const instance = find(request);
    await hosts.destroy(machineId(instance.id));
    vendorRecords.putInstance({ ...instance, deletedAt: new Date().toISOString() });
    response.status(204).end();
  });

  router.post('/instances/:id/ipv4/reverse', (request, response) => {
    const instance = find(request);
    const wanted = ptrShape.safeParse(request.body);
    if (!wanted.success) throw refuse(400, 'Invalid reverse DNS.');
    if (wanted.data.ip !== instance.ipv4) throw refuse(400, 'Invalid IP address.');
    vendorRecords.putInstance({ ...instance, ptr: wanted.data.reverse });
    response.status(204).end();
  });
  return router;
}

/** The domain in the tags (`domain=acme.com`), which may be a magic name. */
export const domainOf = (tags: unknown): string | undefined =>
  (Array.isArray(tags) ? tags : [])
    .map((tag) => /^domain=(.+)$/.exec(String(tag))?.[1]?.toLowerCase())
    .find((domain) => domain !== undefined);

export const machineId = (instanceId: string): string => `vultr-${instanceId}`;

function order(shop: Shop, wanted: Wanted): Instance {
  const { core, vendorRecords, hosts } = shop;
  assertSold(wanted);
  if (!BASE64.test(wanted.user_data))
    throw refuse(400, 'Invalid user data: must be base64 encoded.');
  const authorizedKeys = wanted.sshkey_id.map((each) => publicKeyOf(vendorRecords, each));
  const hasPlace = core.capacity.isAvailableFor(
    domainOf(wanted.tags) ?? wanted.label.toLowerCase(),
  );
  if (!hasPlace || SOLD_OUT.includes(`${wanted.plan} ${wanted.region}`)) {
    const problem = `The selected plan is not available in the selected region: ${wanted.region}`;
    throw refuse(400, `Server add failed: ${problem}`);
  }
  const now = Date.now();
  const activeAtMs = now + PENDING_MS / core.options.pace;
  const instance: Instance = {
    id: randomUUID(),
    label: wanted.label,
    hostname: wanted.hostname,
    tags: wanted.tags,
    region: wanted.region,
    plan: wanted.plan,
    osId: wanted.os_id,
    ipv4: core.hosts.allocateAddress(),
    ptr: null,
    orderedAtMs: now,
    activeAtMs,
    runningAtMs: activeAtMs + INSTALLING_MS / core.options.pace,
    userData: Buffer.from(wanted.user_data, 'base64').toString(),
    sshKeyIds: wanted.sshkey_id,
    deletedAt: null,
  };
  // The machine first: an instance in the records without one would never answer.
  const { ipv4, runningAtMs, userData = '' } = instance;
  hosts.rent({ id: machineId(instance.id), ipv4, authorizedKeys, userData, runningAtMs });
  vendorRecords.putInstance(instance);
  return instance;
}

function assertSold({ region, plan, os_id, hostname }: Wanted): void {
  if (!REGIONS.some(({ id }) => id === region)) throw refuse(400, 'Invalid region chosen.');
  if (!PLANS.some(({ id }) => id === plan)) throw refuse(400, 'Invalid plan chosen.');
  if (!SYSTEMS.some(({ id }) => id === os_id)) throw refuse(400, 'Invalid OS chosen.');
  if (!HOST_NAME.test(hostname)) throw refuse(400, 'Invalid hostname.');
}

function publicKeyOf(vendorRecords: VultrRecords, id: string): string {
  const key = vendorRecords.sshKeys().find((each) => each.id === id);
  if (key === undefined) throw refuse(400, 'Invalid SSH Key ID');
  return key.ssh_key;
}
