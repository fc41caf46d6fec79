/** Checks calls and answers against a vendor's published OpenAPI file, through ajv. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import { toJsonSchema } from './openapi-30.ts';

/** A place where the vendor is newer than its file (or wrong about itself), with the source. */
export interface Deviation {
  /** JSON pointer of an object schema in the file, or of what `adds` puts there. */
  at: string;
  /** Inserted where the file has nothing: an operation that a shortened copy leaves out. */
  adds?: object;
  /** Properties that it may have besides (or instead of) its own. */
  properties?: Record<string, object>;
  /** Keywords that replace the file's. */
  keywords?: Record<string, unknown>;
  reason: string;
}

/** Each function answers the problems as text; empty = valid. `path` may have a query. */
export interface ProviderSpec {
  validateRequest(method: string, path: string, body: unknown): string[];
  validateResponse(method: string, path: string, status: number, body: unknown): string[];
}

const SPECS_DIR =
  process.env['PROVIDER_SPECS_DIR'] ??
  fileURLToPath(new URL('../../../../shared/specs/', import.meta.url));

/** Why tests that need `file` are skipped, or undefined when it is there. */
export const specMissing = (file: string): string | undefined =>
  existsSync(`${SPECS_DIR}/${file}`)
    ? undefined
    : `no ${file} in PROVIDER_SPECS_DIR (default ../shared/specs): nothing to check against`;

/** Undefined when the file is missing: see `specMissing`. */
export function loadProviderSpec(
  file: string,
  deviations: Deviation[] = [],
): ProviderSpec | undefined {
  if (specMissing(file) !== undefined) return undefined;
  const document = JSON.parse(readFileSync(`${SPECS_DIR}/${file}`, 'utf8')) as OpenApi;
  const is31 = document.openapi.startsWith('3.1');
  if (!is31) toJsonSchema(document);
  for (const deviation of deviations) apply(document, deviation);
  const compile = createCompiler(document, is31);
  return {
    validateRequest: (method, path, body) =>
      checkRequest(document, compile, { method, path, body }),
    validateResponse: (method, path, status, body) =>
      checkResponse(document, compile, { method, path, status, body }),
  };
}

export interface OpenApi {
  openapi: string;
  servers?: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}
interface Operation {
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content } | Reference;
  responses: Record<string, { content?: Content } | Reference>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: object;
}
type Content = Record<string, { schema?: object }>;
interface Reference {
  $ref: string;
}
type Compile = (pointer: string, isText: boolean) => ValidateFunction;

function apply(document: OpenApi, deviation: Deviation): void {
  if (deviation.adds !== undefined) return add(document, deviation.at, deviation.adds);
  const { at, properties, keywords } = deviation;
  const schema = lookup(document, at) as { properties?: object } | undefined;
  if (schema === undefined) throw new Error(`a deviation names ${at}, which is not in the file`);
  if (properties !== undefined) schema.properties = { ...schema.properties, ...properties };
  Object.assign(schema, keywords);
}

/** Fails when the file itself has the thing by now. */
function add(document: OpenApi, at: string, value: object): void {
  const cut = at.lastIndexOf('/');
  const parent = lookup(document, at.slice(0, cut)) as Record<string, unknown> | undefined;
  const name = unescape(at.slice(cut + 1));
  if (parent === undefined || name in parent) throw new Error(`nothing can be added at ${at}`);
  parent[name] = structuredClone(value);
}

function createCompiler(document: OpenApi, is31: boolean): Compile {
  const make = (coerceTypes: boolean) => {
    const options: Options = { strict: false, allErrors: true, coerceTypes, logger: false };
    const ajv = is31 ? new Ajv2020(options) : new Ajv(options);
    addFormats.default(ajv);
    for (const name of ['int32', 'int64', 'float', 'double', 'unix-time', 'decimal', 'currency']) {
      ajv.addFormat(name, true);
    }
    // The file's own references begin at its root, which has no keyword of JSON Schema.
    ajv.addSchema({ ...document, $id: 'spec' });
    return ajv;
  };
  const strict = make(false);
  const coercing = make(true);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, isText) => {
    const key = `${isText}${pointer}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const $ref = `spec#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = (isText ? coercing : strict).compile({ $ref });
    compiled.set(key, validate);
    return validate;
  };
}

interface Call {
  method: string;
  path: string;
  body: unknown;
}

function checkRequest(document: OpenApi, compile: Compile, call: Call): string[] {
  const found = findOperation(document, call);
  if (found === undefined) return [`the file has no ${call.method} ${call.path}`];
  const where = `${call.method} ${found.template}`;
  const problems = checkQuery(document, compile, call, found);
  const body = resolve(document, found.operation.requestBody, `${found.pointer}/requestBody`);
  const isEmpty = call.body === undefined || call.body === null || call.body === '';
  if (body === undefined) {
    return isEmpty || isEmptyObject(call.body)
      ? problems
      : [...problems, `${where}: takes no body`];
  }
  if (isEmpty) return body.value.required ? [...problems, `${where}: needs a body`] : problems;
  const [type, media] = Object.entries(body.value.content)[0] ?? [];
  if (type === undefined || media?.schema === undefined) return problems;
  const pointer = `${body.pointer}/content/${escape(type)}/schema`;
  // A form has strings only; numbers and booleans are parsed from them.
  const isForm = type === 'application/x-www-form-urlencoded';
  return [...problems, ...run(compile(pointer, isForm), call.body, `request ${where}`)];
}

function checkQuery(document: OpenApi, compile: Compile, call: Call, found: Found): string[] {
  const query = new URL(call.path, 'http://vendor').searchParams;
  const parameters = (found.operation.parameters ?? []).flatMap((parameter, index) => {
    const pointer = `${found.pointer}/parameters/${index}`;
    const { value, pointer: at } = resolve(document, parameter, pointer)!;
    return value.in === 'query' ? [{ ...value, at }] : [];
  });
  const where = `query ${call.method} ${found.template}`;
  const unknown = [...query.keys()]
    .filter((name) => !parameters.some((p) => p.name === name.replace(/\[.*$/, '')))
    .map((name) => `${where}: there is no parameter ${name}`);
  const wrong = parameters.flatMap(({ name, required, schema, at }) => {
    const given = query.get(name);
    if (given === null) return required ? [`${where}: ${name} is missing`] : [];
    if (schema === undefined || (schema as { type?: string }).type === 'array') return [];
    return run(compile(`${at}/schema`, true), given, `${where} ${name}`);
  });
  return [...unknown, ...wrong];
}

function checkResponse(
  document: OpenApi,
  compile: Compile,
  call: Call & { status: number },
): string[] {
  const found = findOperation(document, call);
  if (found === undefined) return [`the file has no ${call.method} ${call.path}`];
  const where = `response ${call.status} ${call.method} ${found.template}`;
  const { responses } = found.operation;
  const name = [String(call.status), `${String(call.status)[0]}XX`, 'default'].find(
    (candidate) => candidate in responses,
  );
  if (name === undefined) return [`${where}: the file has no such status`];
  const answer = resolve(document, responses[name], `${found.pointer}/responses/${name}`)!;
  const [type, media] = Object.entries(answer.value.content ?? {})[0] ?? [];
  if (type === undefined || media?.schema === undefined) return [];
  return run(compile(`${answer.pointer}/content/${escape(type)}/schema`, false), call.body, where);
}

interface Found {
  template: string;
  pointer: string;
  operation: Operation;
}

/** The template with the most literal text wins, as `/domains/{d}:getPricing` over `/domains/{d}`. */
function findOperation(document: OpenApi, { method, path }: Omit<Call, 'body'>): Found | undefined {
  const [plain = ''] = path.split('?');
  // Some files put the version into the server's address, some into the path.
  const candidates = [plain, plain.replace(/^\/v\d+(?=\/)/, ''), ...belowServers(document, plain)];
  return Object.entries(document.paths)
    .filter(([template]) =>
      candidates.some((candidate) => templatePattern(template).test(candidate)),
    )
    .toSorted(([a], [b]) => literalLength(b) - literalLength(a))
    .flatMap(([template, item]) => {
      const operation = item[method.toLowerCase()];
      const pointer = `/paths/${escape(template)}/${method.toLowerCase()}`;
      return operation === undefined ? [] : [{ template, pointer, operation }];
    })[0];
}

/** The path below the base addresses that the file names: `/api/json/v3/ping` -> `/ping`. */
const belowServers = (document: OpenApi, path: string): string[] =>
  (document.servers ?? [])
    .map(({ url }) => (URL.canParse(url) ? new URL(url).pathname.replace(/\/$/, '') : ''))
    .filter((base) => base !== '' && path.startsWith(`${base}/`))
    .map((base) => path.slice(base.length));

const templatePattern = (template: string): RegExp =>
  new RegExp(
    `^${template.replace(/[.+*?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{[\w-]+\}/g, '[^/:]+')}/?$`,
  );

const literalLength = (template: string): number => template.replace(/\{[\w-]+\}/g, '').length;

function run(validate: ValidateFunction, value: unknown, where: string): string[] {
  // Validation may coerce, so it gets a copy of the caller's object.
  const copy: unknown = value === undefined ? undefined : structuredClone(value);
  if (validate(copy)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${where}: ${instancePath || '(body)'} ${message} ${JSON.stringify(params)}`,
  );
}

function resolve<T extends object>(
  document: OpenApi,
  value: T | Reference | undefined,
  pointer: string,
): { value: T; pointer: string } | undefined {
  if (value === undefined) return undefined;
  if (!('$ref' in value)) return { value, pointer };
  const target = value.$ref.slice(1);
  return resolve(document, lookup(document, target) as T | Reference | undefined, target);
}

const lookup = (document: OpenApi, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map(unescape)
    .reduce<unknown>(
      (node, part) => (node as Record<string, unknown> | undefined)?.[part],
      document,
    );

const unescape = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

const escape = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
