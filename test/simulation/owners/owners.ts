/**
 * The workers of a simulation, which have the shards one after the other. Processes die at the moment at which the
 * shards change their owner: the next one just before or just after it has taken them, or the former one, which still
 * sends. Where nobody kills the former one, it is told, or it notices nothing and works on beside the next one.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type KyselyPlugin } from 'kysely';
import { pino, type Logger } from 'pino';
import type { SendingMemory } from '../../../activities/campaigns/sending-session.ts';
import { renewLeases } from '../../../src/db/shards/shard-leases.ts';
import type { Database } from '../../../src/db/tables.ts';
import { SHARDS } from '../../../src/domain/shards/shards.ts';
import { failOnError } from '../virtual-time.ts';
import { newKills, type KillPoint } from '../../chaos/kill-points.ts';

/** At a message, at two moments of its way: the shards change their owner. */
const LOST = 0.05;
/** What becomes of the next owner at a change. */
const BEFORE = 0.25;
const AFTER = 0.35;
/** What becomes of one that lost its shards while it sends. */
const KILLED = 0.5;
const TOLD = 0.25;
/** Statements that take the shards, and those of the first steps of a session: recovery, claim, beginnings. */
const TAKING = 5;
const FIRST_STEPS = 16;

/** What a worker knows of a campaign. */
interface JobMemory {
  attempt: string;
  isClean: boolean;
  sending: SendingMemory;
}

export interface Owner {
  id: string;
  /** Its lines to Postgres: a dead process has none, and Postgres rolls back what it had open. */
  db: Kysely<Database>;
  logger: Logger;
  /** Fires when it is told that another one has its shards. */
  signal: AbortSignal;
  isDead: () => boolean;
  /** kill -9. */
  die: () => void;
  /** Resolves at its death, or when it has lost its shards. */
  gone: Promise<'crashed'>;
  died: Promise<void>;
  memoryOf(campaignId: number): JobMemory;
  /** Called on the way of a message: here the shards may change their owner, while the message is in flight. */
  pass: () => Promise<void>;
}

export interface Owners {
  /** Who has the shards; where nobody has, the next one takes them. */
  current(): Promise<Owner>;
  crashes(): number;
  kills(): Record<KillPoint, number>;
}

export function createOwners(
  db: Kysely<Database>,
  world: {
    chance: () => number;
    /** Some process has died, or has lost its shards. */
    changed: () => void;
    breach: (rule: string) => void;
    failed: (error: unknown) => void;
  },
): Owners {
  const { chance, changed, breach, failed } = world;
  const kills = newKills();
  let crashes = 0;
  let current: Promise<Owner> | undefined;
  /** Who has lost the shards and lives. */
  let former: ReturnType<typeof createOwner> | undefined;
  return {
    current: () => (current ??= next()),
    crashes: () => crashes,
    kills: () => ({ ...kills }),
  };

  function createOwner() {
    const id = randomUUID();
    const stop = new AbortController();
    const gone = deferred<'crashed'>();
    const died = deferred<void>();
    const taken = deferred<void>();
    const memories = new Map<number, JobMemory>();
    let isDead = false;
    /** It has the shards. */
    let isOwner = false;
    let inFlight = 0;
    let deathIn = Infinity;
    let hit = (): void => undefined;
    const leave = () => {
      if (isOwner) current = undefined;
      isOwner = false;
      hit = () => undefined;
      gone.resolve('crashed');
      changed();
    };
    const die = () => {
      if (isDead) return;
      isDead = true;
      crashes += 1;
      leave();
      died.resolve();
    };
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        deathIn -= 1;
        if (deathIn === 0 && !isDead) {
          hit();
          die();
        }
        // The code of a lost line: nobody takes it for a wrong statement.
        if (isDead) throw Object.assign(new Error('the process is dead'), { code: 'ECONNRESET' });
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const owner: Owner = {
      id,
      db: db.withPlugin(plugin),
      // The dead tell nobody.
      logger: pino({ level: 'warn' }, { write: (line) => isDead || failOnError(line, failed) }),
      signal: stop.signal,
      isDead: () => isDead,
      die,
      gone: gone.promise,
      died: died.promise,
      memoryOf(campaignId) {
        const memory = memories.get(campaignId) ?? newMemory();
        memories.set(campaignId, memory);
        return memory;
      },
      async pass() {
        if (isOwner && chance() < LOST) {
          former = self;
          leave();
        }
        if (former !== self || isDead) return;
        inFlight += 1;
        await Promise.race([taken.promise, died.promise]);
        inFlight -= 1;
      },
    };
    const self = {
      owner,
      inFlight: () => inFlight,
      own: () => void (isOwner = true),
      /** It dies as it begins its statement of that number from now, if it lives so long. */
      dieAt(statement: number, isHit: () => void) {
        deathIn = statement;
        hit = isHit;
      },
      /** Another one has taken its shards. */
      lose() {
        const drawn = chance();
        const wasInFlight = !isDead && inFlight > 0;
        if (drawn < KILLED) die();
        else if (drawn < KILLED + TOLD) stop.abort();
        taken.resolve();
        return drawn < KILLED && wasInFlight;
      },
    };
    return self;
  }

  async function next(): Promise<Owner> {
    for (;;) {
      const one = createOwner();
      const { owner } = one;
      const drawn = chance();
      const isEarly = drawn < BEFORE;
      await endLeases();
      if (isEarly) one.dieAt(1 + Math.floor(chance() * TAKING), () => (kills.before += 1));
      const leases = await renewLeases(owner.db, owner.id, { keep: [] }).catch((error: unknown) => {
        if (!owner.isDead()) throw error;
      });
      const held = await countHeld(owner.id);
      if (!leases) {
        if (held > 0) breach(`a worker that died before it had its shards has ${held}`);
        continue;
      }
      if (held !== SHARDS) breach(`the next owner has ${held} shards`);
      if (former?.lose()) kills.inFlight += 1;
      former = undefined;
      if (isEarly) breach('a worker that was to die while it took the shards has them');
      else if (drawn < BEFORE + AFTER) {
        one.dieAt(1 + Math.floor(chance() * FIRST_STEPS), () => (kills.after += 1));
      }
      one.own();
      return owner;
    }
  }

  /** As after the time of a lease, without the time. */
  async function endLeases(): Promise<void> {
    await sql`update shards set leased_until = clock_timestamp() - interval '1 second'
      where leased_until > clock_timestamp()`.execute(db);
    await sql`update shard_workers set seen_at = clock_timestamp() - interval '1 minute'`.execute(
      db,
    );
  }

  async function countHeld(owner: string): Promise<number> {
    const { rows } = await sql<{ held: number }>`select count(*)::int as held from shards
      where owner = ${owner} and leased_until > clock_timestamp()`.execute(db);
    return rows[0]!.held;
  }
}

const newMemory = (): JobMemory => ({ attempt: randomUUID(), isClean: false, sending: {} });

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
