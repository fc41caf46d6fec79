/** The control API under /_sandbox: what tests and people may ask of the world and change in it. */
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { z } from 'zod';
import { accountRoutes } from './accounts.ts';
import type { SandboxCore, StandIn } from './core.ts';
import { FAULT_KINDS, VENDORS } from './faults.ts';
import type { NotedConnection } from './socks-server.ts';

/** Answered as 400 with the problem. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly details: object[];

  constructor(status: number, message: string, details: object[] = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** The validated input of a call, or a 400 that says what is wrong. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => ({
    field: issue.path.join('.') || '(body)',
    message: issue.message,
  }));
  throw new ControlRefusal(400, 'the request is not valid', details);
}

const BODY_LIMIT = '25mb';
const DNS_TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'] as const;

const faultBody = z.strictObject({
  vendor: z.enum(VENDORS),
  operation: z.string().min(1).optional(),
  kind: z.enum(FAULT_KINDS),
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
});
const requestsQuery = z.object({
  vendor: z.enum(VENDORS).optional(),
  since: z
    .string()
    .refine((text) => /^\d+$/.test(text) || !Number.isNaN(Date.parse(text)), 'an ISO time or an id')
    .optional(),
});
const dialQuery = z.object({
  host: z.string().min(1),
  port: z.coerce.number().int().min(1).max(65_535),
});
const dnsQuery = z.object({ name: z.string().min(1), type: z.enum(DNS_TYPES).default('A') });

export function createControlApi(
  core: SandboxCore,
  standIns: StandIn[],
  connections: () => NotedConnection[],
): Router {
  const control = Router();
  control.use(express.json({ limit: BODY_LIMIT, type: () => true }));
  control.get('/', (_request, response) => void response.json({ calls: CONTROL_CALLS }));
  control.get('/books', (request, response) => {
    const raw = request.query['raw'] === '1';
    response.json(standIns.map((s) => s.vendorRecords?.({ raw }) ?? {}).reduce(merge, {}));
  });
  control.get('/requests', (request, response) => {
    const filter = checked(requestsQuery, request.query);
    response.json({ requests: core.requestLog.list(filter) });
  });
  control.get('/connections', (_request, response) => {
    response.json({ connections: connections() });
  });
  control.use(capacityRoutes(core), faultRoutes(core), networkRoutes(core));
  control.use(accountRoutes(core.store, checked));
  for (const standIn of standIns) if (standIn.control !== undefined) control.use(standIn.control);
  control.use((request) => {
    throw new ControlRefusal(404, `the control API has no ${request.method} ${request.path}`);
  });
  control.use(answerError);
  return control;
}

function capacityRoutes(core: SandboxCore): Router {
  const router = Router();
  const show = (response: Response): void => {
    response.json({ available: core.capacity.setting() ?? null });
  };
  router.get('/capacity', (_request, response) => show(response));
  router.put('/capacity', (request, response) => {
    const { available } = checked(z.strictObject({ available: z.boolean() }), request.body);
    core.capacity.set(available);
    show(response);
  });
  router.delete('/capacity', (_request, response) => {
    core.capacity.set(undefined);
    show(response);
  });
  return router;
}

function faultRoutes(core: SandboxCore): Router {
  const router = Router();
  router.get('/faults', (_request, response) => {
    response.json({ faults: core.faults.list() });
  });
  router.post('/faults', (request, response) => {
    response.status(201).json(core.faults.add(checked(faultBody, request.body)));
  });
  router.delete('/faults', (_request, response) => {
    core.faults.clear();
    response.json({ faults: [] });
  });
  router.delete('/faults/:id', (request, response) => {
    core.faults.remove(request.params.id);
    response.json({ faults: core.faults.list() });
  });
  return router;
}

function networkRoutes(core: SandboxCore): Router {
  const router = Router();
  router.get('/dial', (request, response) => {
    const { host, port } = checked(dialQuery, request.query);
    const address = core.hosts.dial(host, port);
    if (address === undefined) throw new ControlRefusal(404, `nobody listens at ${host}:${port}`);
    response.json(address);
  });
  router.get('/dns', (request, response) => {
    const { name, type } = checked(dnsQuery, request.query);
    response.json({ name, type, ...core.zone.lookup(name, type) });
  });
  return router;
}

function answerError(error: Error, _request: Request, response: Response, next: NextFunction) {
  if (response.headersSent) return next(error);
  const { status = 500, details = [] } = error as Partial<ControlRefusal>;
  response.status(status).json({ error: { message: error.message, details } });
}

type Branch = Record<string, unknown>;

/** Merges the parts of several stand-ins under one key (`vps`, `mail`). */
function merge(into: object, part: object): object {
  const merged: Branch = { ...into };
  for (const [name, value] of Object.entries(part)) {
    const there = merged[name];
    merged[name] = isBranch(there) && isBranch(value) ? merge(there, value) : value;
  }
  return merged;
}

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The calls that `GET /_sandbox` lists. */
export const CONTROL_CALLS = [
  'GET /_sandbox/books',
  'GET|PUT|DELETE /_sandbox/accounts/:vendor',
  'GET|PUT|DELETE /_sandbox/capacity',
  'GET /_sandbox/requests?vendor=&since=',
  'GET|POST|DELETE /_sandbox/faults',
  'DELETE /_sandbox/faults/:id',
  'POST /_sandbox/payments/:sessionId/pay|refund|dispute|expire',
  'GET|PUT|DELETE /_sandbox/places',
  'GET|PUT|DELETE /_sandbox/ads',
  'GET|PUT|DELETE /_sandbox/contacts',
  'PUT /_sandbox/credits',
  'GET|PUT /_sandbox/seeds/junk',
  'POST /_sandbox/payment-methods/:id',
  'GET|PUT|DELETE /_sandbox/blocklists',
  'DELETE /_sandbox/certificates',
  'GET|PUT|DELETE /_sandbox/sites/:host',
  'GET|PUT|DELETE /_sandbox/sites',
  'GET /_sandbox/sites/truth',
  'GET /_sandbox/connections',
  'GET /_sandbox/dial?host=&port=',
  'GET /_sandbox/dns?name=&type=',
  'POST /_sandbox/mail/deliver',
  'GET /_sandbox/mail/logins',
  'PUT /_sandbox/mail/hosts/:ipv4',
  'PUT /_sandbox/mail/elsewhere/:host',
  'POST /_sandbox/oauth/google|microsoft/revoke',
  'PUT /_sandbox/oauth/google|microsoft/lifetime',
  'POST /_sandbox/mail/dmarc-reports',
];
