/** Schemas of the document as types of TypeScript. */
import type { Schema } from './schema.ts';

/** The type that values of the schema have; `asked`: within a request, where what may be left out may be undefined. */
export function typeOf(schema: Schema, asked = false): string {
  // What must not be there.
  if (schema.not) return 'undefined';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values) return unionOf(values.map((value) => JSON.stringify(value)));
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, asked)).join(' & ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return unionOf(variants.map((each) => typeOf(each, asked)));
  if (Array.isArray(schema.type)) {
    return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, asked)));
  }
  return simpleType(schema, asked);
}

function simpleType(schema: Schema, asked: boolean): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${schema.items ? typeOf(schema.items, asked) : 'unknown'})[]`;
    case 'object':
      return objectType(schema, asked);
    default:
      return 'unknown';
  }
}

function objectType(
  { properties, required, additionalProperties }: Schema,
  asked: boolean,
): string {
  const others =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, asked) : 'unknown';
  if (!properties) return `Record<string, ${others}>`;
  const members = Object.entries(properties).map(([name, each]) =>
    member({ name, isRequired: required?.includes(name) ?? false, asked }, each),
  );
  return `{ ${members.join(' ')} }`;
}

/** One member of an object, with its words above it. */
export function member(
  { name, isRequired, asked }: { name: string; isRequired: boolean; asked: boolean },
  schema: Schema & { description?: string },
): string {
  const key = /^[a-zA-Z_]\w*$/.test(name) ? name : JSON.stringify(name);
  const type = typeOf(schema, asked);
  const words = schema.description === undefined ? '' : commentOf(schema.description);
  if (isRequired) return `${words}${key}: ${type};`;
  const given = asked && type !== 'unknown' ? unionOf([type, 'undefined']) : type;
  return `${words}${key}?: ${given};`;
}

/** A comment of any number of lines. */
export const commentOf = (text: string): string =>
  text.includes('\n')
    ? `\n/**\n${text
        .split('\n')
        .map((line) => ` * ${line}`.trimEnd())
        .join('\n')
        .replaceAll('*/', '*')}\n */\n`
    : `\n/** ${text.replaceAll('*/', '*')} */\n`;

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');
