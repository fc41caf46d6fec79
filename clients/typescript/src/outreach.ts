/** The client: every operation of the API as a method, `outreach.clusters.create({ body })`. */
import { readAnswer, type AnswerKind } from './answers.ts';
import type { Api } from './api.ts';
import { operations } from './operations.ts';
import { listOf, type ListKind, type Page } from './pages.ts';
import { request, type Prepared } from './request.ts';
import type { CallOptions, Settings } from './settings.ts';

export type Outreach = Api;

/** `fetch` and the keys of requests are the platform's own; nothing is asked before a method is called. */
export function createOutreach(settings: Settings): Outreach {
  const api: Record<string, Record<string, unknown>> = {};
  for (const operationId of Object.keys(operations)) {
    const [resource = '', verb = ''] = operationId.split('.');
    (api[resource] ??= {})[verb] = methodOf(settings, operationId);
  }
  return api as unknown as Outreach;
}

type Input = Record<string, unknown>;

const LISTS: readonly string[] = ['page', 'items', 'cursor', 'after'] satisfies ListKind[];

const factsOf = (operationId: string) =>
  operations[operationId]!.split(' ') as [method: string, path: string, kind?: AnswerKind];

function methodOf(settings: Settings, operationId: string) {
  const [, , kind = 'data'] = factsOf(operationId);
  return (input: Input = {}, options: CallOptions = {}): unknown => {
    const ask = (asked: Input) => {
      const prepared = prepare(settings, operationId, asked, options);
      return request(settings, prepared, (answer) => readAnswer(kind, answer), options);
    };
    if (!LISTS.includes(kind)) return ask(input);
    return listOf(kind as ListKind, input, ask as (query: Input) => Promise<Page<unknown>>);
  };
}

function prepare(
  { baseUrl, apiKey }: Settings,
  operationId: string,
  { body, contentType, ...parameters }: Input,
  { idempotencyKey }: CallOptions,
): Prepared {
  const [method, path] = factsOf(operationId);
  const query = new URLSearchParams();
  const named = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    named.add(name);
    return encodeURIComponent(textOf(parameters[name]));
  });
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || named.has(name)) continue;
    // `{custom: {industry: 'Bakery'}}` is `custom.industry=Bakery`.
    const members = isObject(value) ? Object.entries(value) : undefined;
    if (!members) query.set(name, textOf(value));
    for (const [key, member] of members ?? []) query.set(`${name}.${key}`, textOf(member));
  }
  const isFile = typeof body === 'string' || body instanceof Uint8Array;
  const type = (contentType as string | undefined) ?? (isFile ? 'text/csv' : 'application/json');
  const isPost = method === 'POST';
  return {
    method,
    url: `${baseUrl.replace(/\/+$/, '')}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: '*/*',
      ...(body !== undefined && { 'content-type': type }),
      ...(isPost && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    },
    // Bytes are sent as they are, too.
    ...(body !== undefined && { body: isFile ? (body as string) : JSON.stringify(body) }),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
