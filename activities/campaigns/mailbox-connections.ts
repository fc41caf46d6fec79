/** One connection per mailbox, kept open; its messages go one after the other. */
import { findSendingMailbox } from '../../src/db/sending/sending-mailboxes.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { MailboxAccess, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import type { SessionTools } from './tools.ts';

/** Connections that are open at once; the one that was used longest ago makes room. */
const MAX_OPEN = 50;

export interface MailboxConnections {
  /** Waits for the mailbox's messages before, then runs `work` with a connection that is logged in. */
  use<T>(mailboxId: number, work: (session: SubmissionSession) => Promise<T>): Promise<T>;
  close(): void;
}

interface MailboxConnection {
  tail: Promise<unknown>;
  session?: SubmissionSession | undefined;
  waiting: number;
  /** Why it could not be opened, for those that waited meanwhile: one refused login is enough. */
  refusal?: { error: unknown } | undefined;
}

/** Errors of logging in come out of `use` like those of `work`. */
export function createMailboxConnections(
  tools: Pick<SessionTools, 'db' | 'cipher' | 'mailTransport'>,
): MailboxConnections {
  const connections = new Map<number, MailboxConnection>();
  const sessionOf = async (
    mailboxId: number,
    connection: MailboxConnection,
  ): Promise<SubmissionSession> => {
    if (connection.session?.isUsable()) return connection.session;
    if (connection.refusal) throw connection.refusal.error;
    connection.session = undefined;
    makeRoom(connections);
    try {
      const access = await accessOf(tools, mailboxId);
      connection.session = await tools.mailTransport.openSubmission(access);
      return connection.session;
    } catch (error) {
      connection.refusal = { error };
      throw error;
    }
  };
  return {
    use(mailboxId, work) {
      const connection = connections.get(mailboxId) ?? { tail: Promise.resolve(), waiting: 0 };
      // Used last stands last: the first idle one is closed.
      connections.delete(mailboxId);
      connections.set(mailboxId, connection);
      connection.waiting += 1;
      const done = connection.tail.then(async () => work(await sessionOf(mailboxId, connection)));
      const leave = () => {
        connection.waiting -= 1;
        if (connection.waiting === 0) connection.refusal = undefined;
      };
      connection.tail = done.then(leave, leave);
      return done;
    },
    close() {
      for (const { session } of connections.values()) session?.close();
      connections.clear();
    },
  };
}

function makeRoom(connections: Map<number, MailboxConnection>): void {
  const open = [...connections.values()].filter(({ session }) => session?.isUsable());
  for (const connection of open.slice(0, Math.max(0, open.length + 1 - MAX_OPEN))) {
    if (connection.waiting > 0) continue;
    connection.session?.close();
    connection.session = undefined;
  }
}

/** How to log in to a mailbox. Throws `unavailable` when it has no host or password (any more). */
export async function accessOf(
  { db, cipher }: Pick<SessionTools, 'db' | 'cipher'>,
  mailboxId: number,
): Promise<MailboxAccess> {
  const mailbox = await findSendingMailbox(db, mailboxId);
  if (!mailbox?.password) {
    throw new ProviderError('unavailable', 'The mailbox cannot be used', { provider: 'mailbox' });
  }
  const { host, email, password } = mailbox;
  return { host, email, password: cipher.open(password, passwordBinding(mailboxId)) };
}
