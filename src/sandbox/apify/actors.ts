/** The actors that can be run here: what they take as input and what they find. */

/** What a run does. `items` are the rows of its dataset, in order. */
export interface ActorWork {
  items: object[];
  outcome: 'SUCCEEDED' | 'FAILED' | 'TIMED-OUT';
  statusMessage: string;
  /** Time of the world that the container works. */
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
  /** What is wrong with the input, in the platform's words; undefined = nothing. */
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

/** How long a run with so many rows works, in time of the world: short, for who watches. */
export const workingMs = (items: number): number =>
  Math.min(LONGEST_MS, FIRST_SECOND_MS + PER_ITEM_MS * items);

/** `slow-dentist` takes so long, in time of the world. */
const SLOW_MS = 30_000;

/** `timeout-dentist`: what the run shall do, and what it looks for. */
export function magicOf(text: string): { prefix: string; rest: string } {
  const [, prefix = '', rest = text] = /^(timeout|fail|slow)-(.*)$/is.exec(text.trim()) ?? [];
  return { prefix: prefix.toLowerCase(), rest };
}

/** The work as the magic names among the searches want it. */
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
