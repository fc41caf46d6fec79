/** The actors that can be run here: their input and their results. */

/** The work of one run. `items` are the rows of its dataset, in order. */
export interface ActorWork {
  items: object[];
  outcome: 'SUCCEEDED' | 'FAILED' | 'TIMED-OUT';
  statusMessage: string;
  /** How long the container works, in world time. */
  durationMs: number;
}

export interface Actor {
  id: string;
  username: string;
  name: string;
  /** Version of the build that runs when none is asked for. */
  buildNumber: string;
  /** US dollars for one row. */
  pricePerItem(input: ActorInput): number;
  /** What is wrong with the input, in the platform's wording; undefined = nothing. */
  problemOf(input: ActorInput): string | undefined;
  work(input: ActorInput): ActorWork;
}

export type ActorInput = Record<string, unknown>;

/** In paths an actor is its id or `user~name`; some clients write `user/name`, encoded. */
export const findActor = (actors: Actor[], wanted: string): Actor | undefined =>
  actors.find(({ id, username, name }) =>
    [id, `${username}~${name}`, `${username}/${name}`].includes(wanted),
  );

const FIRST_SECOND_MS = 1_000;
const PER_ITEM_MS = 15;
const LONGEST_MS = 10_000;

/** How long a run with this many rows works, in world time: short, for the sake of people watching. */
export const workingMs = (items: number): number =>
  Math.min(LONGEST_MS, FIRST_SECOND_MS + PER_ITEM_MS * items);

/** How long `slow-dentist` takes, in world time. */
const SLOW_MS = 30_000;

/** `timeout-dentist`: the behaviour of the run, and what it searches for. */
export function magicOf(text: string): { prefix: string; rest: string } {
  const [, prefix = '', rest = text] = /^(timeout|fail|slow)-(.*)$/is.exec(text.trim()) ?? [];
  return { prefix: prefix.toLowerCase(), rest };
}

/** The work, changed as the magic names among the searches demand. */
export function magicWork(searches: string[], work: ActorWork): ActorWork {
  const prefixes = new Set(searches.map((text) => magicOf(text).prefix));
  if (prefixes.has('fail')) return failedWork('The Actor process failed with exit code 91.');
  const slow = prefixes.has('slow') ? { ...work, durationMs: SLOW_MS } : work;
  if (!prefixes.has('timeout')) return slow;
  const items = slow.items.slice(0, Math.ceil(slow.items.length / 2));
  return { ...slow, items, outcome: 'TIMED-OUT', statusMessage: 'The Actor timed out.' };
}

export const failedWork = (statusMessage: string): ActorWork => ({
  items: [],
  outcome: 'FAILED',
  statusMessage,
  durationMs: workingMs(0),
});
