/** Values of custom fields as requests give them, and conditions on them. Choice 99. */
import type { Kysely } from 'kysely';
import { listCustomFields } from '../../db/leads/custom-fields.ts';
import type { CustomCondition } from '../../db/leads/custom-values.ts';
import type { Database } from '../../db/tables.ts';
import { validationError, type FieldProblem } from '../../domain/errors.ts';
import {
  customFits,
  customValuesOf,
  readCustomValue,
  TOO_MANY_BYTES,
  type CustomField,
  type CustomValue,
  type CustomValues,
  type GivenValue,
} from '../../domain/leads/custom-fields.ts';

/** What a request says of one lead; `at`: where, such as `people[0].custom`. */
export interface CustomRequest {
  at: string;
  values: Readonly<Record<string, unknown>>;
}

/** A change; null takes the value away. */
type ChangedValue = Omit<GivenValue, 'value'> & { value: CustomValue | null };

/** The values of new leads, in the order of the requests. Throws 400 naming each field that is wrong. */
export async function readNewValues(
  db: Kysely<Database>,
  userId: string,
  requests: readonly (CustomRequest | undefined)[],
): Promise<GivenValue[][]> {
  if (requests.every((request) => request === undefined)) return requests.map(() => []);
  const fields = await listCustomFields(db, userId);
  const problems: FieldProblem[] = [];
  const read = requests.map((request) => {
    if (!request) return [];
    const changes = readRequest(fields, request, problems);
    const values = changes.filter((change): change is GivenValue => change.value !== null);
    problems.push(...sizeProblems(request.at, values));
    return values;
  });
  if (problems.length > 0) throw validationError(problems.slice(0, MAX_PROBLEMS));
  return read;
}

const MAX_PROBLEMS = 50;

/**
 * The column of a lead with the changes of a request, null taking a value away, and without what is left of deleted
 * fields. Throws 400 naming each field that is wrong.
 */
export async function nextValues(
  db: Kysely<Database>,
  lead: { user_id: string; custom: CustomValues | null },
  values: CustomRequest['values'],
): Promise<string | null> {
  const fields = await listCustomFields(db, lead.user_id);
  const problems: FieldProblem[] = [];
  const given = readRequest(fields, { at: 'custom', values }, problems);
  const changes = new Map(given.map(({ id, value }) => [id, value]));
  const next = fields.flatMap(({ id, name }) => {
    const value = changes.has(id) ? changes.get(id)! : lead.custom?.[id];
    return value === undefined || value === null ? [] : [{ id, name, value }];
  });
  problems.push(...sizeProblems('custom', next));
  if (problems.length > 0) throw validationError(problems.slice(0, MAX_PROBLEMS));
  const kept = customValuesOf(next);
  return kept && JSON.stringify(kept);
}

function sizeProblems(at: string, values: readonly GivenValue[]): FieldProblem[] {
  const all = customValuesOf(values);
  if (all === null || customFits(all)) return [];
  return [{ field: at, message: `${at} ${TOO_MANY_BYTES}` }];
}

function readRequest(
  fields: readonly CustomField[],
  { at, values }: CustomRequest,
  problems: FieldProblem[],
): ChangedValue[] {
  return Object.entries(values).flatMap(([name, given]) => {
    const field = fields.find((each) => each.name === name);
    const read = field ? readCustomValue(field, given) : UNKNOWN;
    if (!('problem' in read)) return [{ id: field!.id, name, value: read.value }];
    const path = `${at}.${name}`.slice(0, 200);
    problems.push({ field: path, message: `${path}: ${read.problem}` });
    return [];
  });
}

const UNKNOWN = { problem: 'there is no such custom field' };

/** As a query or a body gives them: `{industry: 'Bakery', 'employees.min': 10}`. */
export type CustomQuery = Readonly<Record<string, unknown>>;

/** One condition for each field. Throws 400 naming each that is wrong. */
export async function readConditions(
  db: Kysely<Database>,
  userId: string,
  query: CustomQuery | undefined,
): Promise<CustomCondition[] | undefined> {
  if (query === undefined || Object.keys(query).length === 0) return undefined;
  const fields = await listCustomFields(db, userId);
  const problems: FieldProblem[] = [];
  const conditions = new Map<number, CustomCondition>();
  for (const [key, given] of Object.entries(query)) {
    const [name, bound] = splitKey(key);
    const field = fields.find((each) => each.name === name);
    const read = conditionOf(field, bound, given);
    if (field && 'value' in read) {
      const before = conditions.get(field.id) ?? { fieldId: field.id };
      conditions.set(field.id, { ...before, [bound]: read.value });
    } else if ('problem' in read) {
      const path = `custom.${key}`.slice(0, 200);
      problems.push({ field: path, message: `${path}: ${read.problem}` });
    }
  }
  if (problems.length > 0) throw validationError(problems.slice(0, MAX_PROBLEMS));
  return [...conditions.values()];
}

type Bound = 'equals' | 'min' | 'max';

function splitKey(key: string): [name: string, bound: Bound] {
  const [, name, bound] = /^(.*)\.(min|max)$/.exec(key) ?? [];
  return name === undefined ? [key, 'equals'] : [name, bound as Bound];
}

function conditionOf(
  field: CustomField | undefined,
  bound: Bound,
  given: unknown,
): { value: CustomValue } | { problem: string } {
  if (!field) return UNKNOWN;
  if (bound !== 'equals' && field.type !== 'number' && field.type !== 'date') {
    return { problem: `is of a number or a date, and ${field.name} is a ${field.type}` };
  }
  // A choice that was taken away is still a value of leads.
  const read = readCustomValue({ ...field, choices: null }, typed(field, given));
  if ('problem' in read) return read;
  return read.value === null ? { problem: 'must not be empty' } : { value: read.value };
}

/** A query is all text. */
function typed({ type }: CustomField, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (type === 'number') return /^[+-]?\d{1,20}(\.\d{1,20})?$/.test(given) ? Number(given) : given;
  if (type === 'boolean') return given === 'true' ? true : given === 'false' ? false : given;
  return given;
}
