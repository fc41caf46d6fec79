/**
 * Examples for the API's document, chosen from exchanges that were recorded in runs of the tests:
 * `RECORD_EXAMPLES=<folder> npx vitest run test/routes test/http`, then `npm run openapi -- --examples <folder>`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationExample } from '../../http/openapi-examples.ts';
import { operationsOf, resolve, type ContractDocument } from './schema.ts';

/** A request and its answer, as parsed JSON. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  body?: unknown;
  answer: unknown;
}

/** As JSON. */
const MAX_CHARS = 3_000;
const MAX_ITEMS = 2;
const MAX_LEAVES = 60;

/** The best exchange of each operation: the one that shows the most, and is short. */
export async function chooseExamples(
  document: ContractDocument,
  folder: string,
): Promise<Record<string, OperationExample>> {
  const operations = pathsOf(document);
  const best = new Map<string, { score: number; example: OperationExample }>();
  for (const exchange of await readExchanges(folder)) {
    const operation = operations.find((each) => each.fits(exchange));
    if (!operation || !operation.knows(exchange.body)) continue;
    const example = exampleOf(exchange);
    const score = scoreOf(example, operation);
    if (score > (best.get(operation.id)?.score ?? 0)) best.set(operation.id, { score, example });
  }
  const sorted = [...best].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return Object.fromEntries(sorted.map(([id, { example }]) => [id, example]));
}

/** Fixed paths before those with parameters. */
function pathsOf(document: ContractDocument) {
  const operations = operationsOf(document).map(({ path, method, operation }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    const { properties } = schema ? resolve(document, schema) : {};
    return {
      id: operation.operationId,
      parameters: path.split('{').length,
      takesBody: schema !== undefined,
      fits: (one: Exchange) =>
        one.method.toLowerCase() === method &&
        statuses.includes(String(one.status)) &&
        pattern.test(one.path),
      /** Tests send fields that there are not, too. */
      knows: (body: unknown) =>
        !properties || !isObject(body) || Object.keys(body).every((name) => name in properties),
    };
  });
  return operations.toSorted((a, b) => a.parameters - b.parameters);
}

async function readExchanges(folder: string): Promise<Exchange[]> {
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
  return lines.toSorted().map((line) => JSON.parse(line) as Exchange);
}

const exampleOf = ({ body, answer }: Exchange): OperationExample => ({
  ...(isObject(body) && { request: shown(body) }),
  ...(isObject(answer) && { answer: shown(answer) }),
});

/** More fields are better, up to what anybody reads; best is a body where one is taken: files are sent without it. */
function scoreOf(example: OperationExample, { takesBody }: { takesBody: boolean }): number {
  const { request, answer } = example;
  if (JSON.stringify(example).length > MAX_CHARS) return 0;
  const [asked, told] = [leaves(request), leaves(answer)].map((n) => Math.min(n, MAX_LEAVES));
  const isWhole = takesBody && asked! > 0;
  return 1 + (isWhole ? 3 * MAX_LEAVES : 0) + 2 * asked! + told!;
}

const leaves = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((count: number, each) => count + leaves(each), 0)
    : Number(value !== null && value !== undefined && value !== '');

/** Short lists, and no secret: those of tests open nothing, but look as if they did. */
function shown(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((each) => shown(each, name));
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    return Object.fromEntries(entries.map(([key, each]) => [key, shown(each, key)]));
  }
  if (typeof value !== 'string') return value;
  if (/password/i.test(name)) return 'correct horse battery staple';
  return value
    .replaceAll(/svc_(test_)?[0-9a-f]{64}/g, `svc_$1${'0'.repeat(64)}`)
    .replaceAll(/whsec_[\w+/=-]+/g, `whsec_${'A'.repeat(32)}`)
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://api.example.com');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
