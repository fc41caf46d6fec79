/** Sends requests generated from the API's own document, and checks every answer against it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Context } from '../../../src/context.ts';
import { credit } from '../../../src/db/wallet/ledger.ts';
import { ProviderError } from '../../../src/domain/errors.ts';
import {
  createEmailChecker,
  type EmailCheckerNeeds,
} from '../../../src/services/email-validation/email-checker.ts';
import type { DnsResolver } from '../../../src/providers/dns/port.ts';
import { createWebhookEndpoints } from '../../../src/providers/webhook-endpoints/index.ts';
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts';
import {
  operationsOf,
  pointerTo,
  requestOfEach,
  requests,
  type FuzzedRequest,
  type Operation,
} from './request-fuzzer.ts';
import { stripePayments } from '../vendors/stripe-events.ts';
import { movement } from '../wallet/wallet.ts';

export interface FuzzOptions {
  /** Ends it early. */
  over?: AbortSignal;
  requests: number;
  seed: number;
  /** Called after each thousand: a run of hours may be cut short. */
  report?: (soFar: FuzzResult) => void;
}

export interface FuzzResult {
  answered: number;
  /** The `operationId`s that were asked. */
  asked: Set<string>;
  /** The number of answers by status. */
  statuses: Record<number, number>;
  /** Answers of 500 or against the document, each with its request; the first hundred. */
  faults: string[];
}

const USER = 'fuzzer';
/** Money, so that requests that cost something succeed. */
const FUNDS_CENTS = 100_000_000;
/** Requests of one seed; the next batch has the next seed. */
const BATCH = 1_000;
const AT_ONCE = 6;
const SHOWN_FAULTS = 100;

/** Vendors that are down: what depends on them answers 502, which the document has. */
const down = new Proxy({}, { get: (_target, name) => refuse(String(name)) });

const refuse = (name: string) => () =>
  Promise.reject(new ProviderError('unavailable', `no ${name}`, { provider: 'none' }));

/** It sends to its page whoever asks; nobody comes back from there. */
const consenting = {
  name: 'google',
  consentUrl: async ({ state }: { state: string }) =>
    `https://consent.example.test/?state=${state}`,
  exchange: refuse('exchange'),
};

/** All routes over a database, without workflows and vendors; the fuzzing user has money. */
export async function startFuzzedApi(database: TestApiOptions['database']): Promise<TestApi> {
  const clock = { now: () => new Date() };
  const nobody = { dns: down, emailVerifiers: {}, clock, logger: pino({ level: 'silent' }) };
  const needs = { db: database.db, ...nobody } as unknown as EmailCheckerNeeds;
  const context = {
    registrars: { namecom: down },
    vps: { hetzner: down },
    payments: stripePayments(),
    adLibraries: { meta: down },
    contactFinders: { hunter: down },
    maps: { apify: down },
    mailboxOauth: { google: consenting, microsoft: down },
    websites: down,
    webhookEndpoints: createWebhookEndpoints({
      dns: down as DnsResolver,
      outboundProxy: undefined,
      allowBenchmarkRange: false,
      allowHttp: false,
    }),
    mailHost: down,
    mailTransport: down,
    dns: down,
    emailChecker: createEmailChecker(needs),
    temporal: {
      withDeadline: (_deadline: number, work: () => unknown) => work(),
      workflow: { getHandle: () => down },
    },
    startOperation: async () => false,
  };
  const api = await startTestApi({ database, context: context as unknown as Partial<Context> });
  await api.call('GET', '/v1/account', { token: await api.jwt(USER) });
  const { db } = database;
  await db.transaction().execute((trx) => credit(trx, movement(USER, FUNDS_CENTS)));
  return api;
}

/** Each operation once, then any of them. A 502 is a vendor's failure; any other 5xx is a fault, and so is an answer against the document. */
export async function fuzz(api: TestApi, options: FuzzOptions): Promise<FuzzResult> {
  const { body: document } = await api.call('GET', '/openapi.json');
  const operations = operationsOf(document);
  const anyRequest = requests(operations);
  const first = requestOfEach(operations, options.seed).slice(0, options.requests);
  const problemOf = createShapes(document);
  const result: FuzzResult = { answered: 0, asked: new Set(), statuses: {}, faults: [] };
  for (let at = 0; at < options.requests && !options.over?.aborted; at += BATCH) {
    const ofEach = at === 0 ? first : [];
    const numRuns = Math.min(BATCH, options.requests - at) - ofEach.length;
    const random = fc.sample(anyRequest, { numRuns, seed: options.seed + at / BATCH });
    // From its end.
    const waiting = [...random, ...ofEach];
    // A token is valid for ten minutes.
    const token = await api.jwt(USER);
    const sendAll = async () => {
      for (let next = waiting.pop(); next && !options.over?.aborted; next = waiting.pop()) {
        const { status, body } = await answerTo(api, token, next);
        result.answered += 1;
        result.asked.add(next.operation.operationId);
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        const problem = status >= 500 && status !== 502 ? 'failed' : problemOf(next, status, body);
        if (problem !== undefined && result.faults.length < SHOWN_FAULTS) {
          const { operation, path, body: sent } = next;
          result.faults.push(`${operation.method} ${path} ${sent ?? ''}: ${status}, ${problem}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
    options.report?.(result);
  }
  return result;
}

/**
 * A connection that closes just when it is reused tells nothing about the answer: the request is
 * repeated once.
 */
async function answerTo(api: TestApi, token: string, request: FuzzedRequest) {
  const unanswered = { status: 599, body: 'no answer' };
  return send(api, token, request).catch(() => send(api, token, request).catch(() => unanswered));
}

function send(api: TestApi, token: string, request: FuzzedRequest) {
  const { operation, path, body, idempotencyKey } = request;
  return api.call(operation.method, path, {
    token,
    ...(body !== undefined && { body }),
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}

/** Checks an answer against the schema of its status; returns the problem. */
function createShapes(document: object) {
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  return ({ operation }: { operation: Operation }, status: number, body: unknown) => {
    const { method, path, responses } = operation;
    // An odd segment may turn a path into an unknown one, whose 404 is not documented.
    if (status === 404 && (body as { code?: string }).code === 'NOT_FOUND') return undefined;
    if (responses[status] === undefined) return `${status} is not documented`;
    const name = `${method} ${path} ${status}`;
    const refusal = typeof body === 'string' ? 'text/html' : 'application/json';
    const type = status < 300 ? operation.contentType : refusal;
    const schema = pointerTo('content', type, 'schema').slice(1);
    const check = compiled.get(name) ?? ajv.compile({ $ref: `api${responses[status]}${schema}` });
    compiled.set(name, check);
    return check(body) ? undefined : ajv.errorsText(check.errors);
  };
}
