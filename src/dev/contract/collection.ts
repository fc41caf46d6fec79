/** The API as a collection of Postman (format 2.1), which Bruno, Insomnia and Hoppscotch read as well. */
import { pathVariables, variableOf } from './collection-variables.ts';
import {
  firstExample,
  operationsOf,
  resolve,
  type ContractDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './schema.ts';

export const COLLECTION = new URL('../../../docs/postman.json', import.meta.url);
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Its text: a folder for each tag, a request for each operation, with the body that was recorded of a real run. */
export function collectionText(document: ContractDocument): string {
  const all = operationsOf(document);
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: all
      .filter(({ operation }) => operation.tags[0] === name)
      .map((each) => requestOf(document, each)),
  }));
  const collection = {
    info: { name: document.info.title, description: document.info.description, schema: FORMAT },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      ...[...pathVariables(document)].map(([key, value]) => ({ key, value })),
    ],
    item: folders,
  };
  return `${JSON.stringify(collection, null, 1)}\n`;
}

interface Found {
  path: string;
  method: string;
  operation: Operation;
}

function requestOf(document: ContractDocument, { path, method, operation }: Found) {
  const parameters = (operation.parameters ?? []).map((each) => resolve(document, each));
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'));
  const body = operation.requestBody?.content?.['application/json'];
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? '',
      ...(operation.security.length === 0 && { auth: { type: 'noauth' } }),
      header: [
        // A new one for each time that it is sent.
        ...(parameters.some(({ name }) => name === 'Idempotency-Key')
          ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }]
          : []),
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        variable: named(parameters, 'path').map((each) => ({
          ...each,
          value: `{{${variableOf(path, each.key)}}}`,
        })),
        query: named(parameters, 'query').map((each) => ({ ...each, disabled: true })),
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(
            firstExample(body) ?? exampleOf(document, body.schema ?? {}),
            null,
            2,
          ),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  };
}

const named = (parameters: readonly Parameter[], place: string) =>
  parameters
    .filter((each) => each.in === place)
    .map(({ name, description = '', schema }) => ({
      key: name,
      value: textOf(schema.default ?? ''),
      description,
    }));

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A value of the schema, to be changed by hand. */
export function exampleOf(document: ContractDocument, part: Schema): unknown {
  const schema = resolve(document, part);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(document, first);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((each) => exampleOf(document, each)));
  }
  const [type] = [schema.type].flat();
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([, each]) => !each.not);
    return Object.fromEntries(fields.map(([name, each]) => [name, exampleOf(document, each)]));
  }
  if (type === 'array') return schema.items ? [exampleOf(document, schema.items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  return schema.format === 'date-time' ? '2030-01-01T00:00:00Z' : '';
}
