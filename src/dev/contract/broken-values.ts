/** Two versions of what is said of one value, its fields and items aside: what of the old one a client would miss. */
import type { Schema } from './schema.ts';

/** A request may take more than before, an answer may bring more than before; neither may do less. */
export type Direction = 'request' | 'answer';

export interface Place {
  at: string;
  direction: Direction;
}

export const brokenValue = (place: Place, was: Schema, is: Schema): string[] => [
  ...brokenKinds(place, was, is),
  ...brokenEnum(place, was, is),
  ...brokenFormat(place, was, is),
  ...(place.direction === 'request' ? narrowed(place, was, is) : []),
];

/** Undefined where anything is possible. */
export const kindsOf = ({ type }: Schema): string[] | undefined =>
  type === undefined ? undefined : [type].flat();

function brokenKinds({ at, direction }: Place, was: Schema, is: Schema): string[] {
  const isRequest = direction === 'request';
  const [given, taken] = isRequest ? [was, is].map(kindsOf) : [is, was].map(kindsOf);
  if (!taken) return [];
  if (!given)
    return [
      isRequest ? `${at} may only be ${taken.join(' or ')} now` : `${at} may be anything now`,
    ];
  const isTaken = (kind: string) =>
    taken.includes(kind) || (kind === 'integer' && taken.includes('number'));
  const lost = given.filter((kind) => !isTaken(kind));
  return lost.map((kind) => `${at} ${isRequest ? 'may not be' : 'may be'} ${kind} now`);
}

/**
 * Clients are told to expect new values in answers. A known one that comes no more is another matter: somebody may
 * wait for it.
 */
function brokenEnum({ at, direction }: Place, was: Schema, is: Schema): string[] {
  const [olds, news] = [valuesOf(was), valuesOf(is)];
  if (!news) return [];
  if (!olds) return direction === 'request' ? [`${at} takes only certain values now`] : [];
  const word = direction === 'request' ? 'does not take' : 'does not bring';
  const lost = olds.filter((value) => !news.includes(value));
  return lost.map((value) => `${at} ${word} ${JSON.stringify(value)} any more`);
}

const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

/** A day is no moment: what parses the one fails at the other. */
function brokenFormat({ at, direction }: Place, was: Schema, is: Schema): string[] {
  const [given, taken] = direction === 'request' ? [was, is] : [is, was];
  if (taken.format === undefined || taken.format === given.format) return [];
  return [
    direction === 'request'
      ? `${at} has to be a ${is.format} now`
      : `${at} need not be a ${was.format} any more`,
  ];
}

const UPPER = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'] as const;
/** Whether one of them takes less than another one is not to be computed: each change is told. */
const RULES = ['pattern', 'multipleOf', 'uniqueItems', 'not'] as const;

/**
 * What a request may be no more, in limits and patterns. Answers promise neither: they give back what requests take,
 * and that may become wider.
 */
function narrowed({ at }: Place, was: Schema, is: Schema): string[] {
  const lowered = UPPER.filter((limit) => (is[limit] ?? Infinity) < (was[limit] ?? Infinity));
  const raised = LOWER.filter((limit) => (is[limit] ?? -Infinity) > (was[limit] ?? -Infinity));
  const ruled = RULES.filter((rule) => is[rule] && !isSame(was[rule], is[rule]));
  const isDefaultGone = was.default !== undefined && !isSame(was.default, is.default);
  return [
    ...[...lowered, ...raised].map((limit) => `${at} is bound by ${limit} ${is[limit]} now`),
    ...ruled.map((rule) => `${at} has another ${rule} now: ${JSON.stringify(is[rule])}`),
    ...(isDefaultGone
      ? [`${at} is ${JSON.stringify(is.default) ?? 'nothing'} where it is left out now`]
      : []),
  ];
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
