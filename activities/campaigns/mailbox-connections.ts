/** One connection per mailbox, kept open; its messages are sent one after the other. */
import PQueue from 'p-queue';
import { findMailboxAccess } from '../../src/db/mailboxes/mailbox-access.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { MailboxAccess, SubmissionSession } from '../../src/providers/mail-transport/port.ts';
import type { SessionTools } from './tools.ts';

/** Connections that are open at once; beyond that, the least recently used idle one is closed. */
const MAX_OPEN = 50;

/** Thrown by `use` once they are closed: nothing is opened any more. */
export const CONNECTIONS_CLOSED = new Error('the connections of the session are closed');

export interface MailboxConnections {
  /** Waits for the mailbox's earlier messages, then runs `work` with a connection that is logged in. */
  use<T>(mailboxId: number, work: (session: SubmissionSession) => Promise<T>): Promise<T>;
  /** Those that are in use are closed after it. */
  close(): void;
}

interface MailboxConnection {
  queue: PQueue;
  session?: SubmissionSession | undefined;
  /** Why it could not be opened, for callers that waited meanwhile: one refused login is enough. */
  refusal?: { error: unknown } | undefined;
}

/** Login errors are thrown by `use` like those of `work`. */
export function createMailboxConnections(
  tools: Pick<SessionTools, 'db' | 'cipher' | 'mailTransport'>,
): MailboxConnections {
  const connections = new Map<number, MailboxConnection>();
  let isClosed = false;
  const sessionOf = async (
    mailboxId: number,
    connection: MailboxConnection,
  ): Promise<SubmissionSession> => {
    if (isClosed) throw CONNECTIONS_CLOSED;
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
      const connection = connections.get(mailboxId) ?? newConnection();
      // Re-inserted at the end of the map, which is in order of last use: the first idle one is closed.
      connections.delete(mailboxId);
      connections.set(mailboxId, connection);
      return connection.queue.add(async () => work(await sessionOf(mailboxId, connection)));
    },
    close() {
      isClosed = true;
      for (const connection of connections.values()) {
        const end = () => connection.session?.close();
        if (isBusy(connection)) connection.queue.once('idle', end);
        else end();
      }
      connections.clear();
    },
  };
}

function newConnection(): MailboxConnection {
  const connection: MailboxConnection = { queue: new PQueue({ concurrency: 1 }) };
  connection.queue.on('idle', () => (connection.refusal = undefined));
  return connection;
}

const isBusy = ({ queue }: MailboxConnection): boolean => queue.size + queue.pending > 0;

function makeRoom(connections: Map<number, MailboxConnection>): void {
  const open = [...connections.values()].filter(({ session }) => session?.isUsable());
  for (const connection of open.slice(0, Math.max(0, open.length + 1 - MAX_OPEN))) {
    if (isBusy(connection)) continue;
    connection.session?.close();
    connection.session = undefined;
  }
}

/** How to log in to a mailbox. Throws `unavailable` when it has no host or password (any more). */
export async function accessOf(
  tools: Pick<SessionTools, 'db' | 'cipher'>,
  mailboxId: number,
): Promise<MailboxAccess> {
  const access = await findMailboxAccess(tools, mailboxId);
  if (access) return access;
  throw new ProviderError('unavailable', 'The mailbox cannot be used', { provider: 'mailbox' });
}
