/** What of the TypeScript client follows from the document: its types, and the table of its operations. */
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import {
  operationsOf,
  resolve,
  successOf,
  type ContractDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './schema.ts';
import { commentOf, member, typeOf } from './typescript-types.ts';

const SOURCES = new URL('../../../clients/typescript/src/', import.meta.url);
const HEAD = 'Generated from the document of the API: `npm run openapi -- --client`.';

/** For others than clients of the API: people with a link, the payment processor, readers of this document. */
const NOT_FOR_CLIENTS = [
  'recipientLinks.',
  'documentation.',
  'wallet.receiveEvent',
  'mailboxes.takeConsent',
];

/** The operations that the client has. */
export const callsOf = (document: ContractDocument): Call[] =>
  operationsOf(document)
    .filter(
      ({ operation: { operationId: id } }) => !NOT_FOR_CLIENTS.some((no) => id.startsWith(no)),
    )
    .map(({ path, method, operation }) => callOf(document, { path, method, operation }));

/** The generated files, by their URL. */
export async function clientFiles(document: ContractDocument): Promise<Map<URL, string>> {
  const calls = callsOf(document);
  return new Map([
    [new URL('api.ts', SOURCES), await formatted(typesFile(document, calls))],
    [new URL('operations.ts', SOURCES), await formatted(tableFile(calls))],
  ]);
}

async function formatted(text: string): Promise<string> {
  const config = await resolveConfig(fileURLToPath(new URL('api.ts', SOURCES)));
  return format(text, { ...config, parser: 'typescript' });
}

/** How an answer is read; the runtime has the same words in `answers.ts`. */
type AnswerKind = 'data' | 'whole' | 'text' | 'bytes' | 'page' | 'items' | 'cursor' | 'after';

export interface Call {
  operation: Operation;
  method: string;
  path: string;
  parameters: Parameter[];
  kind: AnswerKind;
  /** Of what comes back: of the data, or of one row of a list. */
  type: string;
}

function callOf(
  document: ContractDocument,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): Call {
  const parameters = (operation.parameters ?? [])
    .map((each) => resolve(document, each))
    .filter((each) => each.in !== 'header');
  return { operation, method, path, parameters, ...answerOf(operation, parameters) };
}

function answerOf(operation: Operation, parameters: Parameter[]): Pick<Call, 'kind' | 'type'> {
  const [, { content = {} }] = successOf(operation);
  const [mediaType, { schema = {} }] = Object.entries(content)[0]!;
  if (mediaType !== 'application/json') {
    return mediaType.startsWith('text/')
      ? { kind: 'text', type: 'string' }
      : { kind: 'bytes', type: 'Uint8Array' };
  }
  const { data, meta } = schema.properties ?? {};
  if (!data) return { kind: 'whole', type: typeOf(schema) };
  const { items, pagination } = data.properties ?? {};
  if (items && pagination) return { kind: 'items', type: typeOf(items.items!) };
  if (!meta?.properties?.['pagination']) return { kind: 'data', type: typeOf(data) };
  // An object with a list in it, of which `meta` tells the page.
  if (!data.items) return { kind: 'whole', type: typeOf(schema) };
  return { kind: pagingOf(meta, parameters), type: typeOf(data.items) };
}

function pagingOf({ properties }: Schema, parameters: Parameter[]): AnswerKind {
  if (parameters.some(({ name }) => name === 'after')) return 'after';
  return properties!['pagination']!.$ref!.endsWith('/CursorPagination') ? 'cursor' : 'page';
}

export const PAGED: readonly AnswerKind[] = ['page', 'items', 'cursor', 'after'];

function typesFile({ components, webhooks, tags }: ContractDocument, calls: Call[]): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    // New codes may come: clients have to expect them, and still get the known ones suggested.
    const open = name === 'ErrorCode' ? ' | (string & {})' : '';
    return `${commentOf(schema.description ?? name)}export type ${name} = ${typeOf(schema)}${open};`;
  });
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const body = post!.requestBody!.content!['application/json']!.schema!;
    return `${commentOf(post!.summary)}${JSON.stringify(name)}: ${typeOf(body)};`;
  });
  const words = new Map(tags.map(({ name, description }) => [name, description]));
  const resources = new Set(calls.map(resourceOf));
  const members = [...resources].map((resource) => {
    const own = calls.filter((call) => resourceOf(call) === resource);
    const about = words.get(own[0]!.operation.tags[0]!) ?? resource;
    return `${commentOf(about)}${resource}: { ${own.map(methodOf).join(' ')} };`;
  });
  return `/** ${HEAD} */
import type { List } from './pages.ts';
import type { CallOptions } from './settings.ts';
${schemas.join('\n')}
/** Events by their type, as they are posted. */
export interface Events { ${events.join(' ')} }
/** Any event that is posted to an endpoint. */
export type PostedEvent = Events[keyof Events];
/** Every operation, by resource and verb. */
export interface Api { ${members.join(' ')} }
`;
}

const resourceOf = ({ operation }: Call): string => operation.operationId.split('.')[0]!;

function methodOf({ operation, parameters, kind, type }: Call): string {
  const { operationId, summary, description, requestBody } = operation;
  const inputs = parameters.map((each) =>
    member({ name: each.name, isRequired: isRequired(each), asked: true }, each.schema),
  );
  if (requestBody) inputs.push(bodyOf(requestBody));
  const isNeeded = requestBody?.required === true || parameters.some(isRequired);
  const input =
    inputs.length === 0
      ? 'input?: Record<string, never>'
      : `input${isNeeded ? '' : '?'}: { ${inputs.join(' ')} }`;
  const answer = PAGED.includes(kind) ? `List<${type}>` : `Promise<${type}>`;
  const words = description === undefined ? summary : `${summary}\n\n${description}`;
  return `${commentOf(words)}${operationId.split('.')[1]!}(${input}, options?: CallOptions): ${answer};`;
}

export const isRequired = (each: Parameter): boolean =>
  each.in === 'path' || each.required === true;

/** A file may come instead of JSON where the operation takes files: its media type is `contentType`. */
function bodyOf({ content = {}, required }: NonNullable<Operation['requestBody']>): string {
  const { 'application/json': json, ...files } = content;
  const types = Object.keys(files);
  const schema = typeOf(json?.schema ?? {}, true);
  const body = `body${required ? '' : '?'}: ${schema}`;
  if (types.length === 0) return `${body}${required ? '' : ' | undefined'};`;
  const names = types.map((type) => JSON.stringify(type)).join(' | ');
  return `${body} | string | Uint8Array; contentType?: ${names} | undefined;`;
}

function tableFile(calls: Call[]): string {
  const rows = calls.map(({ operation: { operationId }, method, path, kind }) => {
    const facts = [method.toUpperCase(), path, ...(kind === 'data' ? [] : [kind])];
    return `${JSON.stringify(operationId)}: ${JSON.stringify(facts.join(' '))},`;
  });
  return `/** ${HEAD} */
/**
 * Method and path of every operation, and how its answer is read where it is more than \`data\`: one text each, for a
 * browser has to load them.
 */
export const operations: Record<string, string> = {
${rows.join('\n')}
};
`;
}
