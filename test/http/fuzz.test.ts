/** A slice of the fuzz over the API's own document: nothing answers 500 or against its schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { createEmailChecker, type EmailCheckerNeeds } from '../../src/email-checker.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { operationsOf, requests, type Operation } from '../support/request-fuzzer.ts';

const requestCount = Number(process.env.FUZZ_REQUESTS ?? 600);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

let database: TestDatabase;
let api: TestApi;

/** Vendors that are down: what is asked of them is 502, which the document has. */
const down = new Proxy(
  {},
  {
    get: (_target, name) => () =>
      Promise.reject(new ProviderError('unavailable', `no ${String(name)}`, { provider: 'none' })),
  },
);

beforeAll(async () => {
  database = await createTestDatabase();
  const clock = { now: () => new Date() };
  const nobody = { dns: down, emailVerifiers: {}, clock, logger: pino({ level: 'silent' }) };
  const needs = { db: database.db, ...nobody } as unknown as EmailCheckerNeeds;
  const context = {
    registrars: { namecom: down },
    emailChecker: createEmailChecker(needs),
    temporal: {
      withDeadline: (_deadline: number, work: () => unknown) => work(),
      workflow: { getHandle: () => down },
    },
    startOperation: async () => false,
  };
  api = await startTestApi({ database, context: context as unknown as Partial<Context> });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

describe('any request', () => {
  it(`answers as the document says (seed ${seed})`, { timeout: 120_000 }, async () => {
    const { body: document } = await api.call('GET', '/openapi.json');
    const shapes = createShapes(document);
    const token = await api.jwt('fuzzer');
    let answered = 0;
    const property = fc.asyncProperty(requests(operationsOf(document)), async (request) => {
      const { operation, path, body, idempotencyKey } = request;
      const answer = await api.call(operation.method, path, {
        token,
        ...(body !== undefined && { body }),
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      });
      answered += 1;
      expect(answer.status, `${operation.method} ${path} ${body}`).not.toBe(500);
      const problem = shapes(operation, answer.status, answer.body);
      expect(problem, `${operation.method} ${path} ${body}`).toBeUndefined();
    });
    await fc.assert(property, { numRuns: requestCount, seed });
    expect(answered).toBe(requestCount);
  });
});

/** Checks an answer against the schema of its status. */
function createShapes(document: object) {
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  return (operation: Operation, status: number, body: unknown) => {
    const { method, path, responses } = operation;
    // A path that an odd segment turned into another one is a 404 without being documented.
    if (status === 404 && (body as { code?: string }).code === 'NOT_FOUND') return undefined;
    if (responses[status] === undefined) return `${status} is not documented`;
    const name = `${method} ${path} ${status}`;
    const pointer = [path, method.toLowerCase()].map((part) => part.replaceAll('/', '~1'));
    const type = (status < 300 ? operation.contentType : 'application/json').replace('/', '~1');
    const check =
      compiled.get(name) ??
      ajv.compile({
        $ref: `api#/paths/${pointer.map(encodeURI).join('/')}/responses/${status}/content/${type}/schema`,
      });
    compiled.set(name, check);
    return check(body) ? undefined : ajv.errorsText(check.errors);
  };
}
