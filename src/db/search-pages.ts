/**
 * The first rows, in order, that match a search, and how many match. No index covers both a text and an
 * order: where many match, the first rows in order contain enough of them; where few match, the index of the
 * text finds them all.
 */

/** How many there are; `isCapped`: there may be more. */
export interface Total {
  total: number;
  isCapped?: boolean;
}

/** Matching rows have to be read to be counted. */
export const MAX_FOUND = 1_000;

export interface Walked<Place> {
  ids: number[];
  /** The position of the last row, where more follow than were requested. */
  end: Place | null;
}

export interface Walk<Place> {
  /** After a position. */
  after?: Place | undefined;
  /** How many rows to read in order. */
  rows: number;
  /** Stop after this many matches; with fewer, all matches are found. */
  most: number;
}

export interface Searched<Place> {
  walk(part: Walk<Place>): Promise<Walked<Place>>;
  /** By the text's index. */
  indexed(part: Sought): Promise<Found>;
}

export interface Sought {
  /** How many first matches are wanted. */
  wanted: number;
  /** Where more match, any this many of them stand for all. */
  most?: number | undefined;
}

export interface Found {
  /** The first matches in order. */
  ids: number[];
  /** How many match. */
  found: number;
}

/** How many rows are read in order before an index is used, and again where some of them match. */
export const NEAR_ROWS = 1_000;
const FAR_ROWS = 10_000;

/** This many matches nearby prove a frequent text: its index would return too many rows. */
export const MANY = 50;

/** The first `wanted` ids, and how many there are: exact below `MAX_FOUND`, unless the text is frequent. */
export async function searchPage<Place>(
  search: Searched<Place>,
  wanted: number,
): Promise<Total & { ids: number[] }> {
  const near = await search.walk({ rows: NEAR_ROWS, most: Math.max(MANY, wanted) });
  const { ids, end } = near;
  if (end === null) return { ids: ids.slice(0, wanted), total: ids.length };
  const isEnough = ids.length >= wanted;
  if (isEnough && ids.length >= MANY) {
    return { ids: ids.slice(0, wanted), total: ids.length, isCapped: true };
  }
  // Where hardly any near rows match, ten times as many rows would have too few as well.
  if (!isEnough && ids.length * 10 < wanted) return totalled(await search.indexed({ wanted }));
  const lacking = wanted - ids.length;
  const [some, far] = await Promise.all([
    search.indexed({ wanted, most: MAX_FOUND }),
    isEnough ? { ids: [], end } : search.walk({ after: end, rows: FAR_ROWS, most: lacking }),
  ]);
  if (some.found < MAX_FOUND) return totalled(some);
  const first = [...ids, ...far.ids].slice(0, wanted);
  const isFilled = first.length === wanted || far.end === null;
  return totalled(isFilled ? { ...some, ids: first } : await search.indexed({ wanted }));
}

const totalled = ({ ids, found }: Found): Total & { ids: number[] } =>
  found < MAX_FOUND ? { ids, total: found } : { ids, total: MAX_FOUND, isCapped: true };
