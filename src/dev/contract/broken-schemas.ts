/** Two versions of a schema: what of the old one a client would miss. */
import { brokenValue, kindsOf, type Place } from './broken-values.ts';
import { resolve, type ContractDocument, type Schema } from './schema.ts';

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
  const isOne = (schema: Schema) => (schema.anyOf ?? schema.oneOf) === undefined;
  // The fields of one that becomes several, or of several that become one, are those of an alternative.
  if (isOne(was) !== isOne(is)) {
    return [...brokenValue(place, was, is), ...brokenVariants(walk, place, was, is)];
  }
  return [
    ...brokenValue(place, was, is),
    ...brokenProperties(walk, place, was, is),
    ...brokenFurther(walk, place, was, is),
    ...brokenItems(walk, place, was, is),
    ...brokenVariants(walk, place, was, is),
  ];
}

/** The parts of `allOf` in one, the types of alternatives as its own, `null` among them. */
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
  const { anyOf, oneOf, ...rest } = whole;
  const variants = anyOf ?? oneOf;
  if (!variants) return whole;
  const parts = variants.map((each) => flat(document, each));
  const kinds = parts.map(kindsOf);
  const type = kinds.every((each) => each !== undefined)
    ? { type: [...new Set(kinds.flat())] }
    : {};
  const others = parts.filter((each) => each.type !== 'null');
  return { ...(others.length === 1 ? { ...rest, ...others[0] } : whole), ...type };
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

/** Fields beyond those that are named: a map's values. Where a schema says nothing of them, any may come. */
function brokenFurther(walk: Walk, place: Place, was: Schema, is: Schema): string[] {
  const { at, direction } = place;
  const [old, now] = [was.additionalProperties ?? true, is.additionalProperties ?? true];
  if (typeof old === 'object' && typeof now === 'object') {
    return compare(walk, { ...place, at: `${at}.*` }, old, now);
  }
  if (direction === 'answer') {
    return typeof old === 'object' ? [`${at} says nothing of its further fields now`] : [];
  }
  const isWider = now === true || old === false;
  if (isWider) return [];
  return [`${at} takes ${now === false ? 'no' : 'only certain'} further fields now`];
}

function brokenItems(walk: Walk, place: Place, was: Schema, is: Schema): string[] {
  const { at, direction } = place;
  if (was.items && is.items) return compare(walk, { ...place, at: `${at}[]` }, was.items, is.items);
  if (direction === 'answer') return was.items ? [`${at} may hold anything now`] : [];
  return is.items && kindsOf(was)?.includes('array') ? [`${at} takes only certain items now`] : [];
}

/** Alternatives are compared in their order; a schema without any is one. */
function brokenVariants(walk: Walk, place: Place, was: Schema, is: Schema): string[] {
  const { at, direction } = place;
  const isOne = (was.anyOf ?? was.oneOf ?? is.anyOf ?? is.oneOf) === undefined;
  if (isOne) return [];
  const [olds, news] = [was.anyOf ?? was.oneOf ?? [was], is.anyOf ?? is.oneOf ?? [is]];
  const isFewer = direction === 'request' && news.length < olds.length;
  const isMore = direction === 'answer' && news.length > olds.length;
  return [
    ...(isFewer ? [`${at} takes fewer alternatives now`] : []),
    ...(isMore ? [`${at} may come in more forms now`] : []),
    ...olds.flatMap((old, nth) => {
      const now = news[nth];
      return now ? compare(walk, { ...place, at: `${at}<${nth + 1}>` }, old, now) : [];
    }),
  ];
}
