/** Many clients move money at once, repeat their requests, and lose their connections meanwhile. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { captureHold, credit, hold, refund, releaseHold } from '../../../src/db/wallet/ledger.ts';
import { takeBack } from '../../../src/db/wallet/ledger-adjustments.ts';
import type { Database } from '../../../src/db/tables.ts';
import { isDatabaseDown } from '../../../src/domain/database-down.ts';
import { OutreachError } from '../../../src/domain/errors.ts';
import { movement } from './wallet.ts';

export interface Storm {
  db: Kysely<Database>;
  users: readonly string[];
  clients: number;
  operations: number;
  seed: number;
  /** Stops requests earlier; milliseconds of `performance.now()`. */
  until?: number;
  /** The same, by signal. */
  over?: AbortSignal;
  /** Called now and then with the number of operations. */
  report?: (operations: number) => void;
}

export interface StormResult {
  operations: number;
  retries: number;
  /** Transactions that died before their commit. */
  crashes: number;
  /** Attempts that lost their connection, and were repeated with their key. */
  cut: number;
  refused: number;
  /** Refused although the money sufficed. */
  wronglyRefused: string[];
  /** Keys of movements that were confirmed, and have to be in the ledger. */
  done: Set<string>;
}

type Outcome = 'done' | 'refused';
type Work = (trx: Transaction<Database>) => Promise<unknown>;

interface Drawn {
  key: string;
  /** Whether it leaves a row under its key: a release of nothing does not. */
  leavesRow: boolean;
  work: Work;
}

class Crash extends Error {}

const REPORT_EVERY = 10_000;
/** Older holds have nothing left. */
const MOST_HOLDS = 2_000;
const AGAIN_MS = 100;

const isHold = (result: unknown): result is { holdId: number } =>
  typeof result === 'object' && result !== null && 'holdId' in result;

/** A small seeded generator. */
function randomFrom(state: number) {
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One in five operations is requested twice at once, one in twenty first dies before its commit. */
export async function runStorm(storm: Storm): Promise<StormResult> {
  const { db, users, clients, operations, seed } = storm;
  const result: StormResult = {
    operations: 0,
    retries: 0,
    crashes: 0,
    cut: 0,
    refused: 0,
    wronglyRefused: [],
    done: new Set(),
  };
  const openHolds: number[] = [];
  let started = 0;

  const client = async (random: (below: number) => number): Promise<void> => {
    const isOver = () => storm.over?.aborted || performance.now() >= (storm.until ?? Infinity);
    while (started < operations && !isOver()) {
      started += 1;
      const drawn = choose(random, users, openHolds);
      const times = random(5) === 0 ? 2 : 1;
      if (random(20) === 0) await crash(db, drawn.work, result);
      const attempts = Array.from({ length: times }, () =>
        attempt(db, drawn.work, { result, openHolds }),
      );
      const outcomes = await Promise.all(attempts);
      result.operations += 1;
      result.retries += times - 1;
      result.refused += outcomes.filter((outcome) => outcome === 'refused').length;
      if (drawn.leavesRow && outcomes.includes('done')) result.done.add(drawn.key);
      if (result.operations % REPORT_EVERY === 0) storm.report?.(result.operations);
    }
  };
  await Promise.all(
    Array.from({ length: clients }, (_, n) => client(randomFrom(seed * clients + n))),
  );
  return result;
}

/** Repeated with its key until it is answered: a cut connection tells nothing about the commit. */
async function attempt(
  db: Kysely<Database>,
  work: Work,
  { result, openHolds }: { result: StormResult; openHolds: number[] },
): Promise<Outcome> {
  for (;;) {
    try {
      const made = await db.transaction().execute(work);
      // Only now is the hold visible to others.
      if (isHold(made)) openHolds.push(made.holdId);
      if (openHolds.length > MOST_HOLDS) openHolds.splice(0, MOST_HOLDS / 2);
      return 'done';
    } catch (error) {
      if (error instanceof OutreachError) {
        const [short] = (error.details ?? []) as {
          requiredCents: number;
          availableCents: number;
        }[];
        if (short && short.requiredCents <= short.availableCents) {
          result.wronglyRefused.push(error.message);
        }
        return 'refused';
      }
      if (!isDatabaseDown(error)) throw error;
      result.cut += 1;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** The work is done, then its transaction is aborted. */
async function crash(db: Kysely<Database>, work: Work, result: StormResult): Promise<void> {
  const dying = db.transaction().execute(async (trx) => {
    await work(trx);
    throw new Crash();
  });
  await dying.catch((error: unknown) => {
    if (error instanceof Crash || error instanceof OutreachError) result.crashes += 1;
    else if (!isDatabaseDown(error)) throw error;
  });
}

function choose(
  random: (below: number) => number,
  users: readonly string[],
  openHolds: readonly number[],
): Drawn {
  const userId = users[random(users.length)]!;
  const amountCents = 1 + random(4_000);
  const made = movement(userId, amountCents);
  const key = made.operationKey;
  const holdId = openHolds[random(openHolds.length)];
  const onHold = { holdId: holdId ?? 0, operationKey: key, description: 'Storm' };
  const row = (work: Work): Drawn => ({ key, leavesRow: true, work });
  switch (holdId === undefined ? random(2) : random(8)) {
    case 0:
      return row((trx) => credit(trx, made));
    case 1:
    case 2:
      return row((trx) => hold(trx, made));
    case 3:
    case 4:
      return row((trx) => captureHold(trx, { ...onHold, amountCents: 1 + (amountCents % 500) }));
    case 5:
      return { key, leavesRow: false, work: (trx) => releaseHold(trx, onHold) };
    case 6:
      return row((trx) => refund(trx, made));
    default:
      return { key, leavesRow: false, work: (trx) => takeBack(trx, made) };
  }
}

const KEYS_AT_ONCE = 10_000;

/** How many of these movements are in the ledger; each is there once, by its unique key. */
export async function countKeys(db: Kysely<Database>, keys: readonly string[]): Promise<number> {
  let found = 0;
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const { n } = await db
      .selectFrom('ledger_transactions')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where(sql<boolean>`operation_key = any(${keys.slice(at, at + KEYS_AT_ONCE)})`)
      .executeTakeFirstOrThrow();
    found += n;
  }
  return found;
}
