/** Validates input from outside by a schema and words the problems for people. */
import type { z } from 'zod';
import { invalid, validationError, type FieldProblem } from '../domain/errors.ts';

/** A body of a thousand wrong items gets the first problems only, not a megabyte of them. */
const MAX_PROBLEMS = 50;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Returns the parsed value, or throws 400 VALIDATION_ERROR naming each field. */
export function checkFields<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const problems = problemsOf(schema, value);
  if ('parsed' in problems) return problems.parsed;
  throw validationError(problems.found);
}

/**
 * A query. Names with a point or brackets are of an object, where the schema has one: `custom.industry=Bakery` and
 * `custom[industry]=Bakery` are `{custom: {industry: 'Bakery'}}`.
 */
export function checkQuery<S extends z.ZodObject>(
  schema: S,
  query: Readonly<Record<string, string>>,
): z.output<S> {
  const names = Object.keys(query).filter((name) => /[.[]/.test(name));
  return checkFields(schema, names.length === 0 ? query : withObjects(schema, query, names));
}

function withObjects(
  schema: z.ZodObject,
  query: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...query };
  const objects = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, of, key] = /^(\w+)(?:\.(.+)|\[(.+)\])$/s.exec(name)?.filter(Boolean) ?? [];
    const isObject =
      Object.hasOwn(schema.shape, of ?? '') && schema.shape[of!]!.safeParse({}).success;
    if (!isObject) continue;
    const members = objects.get(of!) ?? new Map<string, string>();
    if (members.has(key!)) {
      const field = `${of}.${key}`.slice(0, 200);
      throw validationError([{ field, message: `${field} must be given once` }]);
    }
    objects.set(of!, members.set(key!, query[name]!));
  }
  for (const [name, members] of objects) whole[name] = Object.fromEntries(members);
  return whole;
}

/** Throws 400 INVALID_INPUT: a path has no fields that could be named. */
export function checkPath<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const problems = problemsOf(schema, value);
  if ('parsed' in problems) return problems.parsed;
  const words = problems.found.map((problem) => problem.message).join('; ');
  throw invalid('INVALID_INPUT', `Invalid path: ${words}`, problems.found);
}

function problemsOf<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { parsed: z.output<S> } | { found: FieldProblem[] } {
  const result = schema.safeParse(value, { error: wording });
  if (result.success) return { parsed: result.data };
  return { found: result.error.issues.slice(0, MAX_PROBLEMS).map(problemOf) };
}

/** Texts are predicates, so that `name` + `is required` reads as a sentence. */
function problemOf(issue: z.core.$ZodIssue): FieldProblem {
  const field = fieldName(issue.path);
  const subject = field === '' ? 'body' : field;
  return { field, message: `${subject} ${issue.message}` };
}

/** `['people', 0, 'email']` -> `people[0].email`. */
const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('')
    .slice(0, 200);

function wording(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `must be a valid ${formatNames[issue.format] ?? issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ').slice(0, 200)}`;
    default:
      return 'is not valid';
  }
}

const formatNames: Record<string, string> = {
  email: 'e-mail address',
  url: 'URL',
  regex: 'value',
  datetime: 'ISO 8601 UTC time',
  date: 'date',
};

const article = (expected: string): string =>
  ({
    int: 'a whole number',
    object: 'an object',
    array: 'an array',
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
  })[expected] ?? `of type ${expected}`;

function bound(origin: string, side: 'at least' | 'at most', limit: number): string {
  if (origin === 'string') {
    return limit === 1 && side === 'at least'
      ? 'not be empty'
      : `be ${side} ${limit} characters long`;
  }
  if (origin === 'array' || origin === 'set') {
    return `have ${side} ${limit} ${limit === 1 ? 'item' : 'items'}`;
  }
  return `be ${side} ${limit}`;
}
