/** Two versions of a schema: what of the old one a client would miss. */
import { resolve, type ContractDocument, type Schema } from './schema.ts';

/** A request may take more than before, an answer may bring more than before; neither may do less. */
export type Direction = 'request' | 'answer';

interface Place {
  at: string;
  direction: Direction;
}

interface Pair {
  before: ContractDocument;
  after: ContractDocument;
}

/** One sentence for each breaking change within a schema, references followed. */
export function brokenSchemas(pair: Pair, place: Place, was: Schema, is: Schema): string[] {
  return compare({ pair, seen: new Set() }, place, was, is);
}

interface Walk {
  pair: Pair;
  /** Pairs of references that were compared already: schemas may contain themselves. */
  seen: Set<string>;
}

function compare(walk: Walk, place: Place, oldPart: Schema, newPart: Schema): string[] {
  if (oldPart.$ref !== undefined) {
    const key = `${place.direction} ${oldPart.$ref} ${newPart.$ref ?? place.at}`;
    if (walk.seen.has(key)) return [];
    walk.seen.add(key);
  }
  const was = flat(walk.pair.before, oldPart);
  const is = flat(walk.pair.after, newPart);
  return [
    ...brokenKinds(place, was, is),
    ...brokenValues(place, was, is),
    ...brokenLimits(place, was, is),
    ...brokenProperties(walk, place, was, is),
    ...(was.items && is.items
      ? compare(walk, { ...place, at: `${place.at}[]` }, was.items, is.items)
      : []),
    ...brokenVariants(walk, place, was, is),
  ];
}

/** The parts of `allOf` in one, and `null` as a type. */
function flat(document: ContractDocument, part: Schema): Schema {
  const schema = resolve(document, part);
  const whole = (schema.allOf ?? [])
    .map((each) => flat(document, each))
    .reduce<Schema>(
      (all, each) => ({
        ...all,
        ...each,
        properties: { ...all.properties, ...each.properties },
        required: [...(all.required ?? []), ...(each.required ?? [])],
      }),
      schema,
    );
  const variants = whole.anyOf ?? whole.oneOf;
  const others = variants?.filter(({ type }) => type !== 'null');
  if (!variants || others?.length !== 1) return whole;
  const [only] = others.map((each) => flat(document, each));
  return { ...only, type: [...kindsOf(only!), 'null'] };
}

const kindsOf = ({ type, anyOf, oneOf }: Schema): string[] =>
  type === undefined ? (anyOf ?? oneOf ?? []).flatMap((each) => kindsOf(each)) : [type].flat();

function brokenKinds({ at, direction }: Place, was: Schema, is: Schema): string[] {
  const [olds, news] = [kindsOf(was), kindsOf(is)];
  if (olds.length === 0 || news.length === 0) return [];
  const [given, taken] = direction === 'request' ? [olds, news] : [news, olds];
  const isTaken = (kind: string) =>
    taken.includes(kind) || (kind === 'integer' && taken.includes('number'));
  const lost = given.filter((kind) => !isTaken(kind));
  const word = direction === 'request' ? 'may not be' : 'may be';
  return lost.map((kind) => `${at} ${word} ${kind} now`);
}

function brokenValues({ at, direction }: Place, was: Schema, is: Schema): string[] {
  const [olds, news] = [valuesOf(was), valuesOf(is)];
  // Clients are told to expect new values in answers: those of the enumeration are what is known today.
  if (direction === 'answer') return [];
  if (!news) return [];
  if (!olds) return [`${at} takes only certain values now`];
  const lost = olds.filter((value) => !news.includes(value));
  return lost.map((value) => `${at} does not take ${JSON.stringify(value)} any more`);
}

const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

const UPPER = ['maxLength', 'maximum', 'maxItems'] as const;
const LOWER = ['minLength', 'minimum', 'minItems'] as const;

function brokenLimits({ at, direction }: Place, was: Schema, is: Schema): string[] {
  if (direction === 'answer') return [];
  const lowered = UPPER.filter((limit) => (is[limit] ?? Infinity) < (was[limit] ?? Infinity));
  const raised = LOWER.filter((limit) => (is[limit] ?? -Infinity) > (was[limit] ?? -Infinity));
  return [...lowered, ...raised].map((limit) => `${at} is bound by ${limit} ${is[limit]} now`);
}

function brokenProperties(walk: Walk, place: Place, was: Schema, is: Schema): string[] {
  const { at, direction } = place;
  const [olds, news] = [was.properties ?? {}, is.properties ?? {}];
  const demanded = (is.required ?? []).filter((name) => !was.required?.includes(name));
  const left = (was.required ?? []).filter((name) => !is.required?.includes(name) && news[name]);
  return [
    ...(direction === 'request'
      ? demanded.map((name) => `${at}.${name} is required now`)
      : left.map((name) => `${at}.${name} may be missing now`)),
    ...Object.entries(olds).flatMap(([name, old]) => {
      const now = news[name];
      if (!now) return [`${at}.${name} is gone`];
      return compare(walk, { ...place, at: `${at}.${name}` }, old, now);
    }),
  ];
}

/** Alternatives are compared in their order. */
function brokenVariants(walk: Walk, place: Place, was: Schema, is: Schema): string[] {
  const [olds, news] = [was.anyOf ?? was.oneOf, is.anyOf ?? is.oneOf];
  if (!olds || !news) return [];
  const isFewer = place.direction === 'request' && news.length < olds.length;
  return [
    ...(isFewer ? [`${place.at} takes fewer alternatives now`] : []),
    ...olds.flatMap((old, at) => {
      const now = news[at];
      return now ? compare(walk, { ...place, at: `${place.at}<${at + 1}>` }, old, now) : [];
    }),
  ];
}
