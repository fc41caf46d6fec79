/** One connection per mailbox, kept open; its letters go one after the other. */
import PQueue from 'p-queue';
import { findSendingMailbox } from '../../src/db/sending/sending-mailboxes.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { MailboxAccess, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import type { RoundTools } from './tools.ts';

/** Connections that are open at once; the one that was used longest ago makes room. */
const MAX_OPEN = 50;

export interface MailboxLanes {
  /** Waits for the mailbox's letters before, then runs `work` with a connection that is logged in. */
  use<T>(mailboxId: number, work: (session: SubmissionSession) => Promise<T>): Promise<T>;
  close(): void;
}

interface Lane {
  queue: PQueue;
  session?: SubmissionSession | undefined;
  /** Why it could not be opened, for those that waited meanwhile: one refused login is enough. */
  refusal?: { error: unknown } | undefined;
}

/** Errors of logging in come out of `use` like those of `work`. */
export function createMailboxLanes(
  tools: Pick<RoundTools, 'db' | 'cipher' | 'mailTransport'>,
): MailboxLanes {
  const lanes = new Map<number, Lane>();
  const sessionOf = async (mailboxId: number, lane: Lane): Promise<SubmissionSession> => {
    if (lane.session?.isUsable()) return lane.session;
    if (lane.refusal) throw lane.refusal.error;
    lane.session = undefined;
    makeRoom(lanes);
    try {
      const access = await accessOf(tools, mailboxId);
      lane.session = await tools.mailTransport.openSubmission(access);
      return lane.session;
    } catch (error) {
      lane.refusal = { error };
      throw error;
    }
  };
  return {
    use(mailboxId, work) {
      const lane = lanes.get(mailboxId) ?? newLane();
      // Used last stands last: the first idle one is closed.
      lanes.delete(mailboxId);
      lanes.set(mailboxId, lane);
      return lane.queue.add(async () => work(await sessionOf(mailboxId, lane)));
    },
    close() {
      for (const { session } of lanes.values()) session?.close();
      lanes.clear();
    },
  };
}

function newLane(): Lane {
  const lane: Lane = { queue: new PQueue({ concurrency: 1 }) };
  lane.queue.on('idle', () => (lane.refusal = undefined));
  return lane;
}

const isBusy = ({ queue }: Lane): boolean => queue.size + queue.pending > 0;

function makeRoom(lanes: Map<number, Lane>): void {
  const open = [...lanes.values()].filter(({ session }) => session?.isUsable());
  for (const lane of open.slice(0, Math.max(0, open.length + 1 - MAX_OPEN))) {
    if (isBusy(lane)) continue;
    lane.session?.close();
    lane.session = undefined;
  }
}

/** How to log in to a mailbox. Throws `unavailable` when it has no host or password (any more). */
export async function accessOf(
  { db, cipher }: Pick<RoundTools, 'db' | 'cipher'>,
  mailboxId: number,
): Promise<MailboxAccess> {
  const mailbox = await findSendingMailbox(db, mailboxId);
  if (!mailbox?.password) {
    throw new ProviderError('unavailable', 'The mailbox cannot be used', { provider: 'mailbox' });
  }
  const { host, email, password } = mailbox;
  return { host, email, password: cipher.open(password, passwordBinding(mailboxId)) };
}
