/** Requests generated from an OpenAPI document: some valid, many nearly valid, some not at all. */
import fc from 'fast-check';

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: Schema }[];
  /** Undefined where the operation has no body. */
  body: Schema;
  /** Where the document describes the answer of each status. */
  responses: Record<string, string>;
  /** Of the successful answer; refusals are always JSON. */
  contentType: string;
}

export interface FuzzedRequest {
  operation: Operation;
  path: string;
  body: string | undefined;
  idempotencyKey: string | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON Schema as it comes
type Schema = any;

/** Every operation of the document. */
export function operationsOf(document: Schema): Operation[] {
  return Object.entries<Schema>(document.paths).flatMap(([path, item]) =>
    Object.entries<Schema>(item).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((each: Schema) => resolved(document, each)),
      body: operation.requestBody?.content['application/json'].schema,
      responses: Object.fromEntries(
        Object.entries<Schema>(operation.responses).map(([status, response]) => [
          status,
          response.$ref ?? pointerTo('paths', path, method, 'responses', status),
        ]),
      ),
      contentType: Object.keys(
        (operation.responses[200] ?? operation.responses[201])?.content ?? {},
      )[0]!,
    })),
  );
}

const resolved = (document: Schema, { $ref, ...part }: Schema): Schema =>
  $ref === undefined
    ? part
    : $ref
        .slice('#/'.length)
        .split('/')
        .reduce((at: Schema, key: string) => at[key], document);

/** RFC 6901, as a fragment of a URI. */
export const pointerTo = (...keys: string[]): string =>
  `#/${keys.map((key) => encodeURI(key.replaceAll('/', '~1'))).join('/')}`;

/** One request to one of the operations. */
export const requests = (operations: Operation[]): fc.Arbitrary<FuzzedRequest> =>
  fc.constantFrom(...operations).chain(requestOf);

/** One request to each of the operations, in any order. */
export function requestOfEach(operations: Operation[], seed: number): FuzzedRequest[] {
  const whole = { minLength: operations.length, maxLength: operations.length };
  const [inAnyOrder] = fc.sample(fc.shuffledSubarray(operations, whole), { numRuns: 1, seed });
  return inAnyOrder!.flatMap((operation, at) =>
    fc.sample(requestOf(operation), { numRuns: 1, seed: seed + at }),
  );
}

const requestOf = (operation: Operation): fc.Arbitrary<FuzzedRequest> =>
  fc.record({
    operation: fc.constant(operation),
    path: pathOf(operation),
    body: operation.method === 'GET' ? fc.constant(undefined) : bodyText(operation.body),
    idempotencyKey: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined, freq: 4 }),
  });

/** Values that have broken other APIs. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    '',
    ' ',
    '0',
    '\u0000',
    '\ud800',
    "'; drop table users; --",
    '../../etc/passwd',
    '{{constructor}}',
    '%00',
    '٣',
    'xn--',
    'x'.repeat(300),
    'x'.repeat(20_000),
    '2026-02-30T00:00:00Z',
    '1e309',
    [],
    {},
    [[]],
    { $ne: null },
    { toString: 1 },
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value that the schema admits, roughly; one in eight is anything. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema), weight: 7 }, { arbitrary: odd, weight: 1 });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema?.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  const options = schema?.anyOf ?? schema?.oneOf;
  if (options) return fc.oneof(...(options as Schema[]).map(valueOf));
  const type = Array.isArray(schema?.type) ? schema.type[0] : schema?.type;
  if (type === 'object') return objectOf(schema);
  if (type === 'array') return fc.array(valueOf(schema.items), { maxLength: 3 });
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (schema?.format === 'date-time') return fc.constant('2030-01-01T00:00:00Z');
  if (type === 'string') return words;
  return odd;
}

const words = fc.oneof(
  fc.constantFrom('acme.com', 'a@acme.com', 'Ünïcode', '10.0.0.1', 'mail', '@', 'UTC', 'cs_test_1'),
  fc.string({ minLength: 1, maxLength: 30 }),
);

const numberOf = (schema: Schema) => {
  const min = Math.max(schema.minimum ?? -1_000, -(2 ** 53));
  const max = Math.min(schema.maximum ?? 1_000_000, 2 ** 53);
  const ends = fc.constantFrom(min, max);
  const first = Math.ceil(min);
  const last = Math.floor(max);
  // Between 0.5 and 0.95 there is no whole number.
  if (first > last) return ends;
  return fc.oneof(fc.integer({ min: first, max: Math.max(first, Math.min(last, 20)) }), ends);
};

const objectOf = (schema: Schema) => {
  const fields = Object.entries<Schema>(schema.properties ?? {});
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)])), {
    requiredKeys: (schema.required ?? []) as string[],
  });
};

function bodyText(schema: Schema): fc.Arbitrary<string | undefined> {
  const json = (schema ? valueOf(schema) : odd).map((value) => JSON.stringify(value));
  const broken = json.chain((text) => fc.nat(text.length).map((end) => text.slice(0, end)));
  return fc.oneof({ arbitrary: json, weight: 12 }, { arbitrary: broken, weight: 1 });
}

function pathOf(operation: Operation): fc.Arbitrary<string> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const segment = fc
    .oneof(
      { arbitrary: fc.constantFrom('1', '2', '7', '999'), weight: 3 },
      { arbitrary: odd, weight: 1 },
    )
    .map((value) => encode(value) || '0');
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, valueOf(schema)])),
    { requiredKeys: [] },
  );
  return fc.tuple(fc.array(segment, size(inPath.length)), query).map(([segments, values]) => {
    let at = 0;
    const path = operation.path.replaceAll(/\{\w+\}/g, () => segments[at++] ?? '0');
    const pairs = Object.entries(values).map(([name, value]) => `${name}=${encode(value)}`);
    return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
  });
}

const size = (length: number) => ({ minLength: length, maxLength: length });

/** A URL has to stay below the limit of HTTP servers; lone surrogates cannot be encoded at all. */
const encode = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.slice(0, 2_000).replaceAll(/\p{Surrogate}/gu, '?'));
};
