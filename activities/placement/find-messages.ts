/** Looks by IMAP in which folder of its seed a message is; changes nothing there. */
import type { PlacementMessage } from '../../src/db/placement/placement-messages.ts';
import type { SeedLogin } from '../../src/db/placement/placement-seeds.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { PlacementOutcome, PlacementProblem } from '../../src/domain/placement/placement.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import { decide, fail, inSeeds, type TestTurn } from './test-turn.ts';

/** Folders beside inbox and spam, where somebody sorts. */
const MOST_OTHERS = 10;

const isGone = ({ state }: PlacementMessage) => state === 'sent' || state === 'uncertain';

/** Messages that were handed over, or may have been. */
export async function findPlaces(
  turn: TestTurn,
  messages: readonly PlacementMessage[],
): Promise<void> {
  const gone = messages.filter(isGone);
  await inSeeds(turn, gone, ({ access }, message, late) =>
    inImap(turn, { access, late }, async (imap) => {
      const found = await placeOf(imap, message.message_id);
      if (found) await decide(turn, message, found);
      // Only a whole look says that it is missing.
      else if (turn.isLast) await decideUnseen(turn, message);
    }),
  );
}

/** A session in the seed that is closed when it is done, and when it is too late. */
export async function inImap(
  { context: { mailTransport } }: TestTurn,
  { access, late }: { access: SeedLogin['access']; late: AbortSignal },
  work: (imap: ImapSession) => Promise<void>,
): Promise<void> {
  const imap = await mailTransport.openImap(access);
  const close = () => void imap.close().catch(() => undefined);
  late.addEventListener('abort', close, { once: true });
  try {
    late.throwIfAborted();
    await work(imap);
  } finally {
    await imap.close();
  }
}

interface Place {
  outcome: PlacementOutcome;
  folder: string;
}

/** Undefined where no folder has it. Throws where inbox or spam cannot be read. */
export async function placeOf(imap: ImapSession, messageId: string): Promise<Place | undefined> {
  const folders = await imap.folders();
  const of = (role: string, outcome: PlacementOutcome): Place[] =>
    folders.filter((folder) => folder.role === role).map(({ path }) => ({ outcome, folder: path }));
  const main = [...of('junk', 'spam'), ...of('inbox', 'inbox')];
  const others = of('other', 'other').slice(0, MOST_OTHERS);
  const { place: found, unread } = await firstWith(imap, messageId, main);
  if (found) return found;
  // Where inbox or spam cannot be read, nothing is known.
  if (unread) throw unread;
  const { place: elsewhere } = await firstWith(imap, messageId, others);
  if (!elsewhere) return undefined;
  // Where a message is in several folders at once, as at Google, it may have come in between two looks.
  const again = await firstWith(imap, messageId, main);
  if (!again.place && again.unread) throw again.unread;
  return again.place ?? elsewhere;
}

async function firstWith(
  imap: ImapSession,
  messageId: string,
  places: readonly Place[],
): Promise<{ place?: Place; unread?: ProviderError }> {
  let unread: ProviderError | undefined;
  for (const place of places) {
    try {
      await imap.open(place.folder);
      const header = { name: 'Message-ID', value: messageId };
      if ((await imap.search(place.folder, header)).length > 0) return { place };
    } catch (error) {
      // One that is listed and cannot be read.
      if (!(error instanceof ProviderError && error.kind === 'rejected')) throw error;
      // Its login worked: a refusal in these words would be one of the login.
      unread = new ProviderError('unavailable', 'A folder cannot be read', { provider: 'imap' });
    }
  }
  return unread ? { unread } : {};
}

/** The time is up: whatever is not decided yet is decided now, or the test would go on for ever. */
export async function decideLate(
  turn: TestTurn,
  messages: readonly PlacementMessage[],
): Promise<void> {
  // What went out meanwhile is looked for first.
  for (const message of messages) if (!isGone(message)) await decideUnseen(turn, message);
}

async function decideUnseen(turn: TestTurn, message: PlacementMessage): Promise<void> {
  if (message.state === 'sent') await decide(turn, message, { outcome: 'missing' });
  else await fail(turn, message, ...REASONS[message.state]);
}

const UNCERTAIN = [
  'DELIVERY_UNCERTAIN',
  'The connection broke while it was sent, and it was not found',
] as const;
const NOT_TAKEN = ['MESSAGE_DEFERRED', 'The mail server did not take it in time'] as const;

const REASONS: Record<
  Exclude<PlacementMessage['state'], 'sent'>,
  readonly [PlacementProblem, string]
> = {
  uncertain: UNCERTAIN,
  sending: UNCERTAIN,
  claimed: UNCERTAIN,
  refused: ['MESSAGE_REFUSED', 'The mail server refused it'],
  waiting: NOT_TAKEN,
  cancelled: NOT_TAKEN,
};
