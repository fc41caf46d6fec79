/** One turn of a placement test, and what both its halves do. */
import PQueue from 'p-queue';
import pTimeout from 'p-timeout';
import type { Context } from '../../src/context.ts';
import { withLease } from '../../src/db/leases.ts';
import { noteRefusedLogin } from '../../src/db/mailboxes/refused-logins.ts';
import {
  decidePlacement,
  type Decision,
  type PlacementMessage,
} from '../../src/db/placement/placement-messages.ts';
import {
  listSeedLogins,
  noteSeedLogin,
  type SeedLogin,
} from '../../src/db/placement/placement-seeds.ts';
import type { findPlacementTest } from '../../src/db/placement/placement-tests.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import {
  connectionCodeOf,
  connectionWords,
  PASSWORD_REFUSALS,
  vendorWords,
} from '../../src/domain/mailboxes/connection-problems.ts';
import { presetOf } from '../../src/domain/mailboxes/mail-servers.ts';
import type { PlacementProblem } from '../../src/domain/placement/placement.ts';

export interface TestTurn {
  context: Pick<
    Context,
    'db' | 'clock' | 'config' | 'cipher' | 'mailTransport' | 'recipientLinks' | 'logger'
  >;
  test: NonNullable<Awaited<ReturnType<typeof findPlacementTest>>>;
  /** This attempt. */
  claimedBy: string;
  /** It has the time that is kept for the end: what it does not find is decided. */
  isLast: boolean;
  /** How long one seed may take at most; its session is closed then. */
  seedMs: number;
  /** When it has to be over, whatever hangs. */
  endsAt: Date;
  signal: AbortSignal;
}

/** Seeds that are logged in to at once. */
const SEEDS_AT_ONCE = 10;
/** What another test may need for one look, before nothing is known; of the time of a seed, a third at most. */
const LAST_WAIT_MS = 20_000;

const leftMs = ({ context: { clock }, endsAt }: TestTurn): number =>
  Math.max(0, endsAt.getTime() - clock.now().getTime());

/** How long each of so many seeds may take for all to be done in time, though each of them hangs. */
const shareMs = (turn: TestTurn, seeds: number): number =>
  leftMs(turn) / Math.max(1, Math.ceil(seeds / SEEDS_AT_ONCE));

export const decide = (
  { context: { db, clock } }: TestTurn,
  message: PlacementMessage,
  decision: Omit<Decision, 'at'>,
) => decidePlacement(db, message.id, { ...decision, at: clock.now() });

/** Nothing is known of it, for a reason of ours. */
export const fail = (
  turn: TestTurn,
  message: PlacementMessage,
  code: PlacementProblem,
  words: string,
) => decide(turn, message, { outcome: 'failed', error: { code, message: words } });

/** Another test is reading this seed: providers limit connections. */
class SeedBusy extends Error {}

/**
 * Reads the seed of each of these messages, some at once. A seed whose login cannot work fails its message; one that
 * does not answer is asked again at the next turn, and until the end. Where hardly any time is left, it is left to the
 * last turn.
 */
export async function inSeeds(
  turn: TestTurn,
  messages: readonly PlacementMessage[],
  work: (seed: SeedLogin, message: PlacementMessage, late: AbortSignal) => Promise<void>,
): Promise<void> {
  const { context, signal } = turn;
  const ownMs = shareMs(turn, messages.length);
  if (!turn.isLast && ownMs < turn.seedMs / 3) return;
  const ids = messages.flatMap(({ seed_id: id }) => id ?? []);
  const seeds = new Map((await listSeedLogins(context, ids)).map((seed) => [seed.seedId, seed]));
  const queue = new PQueue({ concurrency: SEEDS_AT_ONCE });
  const read = async (message: PlacementMessage) => {
    signal.throwIfAborted();
    const seed = seeds.get(message.seed_id ?? 0);
    if (!seed) return fail(turn, message, 'SEED_DELETED', 'The seed mailbox was deleted meanwhile');
    const name = `placement seed ${seed.seedId}`;
    const waitMs = turn.isLast ? Math.min(LAST_WAIT_MS, ownMs / 3) : 0;
    const lease = { name, waitMs, busy: () => new SeedBusy() };
    const at = context.clock.now();
    const workMs = () =>
      Math.max(1, Math.min(turn.seedMs, at.getTime() + ownMs - context.clock.now().getTime()));
    try {
      await withLease(context.db, lease, () =>
        inTime(workMs(), (late) => work(seed, message, late)),
      );
      await noteSeedLogin(context.db, seed.seedId, at, null);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SeedBusy) return noteBusy(turn, message);
      await noteTrouble(turn, { seed, message, at }, error);
    }
  };
  await queue.addAll(messages.map((message) => () => read(message)));
}

/**
 * What hangs at the end of the turn is left behind: `late` tells it. What was being sent then is uncertain at the next
 * turn, as after the death of a worker.
 */
export async function untilEnd(
  turn: TestTurn,
  work: (late: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const milliseconds = Math.max(1, leftMs(turn));
  await pTimeout(work(over.signal), { milliseconds, fallback: () => over.abort() });
}

/** One slow server must not hold a test: what takes longer counts as one that does not answer. */
async function inTime(
  milliseconds: number,
  work: (late: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const fallback = () => {
    over.abort();
    throw new ProviderError('unavailable', 'It took too long', { provider: 'imap' });
  };
  await pTimeout(work(over.signal), { milliseconds, fallback });
}

async function noteBusy(turn: TestTurn, message: PlacementMessage): Promise<void> {
  const words = 'Another test was reading this seed to the end';
  if (turn.isLast) await fail(turn, message, 'SEED_BUSY', words);
}

async function noteTrouble(
  turn: TestTurn,
  { seed, message, at }: { seed: SeedLogin; message: PlacementMessage; at: Date },
  error: unknown,
): Promise<void> {
  const { db } = turn.context;
  if (!(error instanceof ProviderError)) throw error;
  const trouble = troubleOf(seed, error);
  if (!trouble) throw error;
  await noteSeedLogin(db, seed.seedId, at, trouble);
  if (isRefusal(trouble) && isGuess(seed)) await noteRefusedLogin(db, turn.test.user_id);
  const mayPass = trouble.code === 'HOST_UNREACHABLE' && !turn.isLast;
  if (!mayPass) await decide(turn, message, { outcome: 'failed', error: trouble });
}

const isRefusal = ({ code }: { code: string }) => PASSWORD_REFUSALS.includes(code);

/** Its password has neither worked nor been refused as yet: nothing is learnt from a repeat. Choice 157. */
const isGuess = ({ checkedAt, trouble }: SeedLogin): boolean =>
  checkedAt === null || (trouble !== null && !isRefusal(trouble));

/** In the words that connected mailboxes have, without a secret. Undefined: it says nothing about the seed. */
function troubleOf(
  { provider, access: { password, servers } }: SeedLogin,
  error: ProviderError,
): { code: string; message: string } | undefined {
  const code = connectionCodeOf(error);
  if (code === undefined) return undefined;
  const { username, imap } = servers;
  const secrets = [
    password,
    Buffer.from(password).toString('base64'),
    Buffer.from(`\0${username}\0${password}`).toString('base64'),
  ];
  const words = vendorWords(error.facts.loginReply, secrets);
  const { guidance } = presetOf(provider) ?? {};
  const message = connectionWords(code, { protocol: 'IMAP', host: imap.host }, { words, guidance });
  return { code, message };
}
