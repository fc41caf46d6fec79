/** The parts of the document that the tools of the contract read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  format?: string;
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  description?: string;
  maxLength?: number;
  minLength?: number;
  maximum?: number;
  minimum?: number;
  maxItems?: number;
  minItems?: number;
  exclusiveMaximum?: number;
  exclusiveMinimum?: number;
  maxProperties?: number;
  minProperties?: number;
  multipleOf?: number;
  uniqueItems?: boolean;
  pattern?: string;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Body {
  required?: boolean;
  content?: Record<string, Content>;
}

export interface Content {
  schema?: Schema;
  example?: unknown;
  /** In place of the one. */
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Answer extends Body {
  $ref?: string;
  description: string;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answer>;
}

export interface ContractDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    parameters: Record<string, Parameter>;
  };
}

/** Follows a `$ref` within the document. */
export function resolve<T extends { $ref?: string }>(document: ContractDocument, part: T): T {
  if (part.$ref === undefined) return part;
  const keys = part.$ref.slice('#/'.length).split('/');
  const found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  return resolve(document, found as T);
}

/** The example of a body, the first where there are several. */
export const firstExample = ({ example, examples = {} }: Content): unknown =>
  example ?? Object.values(examples)[0]?.value;

/** The success of an operation, which has one. */
export function successOf({ responses }: Operation): [status: string, answer: Answer] {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))!;
}

/** Every operation with its method and path. */
export const operationsOf = (document: Pick<ContractDocument, 'paths'>) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
