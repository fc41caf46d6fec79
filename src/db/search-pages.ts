/**
 * The first rows, in their order, of all that fit a search, and how many there are. No index has both a
 * text and an order: where many fit, the first rows in order have enough of them; where few do, the
 * index of the text has them all.
 */

/** How many there are; `isCapped`: there may be more. */
export interface Total {
  total: number;
  isCapped?: boolean;
}

/** Rows that fit a search have to be read to be counted. */
export const MAX_FOUND = 1_000;

export interface Walked<Place> {
  ids: number[];
  /** The place of the last row, where more follow than were asked for. */
  end: Place | null;
}

export interface Walk<Place> {
  /** Behind a place. */
  after?: Place | undefined;
  /** So many are looked at in order. */
  rows: number;
  /** Until so many of them fit; all of them, where no more rows follow. */
  most: number;
}

export interface Searched<Place> {
  walk(part: Walk<Place>): Promise<Walked<Place>>;
  /** By the index of the text. */
  indexed(part: Sought): Promise<Found>;
}

export interface Sought {
  /** So many of the first ones. */
  wanted: number;
  /** Where more fit, so many of them, whichever, are taken for all. */
  most?: number | undefined;
}

export interface Found {
  /** The first of them in order. */
  ids: number[];
  /** How many there are. */
  found: number;
}

/** So many rows are looked at before an index is asked, and so many where some of these fit. */
const NEAR_ROWS = 1_000;
const FAR_ROWS = 10_000;

/** So many of the nearest are enough to know that a text is frequent: an index would give too many. */
const MANY = 50;

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
  // Where hardly any of the near ones fit, ten times as many rows would have too few as well.
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
