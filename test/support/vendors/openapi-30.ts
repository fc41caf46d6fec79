/** OpenAPI 3.0 schemas are nearly JSON Schema: the differences are rewritten in place. */
import type { OpenApi } from './provider-spec.ts';

type Node = Record<string, unknown>;

/** `nullable` becomes a type or an alternative; boolean exclusive bounds become numbers. */
export function toJsonSchema(document: OpenApi): void {
  visit(document);
}

function visit(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(visit);
  if (node === null || typeof node !== 'object') return;
  const schema = node as Node;
  Object.values(schema).forEach(visit);
  boundsOf(schema);
  if (schema['nullable'] === true) allowNull(schema);
  if (typeof schema['nullable'] === 'boolean') delete schema['nullable'];
}

function allowNull(schema: Node): void {
  const { type, enum: values } = schema;
  if (typeof type === 'string') {
    schema['type'] = [type, 'null'];
    if (Array.isArray(values)) schema['enum'] = [...(values as unknown[]), null];
    return;
  }
  // A reference or a choice: the whole of it, or null.
  const { nullable: _, description, ...rest } = schema;
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, { description, anyOf: [rest, { type: 'null' }] });
}

function boundsOf(schema: Node): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] === true) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
}
