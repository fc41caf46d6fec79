/** Every field of a query or a body, and what a path names within something else, that takes the id of a row: as the API's document has them. */
import type { Operation } from './request-fuzzer.ts';

export interface IdField {
  operation: Operation;
  where: 'path' | 'query' | 'body';
  /** Names from the outside in; `[]` is an item of a list. */
  keys: string[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON Schema as it comes
type Schema = any;

const MAX_ID = 999_999_999_999_999;

const isIdName = (name: string): boolean => /^ids?$|(Id|_id)s?$/.test(name);

/** As `bodyId` and its like are described, whatever the field is called. */
const isIdSchema = (schema: Schema): boolean =>
  (schema.minimum === 0 && schema.maximum === MAX_ID) || schema.pattern === '^\\d{1,15}$';

/** Those of all operations, each once. */
export function idFieldsOf(operations: readonly Operation[], document: object): IdField[] {
  return operations.flatMap((operation) => {
    // The first of a path is whose all of it is: ownership.test.ts.
    const [, ...within] = [...operation.path.matchAll(/\{(\w+)\}/g)];
    const inPath = within.map(([, name]) => ({ operation, where: 'path' as const, keys: [name!] }));
    const inQuery = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }) => leavesOf(schema, [name], document))
      .map((keys) => ({ operation, where: 'query' as const, keys }));
    const inBody = leavesOf(operation.body ?? {}, [], document).map((keys) => ({
      operation,
      where: 'body' as const,
      keys,
    }));
    return unique([...inPath, ...inQuery, ...inBody]);
  });
}

function leavesOf(given: Schema, keys: string[], document: Schema): string[][] {
  const schema = resolved(given, document);
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Schema[]);
  const below = [
    ...options.map((each) => [keys, each]),
    ...(schema.items ? [[[...keys, '[]'], schema.items]] : []),
    ...Object.entries<Schema>(schema.properties ?? {}).map(([name, each]) => [
      [...keys, name],
      each,
    ]),
  ] as [string[], Schema][];
  if (below.length > 0) return below.flatMap(([at, each]) => leavesOf(each, at, document));
  const isNull = schema.type === 'null';
  return !isNull && (isIdName(nameOf(keys)) || isIdSchema(schema)) ? [keys] : [];
}

/** The name of a field, or of the list that it is in. */
export const nameOf = (keys: readonly string[]): string =>
  keys.findLast((key) => key !== '[]') ?? '';

const resolved = (schema: Schema, document: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : resolved(
        (schema.$ref as string)
          .slice('#/'.length)
          .split('/')
          .reduce((at: Schema, key: string) => at[key], document),
        document,
      );

const unique = (fields: IdField[]): IdField[] => [
  ...new Map(fields.map((field) => [titleOf(field), field])).values(),
];

/** `campaigns.create body startsOn.campaignId`. */
export const titleOf = ({ operation, where, keys }: IdField): string =>
  `${operation.operationId} ${where} ${keys.join('.').replaceAll('.[]', '[]')}`;

/** The body with the id in its place, in what is there already. */
export function withId(body: Schema, [key, ...rest]: string[], id: unknown): Schema {
  if (key === undefined) return id;
  if (key === '[]') return [withId(undefined, rest, id)];
  return { ...body, [key]: withId(body?.[key], rest, id) };
}
