/** Firewalls of the project: rules, and the servers and label selectors that they are applied to. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import type { SandboxCore } from '../core.ts';
import { newAction, shownAction } from './actions.ts';
import { letsThrough, ruleShape, type Firewall, type Target } from './firewall-rules.ts';
import { checked, labelsShape, matchesLabels, matchesSelector } from './labels.ts';
import type { HetznerRecords, RentedServer } from './vendor-records.ts';
import { idOf, invalidInput, notFound, paged, refuse } from './wire.ts';

const ACTION_MS = 200;

const target = z.union([
  z.object({ type: z.literal('server'), server: z.object({ id: z.int() }) }),
  z.object({
    type: z.literal('label_selector'),
    label_selector: z.object({ selector: z.string().min(1) }),
  }),
]);
const createShape = z.object({
  name: z.string().min(1).max(128),
  rules: z.array(ruleShape).max(50).default([]),
  apply_to: z.array(target).default([]),
  labels: labelsShape.default({}),
});

interface Shop {
  core: SandboxCore;
  vendorRecords: HetznerRecords;
}

export function firewallRoutes(shop: Shop): Router {
  const { vendorRecords } = shop;
  const router = Router();
  const find = (request: Request): Firewall => {
    const id = idOf(request, 'firewall');
    const found = vendorRecords.firewalls().find((each) => each.id === id);
    if (found === undefined) throw notFound('firewall', id);
    return found;
  };
  const begin = (firewall: Firewall, command: string) => {
    const resource = { id: firewall.id, type: 'firewall' };
    const begun = { command, serverId: 0, resource, durationMs: ACTION_MS };
    return [shownAction(newAction(shop, begun))];
  };

  router.get('/firewalls', (request, response) => {
    const { name } = request.query;
    const found = vendorRecords
      .firewalls()
      .filter((one) => name === undefined || one.name === name)
      .filter((one) => matchesLabels(one.labels, request))
      .map((one) => shownFirewall(vendorRecords, one));
    response.json(paged('firewalls', found, request));
  });
  router.post('/firewalls', (request, response) => {
    const { apply_to, ...wanted } = checked(createShape, request.body);
    if (vendorRecords.firewalls().some(({ name }) => name === wanted.name)) {
      throw refuse(409, 'uniqueness_error', 'firewall name is already used');
    }
    assertServers(vendorRecords, apply_to);
    const id = vendorRecords.nextId('firewalls');
    const created = new Date().toISOString();
    const firewall = { id, ...wanted, created, targets: apply_to };
    vendorRecords.putFirewall(firewall);
    const actions = apply_to.length === 0 ? [] : begin(firewall, 'apply_firewall');
    response.status(201).json({ firewall: shownFirewall(vendorRecords, firewall), actions });
  });
  router.get('/firewalls/:id', (request, response) => {
    response.json({ firewall: shownFirewall(vendorRecords, find(request)) });
  });
  router.delete('/firewalls/:id', (request, response) => {
    const firewall = find(request);
    if (firewall.targets.length > 0) {
      throw refuse(409, 'resource_in_use', 'firewall with ID is still in use');
    }
    vendorRecords.deleteFirewall(firewall.id);
    response.status(204).end();
  });
  router.post('/firewalls/:id/actions/set_rules', (request, response) => {
    const firewall = find(request);
    const { rules } = checked(z.object({ rules: z.array(ruleShape).max(50) }), request.body);
    vendorRecords.putFirewall({ ...firewall, rules });
    response.status(201).json({ actions: begin(firewall, 'set_firewall_rules') });
  });
  router.post('/firewalls/:id/actions/apply_to_resources', (request, response) => {
    const firewall = find(request);
    const { apply_to } = checked(z.object({ apply_to: z.array(target).min(1) }), request.body);
    assertServers(vendorRecords, apply_to);
    applyFirewall(vendorRecords, firewall, apply_to);
    response.status(201).json({ actions: begin(firewall, 'apply_firewall') });
  });
  router.post('/firewalls/:id/actions/remove_from_resources', (request, response) => {
    const firewall = find(request);
    const { remove_from } = checked(
      z.object({ remove_from: z.array(target).min(1) }),
      request.body,
    );
    const gone = new Set(remove_from.map(keyOf));
    const targets = firewall.targets.filter((one) => !gone.has(keyOf(one)));
    vendorRecords.putFirewall({ ...firewall, targets });
    response.status(201).json({ actions: begin(firewall, 'remove_firewall') });
  });
  return router;
}

const keyOf = (one: Target): string => JSON.stringify(one);

export function applyFirewall(
  vendorRecords: HetznerRecords,
  firewall: Firewall,
  added: readonly Target[],
): void {
  const known = new Set(firewall.targets.map(keyOf));
  const fresh = added.filter((one) => !known.has(keyOf(one)));
  vendorRecords.putFirewall({ ...firewall, targets: [...firewall.targets, ...fresh] });
}

function assertServers(vendorRecords: HetznerRecords, targets: readonly Target[]): void {
  const ids = new Set(vendorRecords.servers().map(({ id }) => id));
  if (targets.some((one) => one.type === 'server' && !ids.has(one.server.id))) {
    throw invalidInput('apply_to', 'server not found');
  }
}

/** The firewalls that a server is under. */
export const firewallsOf = (vendorRecords: HetznerRecords, server: RentedServer): Firewall[] =>
  vendorRecords.firewalls().filter(({ targets }) => targets.some((one) => covers(one, server)));

const covers = (one: Target, { id, labels }: RentedServer): boolean =>
  one.type === 'server'
    ? one.server.id === id
    : matchesSelector(labels, one.label_selector.selector);

/** Whether the address of a server of ours takes connections at this port; true for all others. */
export function portFilter(vendorRecords: HetznerRecords) {
  return (ip: string, port: number): boolean => {
    // Of each connection in the world: usually there is none.
    if (vendorRecords.firewalls().length === 0) return true;
    const server = vendorRecords.servers().find(({ ipv4 }) => ipv4 === ip);
    const firewalls = server ? firewallsOf(vendorRecords, server) : [];
    // The rules of all are one list.
    return firewalls.length === 0 || firewalls.some(({ rules }) => letsThrough(rules, port));
  };
}

function shownFirewall(vendorRecords: HetznerRecords, firewall: Firewall) {
  const { targets, rules, ...facts } = firewall;
  const matched = (one: Target) =>
    vendorRecords
      .servers()
      .filter((server) => covers(one, server))
      .map(({ id }) => ({ type: 'server', server: { id } }));
  return {
    ...facts,
    rules,
    applied_to: targets.map((one) =>
      one.type === 'server' ? one : { ...one, applied_to_resources: matched(one) },
    ),
  };
}
