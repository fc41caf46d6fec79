/**
 * Examples for the API's document, chosen from exchanges that were recorded in runs of the tests:
 * `RECORD_EXAMPLES=<folder> npx vitest run test/routes test/http`, then `npm run openapi -- --examples <folder>`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FurtherRequest, OperationExample } from '../../http/openapi-examples.ts';
import { requestFields, showsField } from './request-fields.ts';
import { operationsOf, resolve, successOf, type ContractDocument } from './schema.ts';

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
/** What nobody would read is no example at all. */
const UNREADABLE_CHARS = 10_000;
const MAX_LEAVES = 60;
/** Requests of one operation that are shown beside the first. */
const MAX_FURTHER = 4;

interface Candidate {
  score: number;
  example: OperationExample;
}

/** The best exchange of each operation: the one that shows the most, and is short. Others show the fields that it does not. */
export async function chooseExamples(
  document: ContractDocument,
  folder: string,
): Promise<Record<string, OperationExample>> {
  const operations = knownOperations(document);
  const found = new Map<KnownOperation, Candidate[]>();
  for (const exchange of await readExchanges(folder)) {
    const operation = operations.find((each) => each.fits(exchange));
    if (!operation?.knows(exchange.body)) continue;
    const example = exampleOf(exchange, operation);
    if (JSON.stringify(example).length > UNREADABLE_CHARS) continue;
    const candidate = { score: scoreOf(example, operation), example };
    found.set(operation, [...(found.get(operation) ?? []), candidate]);
  }
  const chosen = [...found].map(([operation, candidates]) => {
    const [best] = candidates.toSorted((a, b) => b.score - a.score);
    const more = furtherRequests(operation, best!, candidates);
    return [operation.id, { ...best!.example, ...(more.length > 0 && { more }) }] as const;
  });
  return Object.fromEntries(chosen.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}

type KnownOperation = ReturnType<typeof knownOperations>[number];

/** Fixed paths before those with parameters. */
function knownOperations(document: ContractDocument) {
  const operations = operationsOf(document).map(({ path, method, operation }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    const { properties } = schema ? resolve(document, schema) : {};
    const [, { content = {} }] = successOf(operation);
    return {
      id: operation.operationId,
      parameters: path.split('{').length,
      takesBody: schema !== undefined,
      /** Of its request. */
      fields: schema ? requestFields(document, schema) : [],
      answersFile: 'text/csv' in content,
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

function exampleOf({ body, answer }: Exchange, { answersFile }: KnownOperation): OperationExample {
  const isShown = isObject(answer) || (answersFile && typeof answer === 'string');
  return {
    ...(isObject(body) && { request: shown(body) }),
    ...(isShown && { answer: isObject(answer) ? shown(answer) : shownFile(answer as string) }),
  };
}

/**
 * More fields are better, up to what anybody reads; best is a body where one is taken: files are sent without it. Nothing
 * is cut, because what is left of a list may be untrue, as rights of a key are: what is long comes last, the shortest first.
 */
function scoreOf(example: OperationExample, { takesBody, fields }: KnownOperation): number {
  const { request, answer } = example;
  const chars = JSON.stringify(example).length;
  const has = fields.filter((field) => showsField(request, field));
  // What names another thing asks for that first: such fields are better in further requests.
  const asked = has.length - 3 * has.filter((field) => /Ids?$/.test(field)).length;
  const told = typeof answer === 'string' ? cells(answer) : Math.min(leaves(answer), MAX_LEAVES);
  const hasBody = request !== undefined || !takesBody;
  const shows = chars > MAX_CHARS ? -100 : 5 * asked + told;
  // Of those that show as much, the shortest.
  return (hasBody ? 1_000 : 0) + shows - chars / 1_000_000;
}

/** That are not empty. What has to be quoted is hard to read. */
function cells(file: string): number {
  const filled = file.split(/[\n,]/).filter((cell) => cell.trim() !== '').length;
  return Math.min(filled, MAX_LEAVES) / (file.includes('"') ? 2 : 1);
}

/** That are not empty; more than two of a list show nothing more, and of values one. */
function leaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return Number(value !== null && value !== undefined && value !== '');
  }
  const inside = Array.isArray(value) ? value.slice(0, isObject(value[0]) ? 2 : 1) : value;
  return Object.values(inside).reduce((count: number, each) => count + leaves(each), 0);
}

/** The fewest that show all fields which any request shows. */
function furtherRequests(
  { fields }: KnownOperation,
  best: Candidate,
  candidates: readonly Candidate[],
): FurtherRequest[] {
  const requests = candidates
    .map(({ example: { request } }) => ({ request, chars: JSON.stringify(request ?? {}).length }))
    .filter(({ chars }) => chars <= MAX_CHARS)
    .toSorted((a, b) => a.chars - b.chars);
  const further: FurtherRequest[] = [];
  let missing = fields.filter((field) => !showsField(best.example.request, field));
  while (further.length < MAX_FURTHER) {
    const showing = requests.map(({ request }) => ({
      request,
      shows: missing.filter((field) => showsField(request, field)),
    }));
    // Of those that show as many, the shortest: the sort keeps their order.
    const [next] = showing.toSorted((a, b) => b.shows.length - a.shows.length);
    if (!next || next.shows.length === 0) break;
    further.push(next);
    missing = missing.filter((field) => !next.shows.includes(field));
  }
  return further;
}

/** No secret: those of tests open nothing, but look as if they did. */
function shown(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shown(each, name));
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

/** The same of a column; of a file with quotes, whose cells are not told apart here, nothing has to be hidden. */
function shownFile(file: string): string {
  const [head = '', ...rows] = file.split('\r\n');
  const names = head.split(',');
  if (file.includes('"')) return file;
  const lines = rows.map((row) =>
    row === ''
      ? row
      : row
          .split(',')
          .map((cell, at) => shown(cell, names[at]))
          .join(','),
  );
  return [head, ...lines].join('\r\n');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
