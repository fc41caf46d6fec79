/** The fields of a request's body, as its schema has them, and whether an example shows one. */
import { resolve, type ContractDocument, type Schema } from './schema.ts';

/** `times.weekdays`: names from the outside in; what is in a list has the name of the list before it. */
export function requestFields(document: ContractDocument, given: Schema): string[] {
  const schema = resolve(document, given);
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const same = [...options, ...(schema.items ? [schema.items] : [])];
  // A field that may not be there is in the schema to be refused.
  const named = Object.entries(schema.properties ?? {}).filter(([, each]) => !each.not);
  const found = [
    ...same.flatMap((each) => requestFields(document, each)),
    ...named.flatMap(([name, each]) => [
      name,
      ...requestFields(document, each).map((below) => `${name}.${below}`),
    ]),
  ];
  return [...new Set(found)];
}

export function showsField(value: unknown, field: string): boolean {
  if (Array.isArray(value)) return value.some((each) => showsField(each, field));
  if (typeof value !== 'object' || value === null) return false;
  const [name = '', ...below] = field.split('.');
  if (!Object.hasOwn(value, name)) return false;
  const inside = (value as Record<string, unknown>)[name];
  return below.length === 0 || showsField(inside, below.join('.'));
}
