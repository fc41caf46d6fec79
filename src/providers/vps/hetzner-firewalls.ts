/**
 * Firewalls of the project that close what a mail host needs. A server under one takes in what a rule of one of its
 * firewalls allows, and nothing else (https://docs.hetzner.cloud/reference/cloud#firewalls). We make none: a
 * person has, in the console.
 */
import { z } from 'zod';
import { fine, wrong, type AccountAnswer } from '../../domain/operations/account-questions.ts';
import type { JsonClient } from '../http-client.ts';
import { listOurs } from './hetzner-list.ts';
import { MANAGED_BY, type OrderProblem } from './port.ts';

const PER_PAGE = 50;
const MAX_PAGES = 100;

const rule = z.object({
  direction: z.string(),
  protocol: z.string(),
  port: z.string().nullish(),
  source_ips: z.array(z.string()).nullish(),
});
const target = z.object({
  type: z.string(),
  server: z.object({ id: z.int() }).nullish(),
  label_selector: z.object({ selector: z.string() }).nullish(),
  applied_to_resources: z
    .array(z.object({ server: z.object({ id: z.int() }).nullish() }))
    .nullish(),
});
const firewall = z.object({
  name: z.string(),
  rules: z.array(rule),
  applied_to: z.array(target),
});
const answer = z.object({
  firewalls: z.array(firewall),
  meta: z.object({ pagination: z.object({ next_page: z.int().nullish() }) }),
});
type Firewall = z.infer<typeof firewall>;

/** SSH, submission and IMAP are for our workers: from which addresses is for the operator to know. */
const FOR_US = [22, 465, 993];
/** Messages of anybody, and the look of the certificate authority. */
const FOR_ALL = [25, 80];

const ANYBODY = '0.0.0.0/0';

export async function firewallAnswer(client: JsonClient): Promise<AccountAnswer> {
  const all = await listFirewalls(client);
  const found = closedBy(all, [NEXT, ...(await listOurs(client))]);
  if (!found) return fine(all.length === 0 ? 'there are none' : 'none closes what we need');
  const { names, ports, servers, cure } = found;
  return wrong(`${names}: closed for ${servers} of our servers: ${ports}`, cure);
}

/** What would keep the next server from becoming a mail host: it is no use to order one. */
export async function firewallProblems(client: JsonClient): Promise<OrderProblem[]> {
  const found = closedBy(await listFirewalls(client), [NEXT]);
  if (!found) return [];
  const { names, ports, cure } = found;
  const message = `the firewall ${names} would close TCP ${ports} of a new server`;
  return [{ variable: null, message, cure, prevents: true }];
}

interface Covered {
  id: string;
  labels: Readonly<Record<string, string>>;
}

/** The labels of orders, with values that no server of ours has. */
const NEXT: Covered = {
  id: 'the next server',
  labels: { 'managed-by': MANAGED_BY, cluster: '0', domain: 'next.invalid' },
};

/** The firewalls that close ports of these servers, in words; undefined where none does. */
function closedBy(all: readonly Firewall[], servers: readonly Covered[]) {
  const closed = servers.flatMap((server) => {
    const over = all.filter((one) => covers(one, server));
    const ports = over.length === 0 ? [] : closedPorts(over);
    return ports.length === 0 ? [] : [{ ports, names: over.map(({ name }) => name) }];
  });
  if (closed.length === 0) return undefined;
  const numbers = [...new Set(closed.flatMap((one) => one.ports))].toSorted((a, b) => a - b);
  const ports = numbers.join(', ');
  const names = [...new Set(closed.flatMap((one) => one.names))].join(', ');
  const cure = `Allow TCP ${ports} inwards in ${names}, or take our servers out of it.`;
  return { names, ports, servers: closed.length, cure };
}

async function listFirewalls(client: JsonClient): Promise<Firewall[]> {
  const found: Firewall[] = [];
  let page: number | null = 1;
  for (let read = 0; page !== null && read < MAX_PAGES; read += 1) {
    const shown: z.infer<typeof answer> = await client.send({
      method: 'GET',
      path: '/firewalls',
      query: { page, per_page: PER_PAGE },
      repeatable: true,
      answer,
    });
    found.push(...shown.firewalls);
    page = shown.meta.pagination.next_page ?? null;
  }
  return found;
}

const covers = ({ applied_to }: Firewall, { id, labels }: Covered): boolean =>
  applied_to.some(({ server, label_selector: by, applied_to_resources: matched }) => {
    if (server) return String(server.id) === id;
    // What the vendor has matched itself is certain; the next server it does not know yet.
    if (matched?.some((one) => String(one.server?.id) === id)) return true;
    return by !== null && by !== undefined && selects(by.selector, labels);
  });

/** `a=b`, `a==b`, `a!=b`, `a`, `!a`, `a in (b,c)`, `a notin (b,c)`, joined by commas. */
function selects(selector: string, labels: Readonly<Record<string, string>>): boolean {
  return selector.split(/,(?![^(]*\))/).every((part) => {
    const [, name, not, list] = /^\s*(\S+)\s+(not)?in\s*\(([^)]*)\)\s*$/.exec(part) ?? [];
    if (name !== undefined) {
      const values = list!.split(',').map((value) => value.trim());
      return values.includes(labels[name] ?? '') === (not === undefined);
    }
    const [, key = '', operator, value = ''] = /^\s*(!?[^=!\s]+)\s*(?:(==?|!=)\s*(\S*))?/.exec(
      part,
    ) ?? [''];
    if (operator === '!=') return labels[key] !== value;
    if (operator !== undefined) return labels[key] === value;
    return key.startsWith('!') ? !(key.slice(1) in labels) : key in labels;
  });
}

/** The rules of all firewalls over a server are one list. */
function closedPorts(over: readonly Firewall[]): number[] {
  const rules = over.flatMap((one) => one.rules);
  const allows = (port: number, isForAll: boolean) =>
    rules.some(
      ({ direction, protocol, port: range, source_ips: sources }) =>
        direction === 'in' &&
        protocol === 'tcp' &&
        holds(range, port) &&
        (!isForAll || sources?.includes(ANYBODY)),
    );
  return [
    ...FOR_US.filter((port) => !allows(port, false)),
    ...FOR_ALL.filter((port) => !allows(port, true)),
  ];
}

function holds(range: string | null | undefined, port: number): boolean {
  if (range === 'any') return true;
  const [from = 0, to = from] = (range ?? '').split('-').map(Number);
  return port >= from && port <= to;
}
