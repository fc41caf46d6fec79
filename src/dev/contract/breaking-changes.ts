/** What of the released document a client could rely on and would miss in the new one. */
import { brokenSchemas } from './broken-schemas.ts';
import type { Direction } from './broken-values.ts';
import {
  operationsOf,
  resolve,
  successOf,
  type Body,
  type ContractDocument,
  type Operation,
  type Parameter,
} from './schema.ts';

/** One sentence for each breaking change. Additions break nothing. */
export function breakingChanges(before: ContractDocument, after: ContractDocument): string[] {
  const pair = { before, after };
  return [
    ...operationsOf(before).flatMap(({ path, method, operation }) => {
      const now = after.paths[path]?.[method];
      if (!now) return [`${operation.operationId} is gone (${method} ${path})`];
      return brokenOperation(pair, operation, now);
    }),
    ...Object.entries(before.webhooks).flatMap(([name, { post }]) => {
      const now = after.webhooks[name]?.['post'];
      if (!now) return [`the event ${name} is gone`];
      return brokenBody(pair, 'answer', { at: name, was: post!.requestBody!, is: now.requestBody });
    }),
  ];
}

interface Pair {
  before: ContractDocument;
  after: ContractDocument;
}

function brokenOperation(pair: Pair, was: Operation, is: Operation): string[] {
  const at = was.operationId;
  if (is.operationId !== at) return [`${at} is called ${is.operationId} now`];
  const [status, answer] = successOf(was);
  return [
    ...brokenParameters(pair, was, is),
    ...brokenRequest(pair, was, is),
    ...(is.responses[status]
      ? brokenBody(pair, 'answer', { at, was: answer, is: is.responses[status] })
      : [`${at} does not answer ${status} any more`]),
    ...brokenRefusals(pair, was, is),
    ...brokenScopes(was, is),
  ];
}

/** Programs branch by the code of a refusal. */
function brokenRefusals({ before, after }: Pair, was: Operation, is: Operation): string[] {
  const now = new Set(refusalsOf(after, is));
  return refusalsOf(before, was)
    .filter((refusal) => !now.has(refusal))
    .map((refusal) => `${was.operationId} answers ${refusal} no more`);
}

/** `404 CAMPAIGN_NOT_FOUND`; the status alone where it names no code. */
const refusalsOf = (document: ContractDocument, { responses }: Operation): string[] =>
  Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([status, answer]) => {
      const schema = resolve(document, answer).content?.['application/json']?.schema;
      const codes = schema?.allOf?.flatMap(({ properties }) => properties?.['code']?.enum ?? []);
      return codes?.length ? codes.map((code) => `${status} ${String(code)}`) : [status];
    });

function brokenParameters(pair: Pair, was: Operation, is: Operation): string[] {
  const at = was.operationId;
  const olds = byName(pair.before, was);
  const news = byName(pair.after, is);
  const gone = [...olds.keys()].filter((name) => !news.has(name));
  const demanded = [...news].filter(([name, now]) => now.required && !olds.get(name)?.required);
  return [
    ...gone.map((name) => `${at} takes no parameter ${name} any more`),
    ...demanded.map(([name]) => `${at} requires the parameter ${name}`),
    ...[...olds].flatMap(([name, old]) => {
      const now = news.get(name);
      const place = { at: `${at}: parameter ${name}`, direction: 'request' as const };
      return now ? brokenSchemas(pair, place, old.schema, now.schema) : [];
    }),
  ];
}

const byName = (document: ContractDocument, { parameters = [] }: Operation) =>
  new Map(
    parameters
      .map((each): Parameter => resolve(document, each))
      .map((each) => [`${each.in} ${each.name}`, each]),
  );

function brokenRequest(pair: Pair, was: Operation, is: Operation): string[] {
  const at = was.operationId;
  if (!was.requestBody) return is.requestBody?.required ? [`${at} requires a body`] : [];
  const demanded = is.requestBody?.required === true && was.requestBody.required !== true;
  return [
    ...(demanded ? [`${at} requires a body`] : []),
    ...brokenBody(pair, 'request', { at, was: was.requestBody, is: is.requestBody }),
  ];
}

function brokenBody(
  pair: Pair,
  direction: Direction,
  { at, was, is }: { at: string; was: Body; is: Body | undefined },
): string[] {
  return Object.entries(was.content ?? {}).flatMap(([type, { schema }]) => {
    const now = is?.content?.[type];
    if (!now) return [`${at}: no ${direction} of the type ${type} any more`];
    const place = { at: `${at}: ${direction}`, direction };
    return schema && now.schema ? brokenSchemas(pair, place, schema, now.schema) : [];
  });
}

/** A key that was enough is to stay enough. */
function brokenScopes(was: Operation, is: Operation): string[] {
  const scopesOf = ({ security }: Operation) => security.flatMap(({ apiKey = [] }) => apiKey);
  const wanted = scopesOf(is).filter((scope) => !scopesOf(was).includes(scope));
  const tokenAt = was.security.length === 0 && is.security.length > 0;
  return [
    ...wanted.map((scope) => `${was.operationId} requires the scope ${scope}`),
    ...(tokenAt ? [`${was.operationId} requires a token`] : []),
  ];
}
