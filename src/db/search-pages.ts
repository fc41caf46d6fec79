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
  /** All that fit, by the index of the text, in order; where there are `most` or more, any of these. */
  indexed(most: number): Promise<number[]>;
  /** The first ones in order by what the planner holds for the shortest way. */
  planned(limit: number): Promise<number[]>;
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
  const isWorthwhile = !isEnough && ids.length * 10 >= wanted;
  const [all, far] = await Promise.all([
    search.indexed(MAX_FOUND),
    isWorthwhile
      ? search.walk({ after: end, rows: FAR_ROWS, most: wanted - ids.length })
      : { ids: [], end },
  ]);
  if (all.length < MAX_FOUND) return { ids: all.slice(0, wanted), total: all.length };
  const first = [...ids, ...far.ids].slice(0, wanted);
  const isFilled = first.length === wanted || far.end === null;
  return { ids: isFilled ? first : await search.planned(wanted), total: MAX_FOUND, isCapped: true };
}
