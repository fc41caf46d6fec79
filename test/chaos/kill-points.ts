/** Where a kill hits a shard that changes its owner. */

export const KILL_POINTS = ['before', 'after', 'inFlight'] as const;

/**
 * `before`: the next owner, while it takes the shard; `after`: the next owner, in the first steps with the shard;
 * `inFlight`: the former one, which has messages in flight.
 */
export type KillPoint = (typeof KILL_POINTS)[number];

export type Kills = Record<KillPoint, number>;

export const newKills = (): Kills => ({ before: 0, after: 0, inFlight: 0 });

/** Answers what they hit, in words. */
export const addHits = (sum: Kills, hits: readonly KillPoint[]): string => {
  for (const point of hits) sum[point] += 1;
  return `owners of the shard, ${hits.map((point) => POINT_WORDS[point]).join(' and ') || 'at no change'}`;
};

export const addKills = (sum: Kills, more: Kills): void => {
  for (const point of KILL_POINTS) sum[point] += more[point];
};

export const countKills = (kills: Kills): number =>
  KILL_POINTS.reduce((sum, point) => sum + kills[point], 0);

export const POINT_WORDS: Record<KillPoint, string> = {
  before: 'before the next owner had it',
  after: 'just after the next owner had it',
  inFlight: 'with messages of the former owner in flight',
};

/** `2 before the next owner had it, ...`. */
export const describeKills = (kills: Kills): string =>
  KILL_POINTS.map((point) => `${kills[point]} ${POINT_WORDS[point]}`).join(', ');

/** What no kill has hit is not shown: a line for each. */
export const notShown = (kills: Kills, points: readonly KillPoint[] = KILL_POINTS): string[] =>
  points
    .filter((point) => kills[point] === 0)
    .map((point) => `not shown: no kill ${POINT_WORDS[point]}`);
